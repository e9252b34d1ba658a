/** Finds the values of an answer that may identify a workflow or a document, the likeliest first. */
import {
  decodePercent,
  identifierCandidates,
  identifiersInHeaders,
  identifiersInLinks,
  isIdentifier,
  type Located,
  membersOf,
  namedIdentifiers,
  normalizeName,
  unnamedIdentifiers,
  withoutRepeats,
} from '../reading/locate.ts'
import { isCalledKey } from '../reading/storage-key.ts'
import { hasRole, mentionsRole, termsOf } from '../reading/vocabulary.ts'
import { type Exchange, plainText } from '../wire/exchange.ts'

/** Returns candidates for a workflow's identifier: values with its name, then those in links, then all other identifiers. */
export function workflowCandidates(created: Exchange, sent: object): Located[] {
  // Only texts: a sequential identifier may equal a number that was sent, such as a step's order.
  const ours = new Set(membersOf(sent).flatMap(({ value }) => (typeof value === 'string' ? [value] : [])))
  const suffixed = namedIdentifiers(created.json)
  const candidates = [
    ...namedWorkflows(created),
    ...suffixed.filter((one) => !isOfOthers(one)),
    ...unnamedIdentifiers(created.json).filter((one) => !isOfOthers(one)),
    ...identifierCandidates(plainText(created), 'workflow'),
    ...suffixed.filter(isOfOthers),
    ...numbersIn(created.json),
  ].filter(({ value }) => !ours.has(String(value)) && !/^\/|:\/\//.test(String(value)))
  // An identifier may have slashes, as an ARN has, but a text with slashes is more often a path.
  const slashes = ({ value }: Located) => Number(String(value).includes('/'))
  return withoutRepeats(candidates.toSorted((one, other) => slashes(one) - slashes(other)))
}

/** Returns the whole numbers of an answer, the largest first: small ones are counts more often than identifiers. */
const numbersIn = (json: unknown): Located[] =>
  membersOf(json)
    .filter(({ value }) => typeof value === 'number' && isIdentifier(value))
    .toSorted((one, other) => Number(other.value) - Number(one.value))

/** Returns the values that names, links and headers call the workflow's identifier. */
export function namedWorkflows({ headers, json }: Exchange): Located[] {
  const candidates = [
    ...identifiersInLinks(headers, json, 'workflows'),
    ...identifiersInHeaders(headers, 'workflow'),
    ...identifierCandidates(json, 'workflow'),
  ]
  // A member named workflow_id goes before links; all others go after them.
  return [...candidates.filter(({ name }) => normalizeName(name) === 'workflowid'), ...candidates]
}

/** Objects other than the workflow that a member may identify, such as the call or the user. */
const others = [
  'trace',
  'span',
  'request',
  'req',
  'correlation',
  'transaction',
  'message',
  'tenant',
  'user',
  'owner',
  'account',
  'org',
  'organization',
  'step',
  'status',
  'error',
  'result',
]
const suffixes = ['id', 'no', 'number', 'code']
const namesOfOthers = new Set(others.flatMap((word) => suffixes.map((suffix) => word + suffix)))

const isOfOthers = ({ name }: Located) => namesOfOthers.has(normalizeName(name))

/** Collections of long-running operations. An answer may name an operation instead of its result. */
const operations = ['operations', 'jobs', 'tasks']

/** Returns the path (after the version) of a long-running operation in an answer, such as `jobs/7`. */
export function operationIn({ headers, json }: Exchange): string | undefined {
  const texts = [...membersOf(json).map(({ value }) => value), headers.get('Location')]
  for (const text of texts) {
    const segments = String(text ?? '').split('/')
    const [collection = '', id = ''] = segments.slice(-2)
    if (operations.includes(collection) && /^[\w.-]+$/.test(id)) return `${collection}/${id}`
  }
  return undefined
}

const objectNames = new Set(
  ['asset', 'object', 'attachment', 'upload', 'content', 'media', 'record', 'item', 'version'].map(
    (word) => `${word}id`,
  ),
)

const isCalledDocument = ({ name }: Located) =>
  normalizeName(name).startsWith('doc') || mentionsRole(termsOf(name), 'document')

/** Returns the values that an answer calls a document's identifier, in its body, in links and in headers. */
export function namedDocuments(answer: Exchange): Located[] {
  const { headers, json } = answer
  const suffixed = namedIdentifiers(json)
  return [
    ...identifierCandidates(json, 'document').filter(isCalledDocument),
    ...suffixed.filter(isCalledDocument),
    ...identifierCandidates(json, 'document'),
    ...identifierCandidates(json, 'file'),
    ...suffixed.filter(({ name }) => objectNames.has(normalizeName(name))),
    ...identifiersInLinks(headers, json, 'documents|files'),
    ...identifiersInHeaders(headers, 'document'),
    ...identifierCandidates(plainText(answer), 'document'),
  ]
}

/** Returns the other identifiers of an answer that are neither paths nor URLs. */
export function otherIdentifiers({ json }: Exchange): Located[] {
  return unnamedIdentifiers(json).filter(({ value }) => !/[/:]/.test(String(value)))
}

/** Omits storage keys and sent values, and prefixes each pointer with the name of the answer. */
export function placedIn(answer: string, found: readonly Located[], sent: ReadonlySet<string>): Located[] {
  return found
    .filter(({ name, value }) => !isCalledKey(name) && !sent.has(String(value)))
    .map((one) => ({ ...one, pointer: one.pointer.startsWith('/') ? answer + one.pointer : one.pointer }))
}

/** The largest integer of four bytes, less some, so that few deployments have counted as far. */
const unlikelyNumber = 2_147_483_000

/**
 * Returns an identifier of the same form that nothing has: with the same prefix, length and alphabet. A deployment may refuse one of
 * another form without looking it up.
 */
export function unknownLike(known: unknown): string {
  const text = String(known)
  // A number at the end may be a counter, so numbers near it may exist.
  const [, prefix = '', count = ''] = text.match(/^(.*[^a-z\d]|[a-z]*)(\d+)$/i) ?? []
  if (count !== '' && count.length <= (prefix === '' ? 10 : 3)) return prefix + (unlikelyNumber + (Number(count) % 100))
  if (count !== '' && count.length <= 9) return prefix + farFrom(count)
  // A prefix, the version of a UUID and the time of a ULID stand in the first part.
  const middle = /-[\da-f]{12}$/i.test(text) ? text.length - 12 : Math.ceil(text.length / 2)
  const tail = text.slice(middle)
  const changed = tail.replaceAll(/[\da-f]/gi, mirrored)
  return text.slice(0, middle) + (changed === tail ? tail.replaceAll(/[g-z]/gi, mirrored) : changed)
}

/** Changes the first digit of a number, and keeps its length. */
const farFrom = (count: string) => `${((Number(count[0]) + 4) % 9) + 1}${count.slice(1)}`

const alphabets = ['0123456789', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ'] as const

/** Replaces a character by its mirror image in its alphabet: `0` becomes `9`, and `a` becomes `f`. */
function mirrored(character: string): string {
  const alphabet = alphabets.find((one) => one.includes(character)) ?? character
  return alphabet[alphabet.length - 1 - alphabet.indexOf(character)] ?? character
}

/** Returns the execution's identifier in an answer, or undefined if it shows none. */
export function executionIdIn(json: unknown): string | number | undefined {
  const [candidate = namedIdentifiers(json).find(({ name }) => isExecutionId(name))] = identifierCandidates(
    json,
    'execution',
  )
  return isIdentifier(candidate?.value) ? candidate.value : undefined
}

/** Returns true if all words of a name are those of an execution's identifier: `execution_id`, `runNumber`. */
function isExecutionId(name: string): boolean {
  const terms = termsOf(name)
  const isCalled = mentionsRole(terms, 'execution') && terms.every((term) => hasRole(term, 'execution', 'identifier'))
  return normalizeName(name) === 'executionid' || (isCalled && terms.length > 1)
}

/** Returns the workflow identifier in the path of a call. */
export function workflowInPath(url: string): string {
  const segments = new URL(url).pathname.split('/')
  const at = segments.lastIndexOf('workflows')
  return decodePercent(segments[at + 1] ?? '')
}
