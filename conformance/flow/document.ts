import type { Body } from '../../src/contract/operations.ts'
import { confirmBroken, mustNotNeedTwoCalls, putBroken, requestBroken } from '../diagnosis/uploads.ts'
import { Broken } from '../judging/check.ts'
import {
  distinct,
  identifierCandidates,
  identifiersInHeaders,
  identifiersInLinks,
  type Located,
  memberCalled,
  suffixedIdentifiers,
  unnamedIdentifiers,
} from '../reading/locate.ts'
import { locatedBy } from '../reading/profile.ts'
import { isCalledKey, storageKeyIn } from '../reading/storage-key.ts'
import { cut } from '../report/inert.ts'
import { type Exchange, label, plainText, succeeded, succeededLike, Undecided } from '../wire/exchange.ts'
import type { Flow } from './flow.ts'

/** An upload that was answered with an address and a session. */
export interface RequestedUpload {
  readonly uploadUrl: string
  readonly sessionId: string
  /** The session identifier as it was answered, whatever its type. */
  readonly sentBack: unknown
}

type Confirmation = Body<'confirmUpload'>

/** One document's way through the upload flow; each step is taken once. */
export class Document {
  readonly #flow: Flow
  readonly #number: number
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sent: Body<'requestUpload'>

  constructor(flow: Flow, number: number) {
    this.#flow = flow
    this.#number = number
    this.bytes = flow.samples.pdf(number)
    this.sent = flow.samples.upload(this.bytes.byteLength)
  }

  /** The answer to asking for an upload URL, whatever it is. */
  asked = () => this.#once('asked', async () => ({ exchange: await this.#flow.target.requestUpload(this.sent) }))

  /** The address and the session of the upload, under the names that section 2 gives them. */
  requested = (): Promise<RequestedUpload> =>
    this.#once('requested', async () => {
      await this.#flow.reach()
      const { exchange } = await this.asked()
      if (!succeeded(exchange)) throw await requestBroken(this.#flow, exchange, this.sent.file_size)
      const uploadUrl = this.#field(exchange, 'upload_url')
      const sessionId = this.#field(exchange, 'session_id')
      if (typeof uploadUrl !== 'string' || !/^https?:\/\/[^\s]+$/i.test(uploadUrl) || !URL.canParse(uploadUrl)) {
        throw new Broken(
          'upload.answers-upload-url',
          'fail',
          `${label(exchange)}, and ${notAddress(exchange, uploadUrl)}`,
        )
      }
      if (sessionId === undefined || sessionId === null || sessionId === '') {
        throw new Broken('upload.answers-session-id', 'fail', `session_id is ${show(sessionId)}`)
      }
      return { uploadUrl, sessionId: String(sessionId), sentBack: sessionId }
    })

  /** The storage key: in the upload answer, or else in the upload URL. */
  key = (): Promise<string> =>
    this.#once('key', async () => {
      const { uploadUrl } = await this.requested()
      const { exchange } = await this.asked()
      const locator = this.#flow.profile.locators?.key
      const found =
        locator === undefined
          ? storageKeyIn(exchange.json, uploadUrl, this.sent.file_name)
          : locatedBy('key', locator, exchange.json, 'completed-file.key')
      if (!found) {
        const message = 'Neither the upload answer nor upload_url shows a storage key; set locators.key in a profile'
        throw new Broken('completed-file.key', 'inconclusive', message)
      }
      this.#flow.located.key ??= found.pointer
      return String(found.value)
    })

  /** The answer of storage to the PUT, whatever 2xx it is. */
  stored = (): Promise<Exchange> =>
    this.#once('stored', async () => {
      const { uploadUrl } = await this.requested()
      // Another upload is open by then, so that one that only the latest can be stored for shows.
      if (this.#number === 1)
        await this.#flow
          .document(2)
          .requested()
          .catch(() => {})
      const put = () => this.#flow.target.putObject(uploadUrl, this.sent.content_type, this.bytes)
      // Object storage answers 503 where it wants to be asked a little later; a PUT may be repeated.
      const exchange = await this.#flow.settling.until(put, ({ status }) => status !== 503).catch(putUndecided)
      if (exchange.status < 200 || exchange.status > 299) throw await putBroken(this.#flow, this, exchange)
      return exchange
    })

  /** The body that confirms this upload. */
  confirmation = async (): Promise<Confirmation> => {
    const { sentBack } = await this.requested()
    return {
      session_id: sentBack as string,
      completed_files: [{ key: await this.key(), file_name: this.sent.file_name }],
    }
  }

  /** Confirms without the key. */
  confirmWithoutKey = async (): Promise<Exchange> => {
    await this.stored()
    return this.#flow.target.confirmUpload(await this.confirmation(), { headers: {} })
  }

  /** The answer to confirming without the key, before it is confirmed with it. */
  confirmedWithoutKey = () => this.#once('confirmed without key', this.confirmWithoutKey)

  /** The answer to confirming. */
  confirmed = (): Promise<Exchange> =>
    this.#once('confirmed', async () => {
      await this.stored()
      const body = await this.confirmation()
      // Another file is stored by then, so that one that takes its place, or alone can be confirmed, shows.
      if (this.#number === 1)
        await this.#flow
          .document(2)
          .stored()
          .catch(() => {})
      if (this.#number === 2) {
        const early = await this.confirmedWithoutKey()
        if (succeededLike(early, await this.#flow.document(1).confirmed())) return early
      }
      const { target, settling } = this.#flow
      const begun = target.transport.time.now()
      let tries = 0
      const exchange = await settling.untilKnown(() => {
        tries += 1
        return target.confirmUpload(body)
      })
      if (!succeeded(exchange)) throw await confirmBroken(this.#flow, exchange, body)
      if (tries > 1 && this.#number === 1) {
        await mustNotNeedTwoCalls(this.#flow, target.transport.time.now() - begun)
      }
      return exchange
    })

  /** What may name the document, the likeliest first: in the answers to confirming and asking, or else session or key. */
  identifiers = async (): Promise<Located[]> => {
    const confirmed = await this.confirmed()
    const { sessionId } = await this.requested()
    const locator = this.#flow.profile.locators?.document_id
    if (locator !== undefined) {
      return [locatedBy('document_id', locator, confirmed.json, 'flow.document-id-refers-to-upload')]
    }
    const key = await this.key()
    // In an address of the object, its key may stand behind a bucket called documents.
    const sent = new Set([sessionId, key, 'tenants', this.sent.file_name, this.sent.content_type])
    const answers = await this.#answers()
    const candidates = distinct([
      ...answers.flatMap(([name, answer]) => pointedFrom(name, namedDocuments(answer), sent)),
      { pointer: 'upload/session_id', name: 'session_id', value: sessionId },
      ...answers.flatMap(([name, answer]) =>
        pointedFrom(name, unnamedIdentifiers(answer.json).filter(isNoAddress), sent),
      ),
      { pointer: 'upload/key', name: 'key', value: key },
    ])
    // What has named another document of the run names this one; what is the same for another is the likeliest of none.
    const { document_id: proven } = this.#flow.located
    const shared = await this.#sharedWithAnother()
    const rank = (one: Located) => (shared.has(placed(one)) ? 2 : one.pointer === proven ? 0 : 1)
    return candidates.sort((a, b) => rank(a) - rank(b))
  }

  /** Values that stand at the same place of another document's answers too, and are not called a document's. */
  async #sharedWithAnother(): Promise<Set<string>> {
    const other = this.#flow.document(this.#number === 1 ? 2 : 1)
    const answers = await other.#answers().catch(() => [])
    const found = answers.flatMap(([name, answer]) =>
      pointedFrom(name, [...namedDocuments(answer), ...unnamedIdentifiers(answer.json)], new Set()),
    )
    return new Set(found.filter(({ name }) => !/doc|file/i.test(name)).map(placed))
  }

  /** The answers that may name the document, by what was asked. */
  async #answers() {
    return [['confirm', await this.confirmed()] as const, ['upload', (await this.asked()).exchange] as const]
  }

  #once<T>(step: string, take: () => Promise<T>): Promise<T> {
    return this.#flow.once(`document ${this.#number} ${step}`, take)
  }

  #field({ json }: Exchange, name: 'upload_url' | 'session_id'): unknown {
    const locator = this.#flow.profile.locators?.[name]
    // The document names these two, so another spelling is another field.
    const by = name === 'upload_url' ? 'upload.answers-upload-url' : 'upload.answers-session-id'
    const found = locator === undefined ? memberCalled(json, name) : locatedBy(name, locator, json, by)
    if (found) this.#flow.located[name] ??= found.pointer
    return found?.value
  }
}

/** What an answer calls a document's identifier, in its body, in links and in headers. */
function namedDocuments(answer: Exchange): Located[] {
  const { headers, json } = answer
  const suffixed = suffixedIdentifiers(json)
  return [
    ...identifierCandidates(json, 'document').filter(({ name }) => /^doc/i.test(name)),
    ...suffixed.filter(({ name }) => /^doc/i.test(name)),
    ...identifierCandidates(json, 'document'),
    ...identifierCandidates(json, 'file'),
    ...suffixed.filter(({ name }) =>
      /^(asset|object|attachment|upload|content|media|record|item|version)_?id$/i.test(name),
    ),
    ...identifiersInLinks(headers, json, 'documents|files'),
    ...identifiersInHeaders(headers, 'document'),
    ...identifierCandidates(plainText(answer), 'document'),
  ]
}

/** A value and its place in the answers. */
const placed = ({ pointer, value }: Located) => `${pointer} ${value}`

/** Whether a text is neither a path nor an address. */
function isNoAddress({ value }: Located): boolean {
  return !/[/:]/.test(String(value))
}

/** Without storage keys and what was sent, and with the name of the answer before each pointer into its body. */
function pointedFrom(answer: string, found: readonly Located[], sent: ReadonlySet<string>): Located[] {
  return found
    .filter(({ name, value }) => !isCalledKey(name) && !sent.has(String(value)))
    .map((one) => ({ ...one, pointer: one.pointer.startsWith('/') ? answer + one.pointer : one.pointer }))
}

/** One check says why nothing could be put, and all others wait for it. */
function putUndecided(error: unknown): never {
  if (!(error instanceof Undecided)) throw error
  throw new Broken('storage.put-to-upload-url', 'inconclusive', error.message.replace(/\.$/, ''))
}

function notAddress({ json }: Exchange, uploadUrl: unknown): string {
  if (json === undefined) return 'its body is no JSON'
  return uploadUrl === undefined ? 'upload_url is missing' : `upload_url is ${show(uploadUrl)}, not an http address`
}

function show(value: unknown): string {
  return value === undefined ? 'missing' : cut(JSON.stringify(value), 100)
}
