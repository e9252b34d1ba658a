/** Makes a profile from what a deployment answered, beside what the contract answers to the same calls. */
import { isStatus, withheld } from '../../src/contract/http.ts'
import type { Violation } from '../../src/contract/operations.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { otherSize, refusedOptions, storedAgain, stricterRules, unknownKey } from '../../src/profile/strictness.ts'
import type { Facts, Json } from '../../src/profile/template.ts'
import { knownValueName, storageName, violationName } from '../../src/profile/tolerance.ts'
import { isCredentialHeader } from '../../src/session/credentials.ts'
import { valueAt } from '../reading/locate.ts'
import { mostValues } from '../session/bounds.ts'
import type { TimedExchange } from '../session/calls.ts'
import { type Exchange, sentJson } from '../wire/exchange.ts'
import { longestBody } from '../wire/record.ts'
import { generalise, generaliseAnswer } from './generalise.ts'
import { strangeKey } from './lesson.ts'
import type { Introduced } from './roles.ts'
import type { AnswerSample, Guess } from './sample.ts'
import { sessionDataOf, withoutSessionData } from './session-data.ts'
import { counting, inFormOf, textTemplate } from './text.ts'

/** An answer of the deployment beside that of the contract. */
export interface LearnedPair {
  readonly introduced: Introduced
  /** Absent if the reference has nothing to compare with. */
  readonly facts?: Facts
  /** True if the reference carried the call out. */
  readonly isAccepted: boolean
  /** True for an answer that is less usual than others. */
  readonly isOdd?: true
}

/** The templates and rules that were learned. */
export interface Lesson {
  readonly identifiers: Readonly<Record<string, Json>>
  readonly answers: Readonly<Record<string, Json>>
  readonly refusals: Readonly<Record<string, Json>>
  /** The requests that the deployment accepts although the contract refuses them. */
  readonly accepts: readonly string[]
  readonly guesses: readonly (Guess & { readonly answer: string })[]
  /** The number of samples behind each answer. */
  readonly seen: Readonly<Record<string, number>>
}

/** Headers of caches and proxies, credentials, and those that a mock withholds or sets itself. */
const isIgnored = (name: string) =>
  /^(date|server-timing|via|age|\$.*)$/.test(name) || withheld.has(name) || isCredentialHeader(name)

/** Headers that may depend on the page that calls. They are learned from calls without an `Origin`. */
export const originHeaders = /^(access-control-.*|vary)$/i

/** The shortest text of the session whose occurrence within another text is no coincidence. */
const longEnough = 12

/** Returns an answer as the value that a template is made for. */
export function answerValue({ request, status, headers, json, bytes }: Exchange): Json {
  const isFromPage = request.headers.has('origin')
  const isKept = (name: string) => !isIgnored(name) && !(isFromPage && originHeaders.test(name))
  // The mock never uses up a rate limit, so all calls remain. A smaller number would make clients wait.
  const shownFor = (name: string, value: string) => headers.get(name.replace(/remaining$/, 'limit')) ?? value
  const shown = Object.fromEntries(
    [...headers].flatMap(([name, value]) => (isKept(name) ? [[name, shownFor(name, value)]] : [])),
  )
  if (json !== undefined) return { status, headers: shown, body: json as Json }
  const text = new TextDecoder().decode(bytes)
  return text === '' ? { status, headers: shown } : { status, headers: shown, text }
}

/** Returns the headers of answers that would make browsers act, and are not learned. */
export function activeHeadersIn(exchanges: readonly Exchange[]): string[] {
  const names = new Set(exchanges.flatMap(({ headers }) => [...headers.keys()]))
  return [...names].filter((name) => withheld.get(name) === 'active').toSorted()
}

/**
 * Makes the templates of all answers and identifiers. Of the `probes`, what was accepted counts, and what storage or a stricter
 * rule refused: their other answers may be those of a moment. `odd` are exchanges that are less usual (see `oddIn`).
 */
export function learnTemplates(
  pairs: readonly LearnedPair[],
  probes: readonly LearnedPair[] = [],
  odd: ReadonlySet<Exchange> = new Set(),
): Lesson {
  // A probe may break several rules at once.
  const taught = probes.filter(teachesRefusal).map((one) => (isOfService(one) ? { ...one, isOdd: true as const } : one))
  const { groups, unusable } = groupedAnswers([...pairs, ...taught], pairs, odd)
  const guesses: (Guess & { answer: string })[] = [...unusable].map(([answer, why]) => ({ answer, pointer: '', why }))
  const data = sessionDataOf([...pairs, ...probes].map(({ introduced }) => introduced))
  // Identifiers are like each other, so only names are told from them.
  const names = { ...data, texts: data.slugs }
  const isOwn = (text: string) =>
    data.texts.some(([own]) => text === own || (own.length >= longEnough && text.includes(own)))
  const made = (kind: string) =>
    Object.fromEntries(
      [...groups]
        .filter(([group]) => group.startsWith(`${kind}/`))
        .map(([group, samples]) => {
          const answer = group.slice(kind.length + 1)
          const guess = (one: Guess) => guesses.push({ ...one, answer })
          const template = generaliseAnswer(samples, { pointer: '', name: '', depth: 0, guess, isOwn })
          const has = (pointer: string) => samples.some(({ facts }) => valueAt(facts, pointer) !== undefined)
          const clean = withoutSessionData(template, { data, isRefusal: kind === 'refusals', has, guess })
          return [answer, withTimeForm(clean)]
        }),
    )
  return {
    identifiers: Object.fromEntries(
      Object.entries(identifierTemplates(pairs, probes)).map(([name, template]) => [
        name,
        withoutSessionData(template, { data: names, isRefusal: false, has: () => false, guess: () => {} }),
      ]),
    ),
    // Which documents a probe's run had confirmed is not always seen.
    accepts: [
      ...acceptedIn(pairs).filter((one) => one === unknownDocument),
      ...acceptedIn([...pairs, ...probes]).filter((one) => one !== unknownDocument),
    ],
    answers: made('answers'),
    refusals: made('refusals'),
    guesses,
    seen: Object.fromEntries([...groups].map(([group, samples]) => [group, samples.length])),
  }
}

interface GroupedAnswers {
  /** The samples of each answer: `answers/` with a call, `refusals/` with what is refused. */
  readonly groups: ReadonlyMap<string, readonly AnswerSample[]>
  /** The calls of which answers were left out, with the reason. */
  readonly unusable: ReadonlyMap<string, string>
}

function groupedAnswers(
  all: readonly LearnedPair[],
  pairs: readonly LearnedPair[],
  odd: ReadonlySet<Exchange>,
): GroupedAnswers {
  const groups = new Map<string, AnswerSample[]>()
  const unusable = new Map<string, string>()
  for (const pair of all) {
    const { introduced, facts, isAccepted, isOdd = odd.has(introduced.exchange) } = pair
    const { exchange, call, isSuccess, workflowId, executionId, roles } = introduced
    if (!facts || (call === undefined && isSuccess)) continue
    const condition = isSuccess ? undefined : isAccepted ? stricter(pair, pairs) : codeOf(facts)
    if (isSuccess !== isAccepted && condition === undefined) continue
    const flaw = flawOfAnswer(exchange)
    if (flaw !== undefined) {
      unusable.set(call ?? 'none', `an answer has ${flaw}, and was left out`)
      continue
    }
    const value = answerValue(exchange)
    const thing = roles.execution ?? executionId ?? workflowId ?? roles.workflow ?? roles.session ?? ''
    const group = isSuccess ? `answers/${call}` : `refusals/${condition}`
    const sample = { facts, value, items: [], thing, at: exchange.at, isOdd }
    groups.set(group, [...(groups.get(group) ?? []), sample])
  }
  return { groups, unusable }
}

/** Returns why nothing can be learned from an answer. */
function flawOfAnswer({ isOversized, isCut, status }: TimedExchange): string | undefined {
  if (isOversized) return `more than ${mostValues} values`
  if (isCut) return `more than ${longestBody} characters`
  return isStatus(status) ? undefined : `the status ${status}`
}

/** Writes times that were always null in the form that most times of the answer have. */
function withTimeForm(template: Json): Json {
  const text = JSON.stringify(template)
  const counts = new Map<string, number>()
  for (const [, form = ''] of text.matchAll(/"\$time":"[^"]*",("form":"[^"]*")/g)) {
    counts.set(form, (counts.get(form) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  const plain = text.match(/\{"\$":"[^"]*_at"\}/g) ?? []
  if (most === undefined || plain.length > most[1]) return template
  const zone = /"\$time":"[^"]*","form":"[^"]*"(,"zone":-?\d+)/.exec(text)?.[1] ?? ''
  return JSON.parse(
    text.replaceAll(/\{"\$":("[^"]*_at"),"or":null\}/g, (_, pointer) => `{"$time":${pointer},${most[0]}${zone}}`),
  ) as Json
}

/** Returns true if a probe shows how storage refuses, or a rule that only the deployment has. */
function teachesRefusal({ introduced, facts, isAccepted }: LearnedPair): boolean {
  const { call, isSuccess, exchange } = introduced
  if (isSuccess || isAccepted || isBusy(exchange)) return false
  const { errors = [], about = '' } = (facts?.problem ?? {}) as { errors?: readonly Violation[]; about?: string }
  const [error] = errors
  const isStricter = stricterRules(String(call), sentJson(exchange)).some(
    ({ violation }) => violation.rule === error?.rule && violation.pointer === error.pointer,
  )
  // A lesson asks for these itself.
  const isAsked = about === 'type' || about === 'address'
  return (call === 'putObject' && !isAsked) || isStricter
}

const isOfService = ({ introduced }: LearnedPair) => introduced.call !== 'putObject'

/** Returns true if a service is overloaded or fails. */
const isBusy = ({ status }: Exchange) => status === 429 || status >= 500

/**
 * Returns the exchanges that are less usual than others: those about what the contract refuses and the deployment accepts, the reads of
 * what they made, repeated confirmations of an upload, and executions that started side by side, since their order is unknown.
 */
export function oddIn(pairs: readonly LearnedPair[]): Set<Exchange> {
  const odd = pairs.filter(({ introduced, isAccepted }) => introduced.isSuccess && !isAccepted)
  const made = new Set(odd.flatMap(({ introduced }) => introduced.roles.workflow ?? []))
  const about = pairs.filter(({ introduced: { workflowId } }) => workflowId !== undefined && made.has(workflowId))
  const started = pairs.flatMap(({ introduced }) =>
    introduced.call === 'executeWorkflow' && introduced.isSuccess ? [introduced.exchange] : [],
  )
  const sideBySide = started.filter((one) => started.some((other) => other !== one && overlap(one, other)))
  return new Set([
    ...[...odd, ...about, ...repeatedIn(pairs)].map(({ introduced }) => introduced.exchange),
    ...sideBySide,
  ])
}

/** Returns the accepted confirmations that repeat an earlier one. Some services make a new document each time. */
function repeatedIn(pairs: readonly LearnedPair[]): LearnedPair[] {
  const confirmed = new Set<string>()
  return pairs.filter(({ introduced: { call, isSuccess, roles } }) => {
    if (call !== 'confirmUpload' || !isSuccess || roles.session === undefined) return false
    if (confirmed.has(roles.session)) return true
    confirmed.add(roles.session)
    return false
  })
}

/** Returns true if each of two requests was sent before the other was answered. */
const overlap = (one: TimedExchange, other: TimedExchange) =>
  one.at < other.at + other.durationMs && other.at < one.at + one.durationMs

/** Names the rules by which a deployment refuses what the contract accepts: in the pairs, and before a call is looked at, in all answers. */
export const refusesIn = (pairs: readonly LearnedPair[], exchanges: readonly Exchange[]) =>
  [...new Set([...refusedIn(pairs), ...refusedBefore(exchanges)])].toSorted()

/** Names the rules of a body, and of a second PUT, by which a deployment refuses what the contract accepts. */
function refusedIn(pairs: readonly LearnedPair[]): string[] {
  const [refused, accepted] = [new Set<string>(), new Set<string>()]
  const stored = new Set<string>()
  for (const { introduced, isAccepted } of withoutUsedDocuments(pairs)) {
    const { call, isSuccess, exchange, roles } = introduced
    if (isBusy(exchange)) continue
    const isAgain = call === 'putObject' && stored.has(roles.session ?? '')
    if (call === 'putObject' && isSuccess && roles.session !== undefined) stored.add(roles.session)
    const broken = stricterRules(String(call), sentJson(exchange)).map(({ name }) => name)
    const names = isAgain ? [storedAgain] : broken
    for (const name of names) if (isSuccess) accepted.add(name)
    const [name] = names
    if (!isSuccess && isAccepted && name !== undefined) refused.add(name)
  }
  return [...refused].filter((name) => !accepted.has(name))
}

/** Leaves out refused executions of documents that were executed before, if none of these is accepted: that may be the reason. */
function withoutUsedDocuments(pairs: readonly LearnedPair[]): readonly LearnedPair[] {
  const executed = new Set<unknown>()
  let isUsedAgain = false
  const unclear = new Set<LearnedPair>()
  for (const pair of pairs) {
    const { call, isSuccess, exchange } = pair.introduced
    if (call !== 'executeWorkflow') continue
    const document = valueAt(sentJson(exchange), '/document_id')
    if (!executed.has(document)) {
      if (isSuccess) executed.add(document)
    } else if (isSuccess) isUsedAgain = true
    else unclear.add(pair)
  }
  return isUsedAgain ? pairs : pairs.filter((pair) => !unclear.has(pair))
}

/** Names the rules by which a deployment refuses keys that look right, and OPTIONS without allowing another origin. */
function refusedBefore(exchanges: readonly Exchange[]): string[] {
  return exchanges.flatMap(({ request: { method, url, headers }, status }) => {
    if (headers.get('authorization') === strangeKey && [401, 403].includes(status)) return [unknownKey]
    if (method !== 'OPTIONS' || !/\/api\/v1\//.test(new URL(url).pathname) || status < 400 || status >= 500) return []
    return [refusedOptions[[401, 403].includes(status) ? 'missing-key' : 'method-not-allowed']]
  })
}

/**
 * Returns whether pages on other origins may call the service and storage, for each of the two that such a page has called, and
 * `credentials` if it was allowed to send them. Returns undefined if all is as a mock has it anyway.
 */
export function corsIn(exchanges: readonly Exchange[]): Profile['cors'] {
  const found: { service?: boolean; storage?: boolean; credentials?: boolean } = {}
  for (const { request, headers, status } of exchanges) {
    if (!request.headers.has('origin') || isBusy({ status } as Exchange)) continue
    const part = /\/api\/v1\//.test(new URL(request.url).pathname) ? 'service' : 'storage'
    found[part] ||= headers.has('access-control-allow-origin')
    if (headers.get('access-control-allow-credentials') === 'true') found.credentials = true
  }
  const { service = true, storage = true, credentials } = found
  return service && storage && !credentials ? undefined : found
}

/**
 * Names the rule by which a deployment refused a call that the contract accepts. Returns undefined for a rule that the mock cannot
 * apply.
 */
function stricter({ introduced, facts }: LearnedPair, pairs: readonly LearnedPair[]): string | undefined {
  const { call, exchange } = introduced
  if (call !== 'confirmUpload') return undefined
  const session = sessionOf(exchange)
  const isConfirmed = pairs.some(
    ({ introduced }) =>
      introduced.call === call &&
      introduced.isSuccess &&
      introduced.exchange.at <= exchange.at &&
      sessionOf(introduced.exchange) === session,
  )
  if (isConfirmed) return 'confirmed-again'
  return facts && hasOtherSize(facts) ? otherSize : undefined
}

/** Returns true if the file of an upload was stored with another size than announced. */
function hasOtherSize({ answer, object }: Facts): boolean {
  const [announced, stored] = [valueAt(answer, '/file_size'), valueAt(object, '/size')]
  return announced !== undefined && stored !== undefined && announced !== stored
}

const sessionOf = (exchange: Exchange) => valueAt(sentJson(exchange), '/session_id')

/** Codes of refusals that the mock can leave out. */
const unknownDocument = 'document-not-confirmed'
const optional = [unknownDocument, 'key-with-scheme', 'unsupported-media-type', 'file-too-large']

/** Codes of storage that the mock can leave out, but for addresses that are not its own. */
const optionalInStorage = [
  'SignatureDoesNotMatch',
  'InvalidArgument',
  'BadDigest',
  'PreconditionFailed',
  'AccessDenied',
]

/**
 * Names the rules of the contract that the deployment never enforces. If it enforces a rule for some values, such as of an enum, names
 * the other values instead.
 */
export function acceptedIn(pairs: readonly LearnedPair[]): string[] {
  const accepted = new Set<string>()
  const refused = new Set<string>()
  const known = new Map<string, string>()
  for (const { introduced, facts, isAccepted } of withoutUsedDocuments(pairs)) {
    if (isAccepted || !facts) continue
    const broken = rulesBroken(facts, sentJson(introduced.exchange))
    for (const { name, value } of broken) {
      if (value !== undefined) known.set(value, name)
      for (const one of [name, value ?? name]) if (introduced.isSuccess) accepted.add(one)
    }
    // If several rules are broken, any may be the reason.
    const [only, ...others] = broken
    if (!introduced.isSuccess && only && others.length === 0) refused.add(only.name).add(only.value ?? only.name)
  }
  const isAny = (name: string) => accepted.has(name) && !refused.has(name)
  return [...accepted].filter((name) => isAny(name) && !isAny(known.get(name) ?? '')).toSorted()
}

/** Names the rules of the contract that a request broke, as far as the mock can leave them out, and values by themselves. */
function rulesBroken(
  { problem, operation }: Facts,
  body: unknown,
): readonly { readonly name: string; readonly value?: string | undefined }[] {
  const { code = '', about, errors = [] } = problem as { code?: string; about?: string; errors?: readonly Violation[] }
  if (optional.includes(code)) return [{ name: code }]
  if (operation === 'putObject') {
    const isOptional = optionalInStorage.includes(code) && !['address', 'time', 'again'].includes(about ?? '')
    return isOptional ? [{ name: storageName(code, about) }] : []
  }
  return errors.map((violation) => ({
    name: violationName(String(operation), violation),
    value: knownValueName(String(operation), body, violation),
  }))
}

function codeOf({ problem }: Facts): string {
  return String((problem as { code?: unknown } | undefined)?.code ?? 'unknown')
}

/** Where the identifiers of a role are introduced, the facts that they may follow, and how they are changed before. */
interface IdentifierSource {
  readonly call: string
  readonly facts?: (pair: LearnedPair) => Partial<Facts>
  readonly change?: (text: string) => string
}

/** Makes the template of the identifiers of a role; undefined if there are less than two. */
function identifierTemplate(
  pairs: readonly LearnedPair[],
  role: keyof Introduced['roles'],
  { call, facts = () => ({}), change = (text) => text }: IdentifierSource,
): Json | undefined {
  // A second confirmation shows the same document.
  const taken = new Set<string>()
  const samples = pairs.flatMap((pair): AnswerSample[] => {
    const { introduced } = pair
    const value = introduced.roles[role]
    if (introduced.call !== call || value === undefined || !introduced.isSuccess || taken.has(value)) return []
    taken.add(value)
    const { at } = introduced.exchange
    const now = new Date(at).toISOString()
    return [{ facts: { now, ...facts(pair) }, value: change(value), items: [], thing: value, at }]
  })
  if (samples.length < 2) return undefined
  return counting(samples) ?? generalise(samples, { pointer: '', name: role, depth: 0, guess: () => {} })
}

/** Makes the templates of identifiers and of the upload URL. Of the `probes`, the tenants count: some are sent with a second key. */
function identifierTemplates(pairs: readonly LearnedPair[], probes: readonly LearnedPair[]): Record<string, Json> {
  const uploadFacts = ({ introduced, facts }: LearnedPair): Partial<Facts> => ({
    // The mock's own are in lower case (RFC 9562 section 4).
    session_id: introduced.roles.session?.toLowerCase(),
    key: introduced.roles.key,
    request: facts?.request,
  })
  const sessions = new Map(
    pairs.flatMap((pair) =>
      pair.introduced.call === 'requestUpload' ? [[pair.introduced.roles.session, pair] as const] : [],
    ),
  )
  const sources: Readonly<Record<keyof Introduced['roles'], IdentifierSource>> = {
    workflow: { call: 'createWorkflow' },
    execution: {
      call: 'executeWorkflow',
      facts: ({ introduced }) => ({ path: { workflow_id: introduced.workflowId ?? '' } }),
    },
    session: { call: 'requestUpload', change: (text) => text.toLowerCase() },
    key: {
      call: 'requestUpload',
      facts: (pair) => ({ ...uploadFacts(pair), key: undefined }),
      change: (key) => key.split('/').slice(2).join('/'),
    },
    document: {
      call: 'confirmUpload',
      facts({ introduced }) {
        const upload = sessions.get(introduced.roles.session)
        return upload ? uploadFacts(upload) : {}
      },
    },
    uploadUrl: {
      call: 'requestUpload',
      facts: uploadFacts,
      change: (url) => new URL(url).pathname + new URL(url).search,
    },
  }
  const roles = Object.keys(sources) as (keyof typeof sources)[]
  const made = [
    ['tenant', tenantTemplate(tenantsIn(pairs), tenantsIn([...pairs, ...probes]))] as const,
    ...roles.map((role) => [role, identifierTemplate(pairs, role, sources[role])] as const),
  ]
  return Object.fromEntries(
    made.flatMap(([name, template]): [string, Json][] =>
      template === undefined ? [] : [[name, name === 'uploadUrl' ? spelledForUrls(template) : template]],
    ),
  )
}

/** Returns the names of tenants in storage keys. */
function tenantsIn(pairs: readonly LearnedPair[]): string[] {
  const keys = pairs.flatMap(({ introduced: { call, roles } }) => (call === 'requestUpload' ? (roles.key ?? []) : []))
  return [...new Set(keys.flatMap((key) => (key.startsWith('tenants/') ? (key.split('/')[1] ?? []) : [])))]
}

/**
 * Makes the template of a tenant's name in storage keys, from the only tenant of a session and those of others. Returns undefined if
 * names are like the mock's own, or if the session has several: then they belong to its uploads.
 */
function tenantTemplate([own = '', ...more]: readonly string[], all: readonly string[]): Json | undefined {
  if (own === '' || more.length > 0 || /^[\da-f]{32}$/.test(own)) return undefined
  const now = new Date(0).toISOString()
  const samples = all.map((value) => ({ facts: { now }, value, items: [], thing: value, at: 0 }))
  return (samples.length > 1 ? textTemplate(samples) : undefined) ?? inFormOf(own)
}

/** Encodes the facts of an address: names without special characters do not show whether they are encoded. */
function spelledForUrls(template: Json): Json {
  if (template === null || typeof template !== 'object') return template
  if (Array.isArray(template)) return template.map((part) => spelledForUrls(part as Json))
  if ('$' in template && !('as' in template)) return { ...template, as: template.$ === '/key' ? 'path' : 'encoded' }
  return Object.fromEntries(Object.entries(template).map(([name, member]) => [name, spelledForUrls(member as Json)]))
}
