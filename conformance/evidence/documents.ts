/** The documents of a run: their uploads, what storage and the service answered, and what names them. */
import type { Body } from '../../src/contract/operations.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import {
  at,
  bare,
  distinct,
  type Identifier,
  identifiersInLinks,
  isIdentifier,
  type Located,
  memberCalled,
  membersOf,
} from '../reading/locate.ts'
import type { LocatorName } from '../reading/profile.ts'
import { storageKeyIn } from '../reading/storage-key.ts'
import { isNamed, mention, termsOf } from '../reading/vocabulary.ts'
import { type Exchange, label, succeeded, succeededLike, Undecided } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import { type Evidence, ifCameAbout, sentBody } from './evidence.ts'
import { Broken, Refused } from './failures.ts'
import { namedDocuments, otherIdentifiers, placedIn } from './identifiers.ts'
import { locatedBy } from './locators.ts'
import { show } from './show.ts'
import { reach } from './workflows.ts'

export type SentUpload = Body<'requestUpload'>

/** An upload that was answered with an address and a session. */
export interface RequestedUpload {
  readonly sent: SentUpload
  readonly exchange: Recorded
  readonly uploadUrl: string
  readonly sessionId: string
  /** The session as it was answered, to be sent back as it is. */
  readonly sentBack: unknown
}

/** Returns the upload that was requested for a document, under the names that section 2 gives its members. */
export function requested(evidence: Evidence, which: 1 | 2): RequestedUpload {
  return evidence.once(`requested ${which}`, () => {
    reach(evidence)
    return uploadOf(evidence, `request upload ${which}`)
  })
}

/** Returns the upload that a step has requested. Throws `Broken` if the answer lacks its address or its session. */
export function uploadOf(evidence: Evidence, step: StepName): RequestedUpload {
  const exchange = evidence.accepted(step)
  const uploadUrl = fieldIn(evidence, exchange, 'upload_url')?.value
  if (typeof uploadUrl !== 'string' || !/^https?:\/\/[^\s]+$/i.test(uploadUrl) || !URL.canParse(uploadUrl)) {
    throw new Broken('upload.answers-upload-url', 'fail', `${label(exchange)}, and ${notAddress(exchange, uploadUrl)}`)
  }
  const sessionId = fieldIn(evidence, exchange, 'session_id')?.value
  if (sessionId === undefined || sessionId === null || sessionId === '') {
    throw new Broken('upload.answers-session-id', 'fail', `session_id is ${show(sessionId)}`)
  }
  return {
    sent: sentBody<SentUpload>(exchange),
    exchange,
    uploadUrl,
    sessionId: String(sessionId),
    sentBack: sessionId,
  }
}

/** The requirement that says that the answer has a member. */
const documentedIn: Readonly<Record<'upload_url' | 'session_id', RequirementId>> = {
  upload_url: 'upload.answers-upload-url',
  session_id: 'upload.answers-session-id',
}

/** Returns one of the two members that the document names. Another spelling of it is another member. */
export function fieldIn(
  { settings }: Evidence,
  { json }: Exchange,
  name: 'upload_url' | 'session_id',
): Located | undefined {
  const locator = settings.profile.locators?.[name]
  return locator === undefined ? memberCalled(json, name) : locatedBy(name, locator, json, documentedIn[name])
}

/** Returns the place of a document's storage key: in the answer to asking for the upload, or in the upload URL. */
export function keyPlace(evidence: Evidence, which: 1 | 2): Located {
  return evidence.once(`key ${which}`, () => keyOf(evidence, requested(evidence, which)))
}

/** Returns a document's storage key. */
export function storageKey(evidence: Evidence, which: 1 | 2): string {
  return String(keyPlace(evidence, which).value)
}

/** Returns the place of an upload's storage key. Throws `Broken` if nothing shows it. */
export function keyOf({ settings }: Evidence, { exchange, uploadUrl, sent }: RequestedUpload): Located {
  const name: LocatorName = 'key'
  const locator = settings.profile.locators?.[name]
  if (locator !== undefined) return locatedBy(name, locator, exchange.json, 'completed-file.key')
  const found = storageKeyIn(exchange.json, uploadUrl, sent.file_name)
  if (found) return found
  const message = 'Neither the upload answer nor upload_url shows a storage key; set locators.key in a profile'
  throw new Broken('completed-file.key', 'inconclusive', message)
}

/** Returns the answer of storage to a document's PUT, whatever 2xx it is. */
export function stored(evidence: Evidence, which: 1 | 2): Recorded {
  return evidence.once(`stored ${which}`, () => {
    requested(evidence, which)
    return putOf(evidence, `put object ${which}`)
  })
}

/** Returns the answer to a PUT that a step has sent. Throws `Broken` if storage could not be asked, and `Refused` if it refused. */
export function putOf(evidence: Evidence, step: StepName): Recorded {
  try {
    const exchange = evidence.last(step)
    if (exchange.status < 200 || exchange.status > 299) throw new Refused(step, exchange)
    return exchange
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    // One check says why nothing could be put, and all others wait for it.
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

/** What the requests of 'confirm upload 1' are about that find out whether time or a second call made the difference. */
export const aboutSpare = {
  request: 'a spare upload',
  put: 'a spare object',
  first: 'the first confirmation of a spare upload',
  second: 'the second confirmation of a spare upload',
} as const

/** Returns the answer to confirming a document. */
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

/** Returns the answer to confirming document 2 without the key, if that was carried out like confirming it with the key. */
export function carriedOutEarly(evidence: Evidence): Recorded | undefined {
  const early = evidence.last('confirm upload 2 without key')
  return succeededLike(early, confirmed(evidence, 1)) ? early : undefined
}

function mustNotNeedTwoCalls(evidence: Evidence, step: StepName): void {
  const [first, second] = [evidence.about(step, aboutSpare.first), evidence.about(step, aboutSpare.second)]
  if (!first || succeeded(first) || !second || !succeeded(second)) return
  const message = `${label(first)} to an upload that was stored a while before; sent again at once, the call is accepted`
  throw new Broken('flow.request-put-confirm', 'fail', message)
}

/** Returns what may name a document, the likeliest first: in the answers to confirming and asking, or else session or key. */
export function documentIdentifiers(evidence: Evidence, which: 1 | 2): Located[] {
  return evidence.once(`identifiers ${which}`, () => {
    const confirmation = confirmed(evidence, which)
    const { sessionId, sent } = requested(evidence, which)
    const locator = evidence.settings.profile.locators?.document_id
    if (locator !== undefined) {
      return [locatedBy('document_id', locator, confirmation.json, 'flow.document-id-refers-to-upload')]
    }
    const key = storageKey(evidence, which)
    // In an address of the object, its key may stand behind a bucket called documents.
    const known = new Set([sessionId, key, 'tenants', sent.file_name, sent.content_type])
    const answers = answersOf(evidence, which)
    const candidates = distinct([
      ...answers.flatMap(([name, answer]) => placedIn(name, namedDocuments(answer), known)),
      { pointer: 'upload/session_id', name: 'session_id', value: sessionId },
      ...answers.flatMap(([name, answer]) => placedIn(name, otherIdentifiers(answer), known)),
      { pointer: 'upload/key', name: 'key', value: key },
      ...distinguishing(evidence, which, known),
    ])
    // What is the same for another document is the likeliest to name none.
    const shared = sharedWithAnother(evidence, which)
    return candidates.sort((a, b) => Number(shared.has(placed(a))) - Number(shared.has(placed(b))))
  })
}

/** Values of any look that differ from what stands at the same place of the other document's confirmation. */
function distinguishing(evidence: Evidence, which: 1 | 2, known: ReadonlySet<string>): Located[] {
  const other = ifCameAbout(() => confirmed(evidence, which === 1 ? 2 : 1))
  if (!other) return []
  const differing = membersOf(confirmed(evidence, which).json).filter(({ pointer, value }) => {
    const theirs = at(other.json, pointer)
    return isIdentifier(value) && isIdentifier(theirs) && typeof value === 'string' && value !== theirs
  })
  // A time differs as well, and names nothing.
  return placedIn('confirm', differing, known).filter(({ value }) => !/^\d{4}-\d\d|[/:]/.test(String(value)))
}

/** Values that stand at the same place of another document's answers too, and are not called a document's. */
function sharedWithAnother(evidence: Evidence, which: 1 | 2): Set<string> {
  const answers = ifCameAbout(() => answersOf(evidence, which === 1 ? 2 : 1)) ?? []
  const found = answers.flatMap(([name, answer]) =>
    placedIn(name, [...namedDocuments(answer), ...otherIdentifiers(answer)], new Set()),
  )
  const isNamed = ({ name }: Located) => bare(name).includes('doc') || bare(name).includes('file')
  return new Set(found.filter((one) => !isNamed(one)).map(placed))
}

/**
 * Whether the answers of the upload flow call a value that of a document: on the way to it, in what stands beside it, such as
 * a type, or in an address.
 */
export function isCalledDocument(evidence: Evidence, which: 1 | 2, value: unknown): boolean {
  return answersOf(evidence, which).some(([, { headers, json }]) => {
    const isSame = (one: Located) => String(one.value) === String(value)
    const parent = ({ pointer }: Located) => at(json, pointer.slice(0, pointer.lastIndexOf('/')))
    const isOfType = (one: Located) =>
      Object.values(parent(one) ?? {}).some((beside) => typeof beside === 'string' && isNamed(beside, 'document'))
    const places = membersOf(json).filter(isSame)
    return (
      places.some((one) => mention(one.pointer.split('/').flatMap(termsOf), 'document') || isOfType(one)) ||
      identifiersInLinks(headers, json, 'documents|files').some(isSame)
    )
  })
}

/** Returns what stands at the place of a document's identifier in the answers to another upload of the same deployment. */
export function namedAt(place: string, confirmation: Exchange, request: Exchange): Identifier['value'] | undefined {
  const [name = '', ...steps] = place.split('/')
  const pointer = ['', ...steps].join('/')
  const answers: Readonly<Record<string, Exchange>> = { confirm: confirmation, upload: request }
  const value = at(answers[name]?.json, pointer)
  return isIdentifier(value) ? value : undefined
}

/** The answers that may name the document, by the call. */
function answersOf(evidence: Evidence, which: 1 | 2) {
  return [
    ['confirm', confirmed(evidence, which)] as const,
    ['upload', evidence.last(`request upload ${which}`)] as const,
  ]
}

/** A value and its place in the answers. */
const placed = ({ pointer, value }: Located) => `${pointer} ${value}`

function notAddress({ json }: Exchange, uploadUrl: unknown): string {
  if (json === undefined) return 'its body is no JSON'
  return uploadUrl === undefined ? 'upload_url is missing' : `upload_url is ${show(uploadUrl)}, not an http address`
}
