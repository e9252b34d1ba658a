/** The documents of a run: their uploads, the answers of storage and of the service, and their identifiers. */
import type { Body } from '../../src/contract/operations.ts'
import type { LocatorName } from '../../src/profile/profile.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import {
  type Identifier,
  identifiersInLinks,
  isIdentifier,
  type Located,
  memberCalled,
  membersOf,
  normalizeName,
  parentOf,
  valueAt,
  withoutRepeats,
} from '../reading/locate.ts'
import { storageKeyIn } from '../reading/storage-key.ts'
import { isNamed, mentionsRole, termsOf } from '../reading/vocabulary.ts'
import { describeAnswer, type Exchange, succeeded, succeededLike, Undecided } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import { type Evidence, resultIfSucceeded, sentBody } from './evidence.ts'
import { Broken, Refused } from './failures.ts'
import { namedDocuments, otherIdentifiers, placedIn } from './identifiers.ts'
import { locatedBy } from './locators.ts'
import { show } from './show.ts'
import { reach } from './workflows.ts'

export type SentUpload = Body<'requestUpload'>

/** An accepted upload request with its upload URL and session. */
export interface RequestedUpload {
  readonly sent: SentUpload
  readonly exchange: Recorded
  readonly uploadUrl: string
  readonly sessionId: string
  /** The session identifier with its original type, for the confirmation. */
  readonly sentBack: unknown
}

/** Returns the upload of a document, read by the member names of section 2. */
export function requested(evidence: Evidence, which: 1 | 2): RequestedUpload {
  return evidence.once(`requested ${which}`, () => {
    reach(evidence)
    return uploadOf(evidence, `request upload ${which}`)
  })
}

/** Returns the upload that a step has requested. Throws `Broken` if the answer has no upload URL or no session. */
export function uploadOf(evidence: Evidence, step: StepName): RequestedUpload {
  const exchange = evidence.accepted(step)
  const uploadUrl = fieldIn(evidence, exchange, 'upload_url')?.value
  if (typeof uploadUrl !== 'string' || !/^https?:\/\/[^\s]+$/i.test(uploadUrl) || !URL.canParse(uploadUrl)) {
    throw new Broken(
      'upload.answers-upload-url',
      'fail',
      `${describeAnswer(exchange)}, but ${notAddress(exchange, uploadUrl)}`,
      'outcome',
      { exchange, shown: uploadUrl },
    )
  }
  const sessionId = fieldIn(evidence, exchange, 'session_id')?.value
  if (sessionId === undefined || sessionId === null || sessionId === '') {
    throw new Broken(
      'upload.answers-session-id',
      'fail',
      `${describeAnswer(exchange)}, but session_id is ${show(sessionId)}`,
      'outcome',
      { exchange, shown: sessionId },
    )
  }
  return {
    sent: sentBody<SentUpload>(exchange),
    exchange,
    uploadUrl,
    sessionId: String(sessionId),
    sentBack: sessionId,
  }
}

/** The requirement of each documented member of the upload answer. */
const documentedIn: Readonly<Record<'upload_url' | 'session_id', RequirementId>> = {
  upload_url: 'upload.answers-upload-url',
  session_id: 'upload.answers-session-id',
}

/** Returns one of the two documented members of the upload answer. The spelling must be exact. */
export function fieldIn(
  { settings }: Evidence,
  { json }: Exchange,
  name: 'upload_url' | 'session_id',
): Located | undefined {
  const locator = settings.profile.locators?.[name]
  return locator === undefined ? memberCalled(json, name) : locatedBy(name, locator, json, documentedIn[name])
}

/** Returns the place of a document's storage key, in the upload answer or in the upload URL. */
export function keyPlace(evidence: Evidence, which: 1 | 2): Located {
  return evidence.once(`key ${which}`, () => keyOf(evidence, requested(evidence, which)))
}

/** Returns a document's storage key. */
export function storageKey(evidence: Evidence, which: 1 | 2): string {
  return String(keyPlace(evidence, which).value)
}

/** Returns the place of an upload's storage key. Throws `Broken` if it is in neither. */
export function keyOf({ settings }: Evidence, { exchange, uploadUrl, sent }: RequestedUpload): Located {
  const name: LocatorName = 'key'
  const locator = settings.profile.locators?.[name]
  if (locator !== undefined) return locatedBy(name, locator, exchange.json, 'completed-file.key')
  const found = storageKeyIn(exchange.json, uploadUrl, sent.file_name)
  if (found) return found
  const message = 'Neither the upload answer nor upload_url shows a storage key. Set locators.key in the profile'
  throw new Broken('completed-file.key', 'inconclusive', message)
}

/** Returns storage's 2xx answer to the PUT of a document. */
export function stored(evidence: Evidence, which: 1 | 2): Recorded {
  return evidence.once(`stored ${which}`, () => {
    requested(evidence, which)
    return putOf(evidence, `put object ${which}`)
  })
}

/** Returns the answer to a PUT that a step has sent. Throws `Broken` if storage gave no answer, and `Refused` if it refused. */
export function putOf(evidence: Evidence, step: StepName): Recorded {
  try {
    const exchange = evidence.last(step)
    if (exchange.status < 200 || exchange.status > 299) throw new Refused(step, exchange)
    return exchange
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    // One check reports that storage is unreachable, and all others are blocked by it.
    throw new Broken('storage.put-to-upload-url', 'inconclusive', error.message.replace(/\.$/, ''))
  }
}

/** Returns the body that confirms an upload. */
export function confirmationOf(evidence: Evidence, upload: RequestedUpload): Body<'confirmUpload'> {
  return {
    session_id: upload.sentBack as string,
    completed_files: [{ key: String(keyOf(evidence, upload).value), file_name: upload.sent.file_name }],
  }
}

/** The labels of the requests in 'confirm upload 1' that find out whether time or a second call made the difference. */
export const aboutSpare = {
  request: 'a spare upload',
  put: 'a spare object',
  first: 'the first confirmation of a spare upload',
  second: 'the second confirmation of a spare upload',
} as const

/** The label of a confirmation with a session that does not exist. */
export const unknownSession = 'an unknown session'

/** Returns the answer to the confirmation of a document. */
export function confirmed(evidence: Evidence, which: 1 | 2): Recorded {
  return evidence.once(`confirmed ${which}`, () => {
    stored(evidence, which)
    storageKey(evidence, which)
    const step = `confirm upload ${which}` as const
    if (which === 2) {
      const early = carriedOutEarly(evidence)
      if (early) return early
    }
    const tries = evidence.all(step).filter((answer) => answer.label?.about === undefined)
    const exchange = tries.at(-1) ?? evidence.last(step)
    if (!succeeded(exchange)) throw new Refused(step, exchange)
    if (tries.length > 1) mustNotNeedTwoCalls(evidence, step)
    return exchange
  })
}

/** Returns the answer to the confirmation of document 2 without the key, if the deployment carried it out. */
export function carriedOutEarly(evidence: Evidence): Recorded | undefined {
  const early = evidence.last('confirm upload 2 without key')
  return succeededLike(early, confirmed(evidence, 1)) ? early : undefined
}

function mustNotNeedTwoCalls(evidence: Evidence, step: StepName): void {
  const [first, second] = [evidence.about(step, aboutSpare.first), evidence.about(step, aboutSpare.second)]
  if (!first || succeeded(first) || !second || !succeeded(second)) return
  const message = `${describeAnswer(first)} to the confirmation of an upload that had been stored for a while, but accepted the same call when it was repeated at once`
  throw new Broken('flow.request-put-confirm', 'fail', message, 'outcome', { exchange: first })
}

/** Returns candidates for a document's identifier, the likeliest first: from both answers, or else the session or the key. */
export function documentIdentifiers(evidence: Evidence, which: 1 | 2): Located[] {
  return evidence.once(`identifiers ${which}`, () => {
    const confirmation = confirmed(evidence, which)
    const { sessionId, sent } = requested(evidence, which)
    const locator = evidence.settings.profile.locators?.document_id
    if (locator !== undefined) {
      return [locatedBy('document_id', locator, confirmation.json, 'flow.document-id-refers-to-upload')]
    }
    const key = storageKey(evidence, which)
    // In the object's URL, the key may follow a bucket called documents.
    const known = new Set([sessionId, key, 'tenants', sent.file_name, sent.content_type, String(sent.file_size)])
    const answers = answersOf(evidence, which)
    const candidates = withoutRepeats([
      ...answers.flatMap(([name, answer]) => placedIn(name, namedDocuments(answer), known)),
      { pointer: 'upload/session_id', name: 'session_id', value: sessionId },
      ...answers.flatMap(([name, answer]) => placedIn(name, otherIdentifiers(answer), known)),
      { pointer: 'upload/key', name: 'key', value: key },
      ...distinguishing(evidence, which, known),
    ])
    // A value that another document shares is the least likely to be an identifier.
    const shared = sharedWithAnother(evidence, which)
    return candidates.sort((a, b) => Number(shared.has(placed(a))) - Number(shared.has(placed(b))))
  })
}

/** Returns texts and whole numbers that differ from those at the same place in the other document's confirmation. */
function distinguishing(evidence: Evidence, which: 1 | 2, known: ReadonlySet<string>): Located[] {
  const other = resultIfSucceeded(() => confirmed(evidence, which === 1 ? 2 : 1))
  if (!other) return []
  const differing = membersOf(confirmed(evidence, which).json).filter(({ pointer, value }) => {
    const theirs = valueAt(other.json, pointer)
    return isIdentifier(value) && isIdentifier(theirs) && typeof value === typeof theirs && value !== theirs
  })
  // Dates and addresses differ too, but are not identifiers; URNs and names of resources, such as `documents/7`, are.
  return placedIn('confirm', differing, known).filter(({ value }) => !/^\d{4}-\d\d|^[a-z]+:\/\//i.test(String(value)))
}

/** Returns values that are also at the same place in the other document's answers, and are not called a document's. */
function sharedWithAnother(evidence: Evidence, which: 1 | 2): Set<string> {
  const answers = resultIfSucceeded(() => answersOf(evidence, which === 1 ? 2 : 1)) ?? []
  const found = answers.flatMap(([name, answer]) =>
    placedIn(name, [...namedDocuments(answer), ...otherIdentifiers(answer)], new Set()),
  )
  const isNamed = ({ name }: Located) => normalizeName(name).includes('doc') || normalizeName(name).includes('file')
  return new Set(found.filter((one) => !isNamed(one)).map(placed))
}

/**
 * Returns true if the answers of the upload flow call a value a document's: in its path, by a member beside it, such as
 * a type, or in a URL.
 */
export function isCalledDocument(evidence: Evidence, which: 1 | 2, value: unknown): boolean {
  return answersOf(evidence, which).some(([, { headers, json }]) => {
    const isSame = (one: Located) => String(one.value) === String(value)
    const parent = ({ pointer }: Located) => valueAt(json, parentOf(pointer))
    const isOfType = (one: Located) =>
      Object.values(parent(one) ?? {}).some((beside) => typeof beside === 'string' && isNamed(beside, 'document'))
    const places = membersOf(json).filter(isSame)
    return (
      places.some((one) => mentionsRole(one.pointer.split('/').flatMap(termsOf), 'document') || isOfType(one)) ||
      identifiersInLinks(headers, json, 'documents|files').some(isSame)
    )
  })
}

/** Returns the value at the place of a document's identifier in the answers to another upload. */
export function namedAt(place: string, confirmation: Exchange, request: Exchange): Identifier['value'] | undefined {
  const [name = '', ...steps] = place.split('/')
  const pointer = ['', ...steps].join('/')
  const answers: Readonly<Record<string, Exchange>> = { confirm: confirmation, upload: request }
  const value = valueAt(answers[name]?.json, pointer)
  return isIdentifier(value) ? value : undefined
}

/** Returns the answers that may contain the document's identifier, by call. */
function answersOf(evidence: Evidence, which: 1 | 2) {
  return [
    ['confirm', confirmed(evidence, which)] as const,
    ['upload', evidence.last(`request upload ${which}`)] as const,
  ]
}

/** Formats a value with its place in the answers. */
const placed = ({ pointer, value }: Located) => `${pointer} ${value}`

function notAddress({ json }: Exchange, uploadUrl: unknown): string {
  if (json === undefined) return 'its body is not JSON'
  return uploadUrl === undefined
    ? 'upload_url is missing'
    : `upload_url is ${show(uploadUrl)}, not an http or https URL`
}
