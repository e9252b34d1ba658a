/** Sends a recorded session to a deployment, and compares what becomes of each call. */

import { operations } from '../../src/contract/operations.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { type DataUse, followData, withValues } from '../../src/session/data-flow.ts'
import { jsonLeaves } from '../../src/session/leaves.ts'
import { SoundAnswers } from '../learning/sound-answers.ts'
import type { HarSession } from '../session/read-har.ts'
import { type Exchange, succeeded, Undecided } from '../wire/exchange.ts'
import { noServiceIn } from '../wire/no-service.ts'
import { recordOf } from '../wire/record.ts'
import { Secrets } from '../wire/secrets.ts'
import { Target, type TargetOptions } from '../wire/target.ts'
import { changedAddress } from './changed-address.ts'
import { discoverPlaces } from './discover.ts'
import { type KeyUse, keyUses } from './key-use.ts'
import { describeOutcome, isPending, outcomeOf } from './outcome.ts'
import { Reader } from './reader.ts'
import { recordedSides } from './recorded.ts'
import { type ReplayedCall, type ReplayResult, verdictOn } from './result.ts'
import { callsOf, roleAt, type SessionCall } from './turns.ts'
import { fileOfSize, replacedDigests } from './upload-body.ts'

export interface ReplayOptions extends TargetOptions {
  readonly session: HarSession
  readonly profile?: Profile
  /** Notes for the reader of the report. @default none */
  readonly notes?: readonly string[]
  /** Called after each call. */
  readonly onCall?: (call: ReplayedCall) => void
}

/** A call that cannot be sent, because the session does not say how. */
class Unsendable extends Error {}

/** The calls that a deployment may refuse for a while, until the calls before them have settled. */
const settlingCalls = ['getWorkflow', 'executeWorkflow', 'confirmUpload']

/** The pause before a call is sent again, in milliseconds. It doubles each time. */
const firstPause = 100

/**
 * Sends a session to a deployment, call by call, with the deployment's own identifiers. Throws `Undecided` if nothing answers.
 */
export async function replay(options: ReplayOptions): Promise<ReplayResult> {
  const startedAt = new Date().toISOString()
  const { headers, ...profile } = options.profile ?? {}
  const replaying = new Replay({ ...options, profile, headers: { ...headers, ...options.headers } })
  const { target, secrets } = replaying
  const begun = target.transport.time.now()
  await target.send(new Request(`${options.url}/api/v1/workflows/countersign-probe`))
  const calls = await replaying.run()
  const leftBehind = [...target.leftBehind, ...replaying.discovery.leftBehind]
  const wasAccepted = options.session.exchanges.some(succeeded)
  const noService = wasAccepted ? noServiceIn(target.transport.log) : undefined
  return {
    url: secrets.keys.text(options.url),
    recordedAt: options.session.base,
    startedAt,
    durationMs: Math.round(target.transport.time.now() - begun),
    verdict: options.signal?.aborted ? 'could-not-run' : noService?.refusesKey ? 'undecided' : verdictOn(calls),
    calls,
    leftOut: options.session.leftOut,
    leftBehind: secrets.redactor.deep(leftBehind),
    requests: target.transport.sent + replaying.discovery.sent,
    notes: secrets.redactor.deep([
      ...(options.notes ?? []),
      ...replaying.notes,
      ...(noService ? [`${noService.why}.`] : []),
    ]),
  }
}

/** Returns the calls of a session as they were recorded, for comparing them. */
export function recordedCalls(session: HarSession): ReplayedCall[] {
  const write = recordedSides(session.exchanges)
  return callsOf(session.exchanges).map((call) => ({ ...aboutCall(call, write(call.exchange)), outcome: 'same' }))
}

function aboutCall({ name, call, exchange }: SessionCall, recorded: ReplayedCall['recorded']) {
  return { name, call, was: outcomeOf(exchange), before: describeOutcome(exchange), recorded }
}

class Replay {
  readonly target: Target
  readonly secrets: Secrets
  readonly notes: string[] = []
  discovery: { readonly sent: number; readonly leftBehind: readonly string[] } = { sent: 0, leftBehind: [] }
  readonly #options: ReplayOptions
  readonly #calls: readonly SessionCall[]
  readonly #uses: readonly (readonly DataUse[])[]
  readonly #reader: Reader
  readonly #keyOf: (call: SessionCall) => KeyUse
  readonly #recorded: ReturnType<typeof recordedSides>
  /** The deployment's answers that were a success, by the index of the call. */
  readonly #answers = new Map<number, Exchange>()
  /** The files that are made up, by the index of the call. */
  readonly #files = new Map<number, Uint8Array<ArrayBuffer>>()
  /** Texts that are replaced everywhere: the digests of files that are made up. */
  readonly #replaced = new Map<string, string>()
  /** The indexes of the workflows that have another name here. */
  readonly #renamed = new Set<number>()
  /** The reasons why calls were not sent, by the index of the call. Calls that use their answers have the same. */
  readonly #unsent = new Map<number, string>()
  /** Recognizes refusals that have a status of success. */
  readonly #sound = new SoundAnswers()
  /** The milliseconds that may still be waited for calls of a kind. */
  readonly #patience = new Map<string, number>()

  constructor(options: ReplayOptions) {
    this.#options = options
    this.target = new Target(options)
    this.secrets = new Secrets(options, this.target.transport)
    this.#calls = callsOf(options.session.exchanges)
    const isIdentifier = (kind: string, pointer: string) => roleAt(kind, pointer) !== undefined
    this.#uses = followData(
      this.#calls.map(({ turn }) => turn),
      { isIdentifier },
    )
    const answerTo = (turn: number) => this.#answers.get(turn)
    this.#reader = new Reader({ calls: this.#calls, uses: this.#uses, profile: options.profile ?? {}, answerTo })
    this.#keyOf = keyUses(this.#calls)
    this.#recorded = recordedSides(options.session.exchanges)
    for (const [index, { call, exchange }] of this.#calls.entries()) {
      if (call === 'putObject') this.#prepareFile(index, exchange)
    }
  }

  async run(): Promise<ReplayedCall[]> {
    const done: ReplayedCall[] = []
    for (const [index, call] of this.#calls.entries()) {
      const replayed = await this.#replay(index, call)
      done.push(replayed)
      this.#options.onCall?.(replayed)
    }
    return done
  }

  async #replay(index: number, call: SessionCall): Promise<ReplayedCall> {
    const { exchange: recorded } = call
    const about = aboutCall(call, this.#recorded(recorded))
    try {
      const answer = await this.#answer(index, call)
      const { redactor } = this.secrets
      const now = redactor.text(describeOutcome(answer))
      const seen = {
        ...about,
        became: outcomeOf(answer),
        now,
        exchange: recordOf(answer, redactor),
        ...(this.#renamed.has(index) && { isRenamed: true as const }),
      }
      if (succeeded(answer)) this.#answers.set(index, answer)
      if (seen.became === about.was) return { ...seen, outcome: 'same' }
      return { ...seen, outcome: 'other', reason: `It was ${about.before}, and is ${now}.` }
    } catch (error) {
      if (!(error instanceof Unsendable || error instanceof Undecided)) throw error
      const reason = this.secrets.redactor.text(error.message)
      this.#unsent.set(index, reason)
      return { ...about, outcome: 'unsent', reason }
    }
  }

  /** Sends a call, and sends it again for as long as an expected success may still come. */
  async #answer(index: number, call: SessionCall): Promise<Exchange> {
    const { exchange: recorded, turn } = call
    let answer = await this.#send(index, call)
    if (!succeeded(recorded)) return answer
    this.#sound.add(nameOf(call), answer)
    const isExpected = (one: Exchange) => this.#sound.isSuccess(nameOf(call), one) && !isPending(one)
    if (isExpected(answer)) return answer
    // The value at the recorded place may be that of something else here.
    if (!this.#reader.places && this.#uses[index]?.some((use) => this.#reader.mayBeElsewhere(use))) {
      await this.#discover()
      answer = await this.#send(index, call)
    }
    if (call.call === 'createWorkflow') {
      const renamed = await this.#underAnotherName(index, call)
      if (!renamed) return answer
      this.notes.push(
        `'${call.name}' was accepted only with another name, since names are unique here and its own is taken.`,
      )
      this.#renamed.add(index)
      return renamed
    }
    if (!settlingCalls.includes(turn.kind)) return answer
    const { transport } = this.target
    let left = this.#patience.get(turn.kind) ?? (this.#options.profile?.settleSeconds ?? 10) * 1000
    for (let pause = firstPause; !isExpected(answer) && pause <= left; pause *= 2) {
      await transport.sleep(pause)
      left -= pause
      answer = await this.#send(index, call)
    }
    this.#patience.set(turn.kind, isExpected(answer) ? left : 0)
    return answer
  }

  /**
   * Creates a workflow that was refused again, under another name. Returns undefined unless its name was taken: the new name must
   * then be taken, too, or the deployment has refused the call for a reason of its own.
   */
  async #underAnotherName(index: number, call: SessionCall): Promise<Exchange | undefined> {
    const suffix = ` ${crypto.randomUUID().slice(0, 8)}`
    const isDone = (one: Exchange) => this.#sound.isSuccess(nameOf(call), one)
    const answer = await this.#send(index, call, suffix)
    if (!isDone(answer)) return undefined
    return isDone(await this.#send(index, call, suffix)) ? undefined : answer
  }

  async #send(index: number, call: SessionCall, suffix = ''): Promise<Exchange> {
    const asked = await this.#asked(index, call)
    const isRenamed = suffix !== ''
    if (isRenamed) rename(asked, suffix)
    const headers = this.#headersOf(call, asked)
    if (call.call === 'putObject') {
      const { url } = asked
      if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
        throw new Unsendable('The deployment gave no address for the upload. Look at its answer to the upload request.')
      }
      return this.target.put(url, headers, this.#files.get(index) ?? new Uint8Array())
    }
    const { method } = call.exchange.request
    const body = method === 'GET' || method === 'HEAD' ? undefined : this.#bodyOf(index, call, asked, isRenamed)
    const address = `${this.#options.url}${this.#pathOf(call, asked)}${queryOf(asked)}`
    return this.target.send(new Request(address, { method, headers, ...(body !== undefined && { body }) }))
  }

  /** Returns a request of the session with the deployment's identifiers. Throws `Unsendable` if some are unknown. */
  async #asked(index: number, call: SessionCall): Promise<Asked> {
    const { turn, exchange } = call
    const uses = this.#uses[index] ?? []
    const read = (use: DataUse) => this.#reader.valueOf(use)
    let { asked, missing } = withValues(turn.asked, uses, read)
    if (!this.#reader.places && missing.some((use) => this.#reader.mayBeElsewhere(use) && this.#isAnswered(use))) {
      await this.#discover()
      ;({ asked, missing } = withValues(turn.asked, uses, read))
    }
    const first = missing.find((use) => this.#reader.isNeeded(use))
    if (first) throw new Unsendable(this.#describeMissing(first))
    if (turn.kind === 'putObject') return { ...(asked as Asked), url: this.#uploadAddress(index, asked as Asked) }
    if (succeeded(exchange)) this.#requireOwn(turn.kind, turn.asked, uses)
    return asked as Asked
  }

  /** Throws `Unsendable` for an identifier of something that the session has not made, unless the deployment is the same. */
  #requireOwn(kind: string, asked: unknown, uses: readonly DataUse[]): void {
    if (this.#options.url === this.#options.session.base) return
    for (const { pointer, value } of jsonLeaves(asked)) {
      const role = roleAt(kind, pointer)
      if (role === undefined || uses.some((use) => use.pointer === pointer)) continue
      throw new Unsendable(
        `It uses the ${names[role]} ${JSON.stringify(value)}, which no earlier answer shows. Record the session from the call that makes it.`,
      )
    }
  }

  /** Returns the address of an upload; if the session has changed its address, with such a change. */
  #uploadAddress(index: number, asked: Asked): string {
    const recorded = this.#calls[index]?.exchange.request.url ?? ''
    if (this.#uses[index]?.some(({ pointer, part }) => pointer === '/url' && part === '')) return String(asked.url)
    for (const [turn, answer] of [...this.#answers].toReversed()) {
      const shown = this.#calls[turn]?.exchange
      if (!shown || turn >= index) continue
      const changed = changedAddress({ shown: shown.json, sent: recorded, now: answer.json })
      if (changed !== undefined) return changed
    }
    throw new Unsendable(
      'No answer of the session shows its address, so it is not known where to send it. Record the request for the upload too.',
    )
  }

  /** Returns true if the deployment has answered the call that introduced a value. */
  #isAnswered({ sources }: DataUse): boolean {
    return sources.some(({ turn }) => this.#answers.has(turn))
  }

  #describeMissing({ value, sources: [source] }: DataUse): string {
    const from = source && this.#calls[source.turn]
    const short = JSON.stringify(value.length > 100 ? `${value.slice(0, 99)}…` : value)
    if (source && from && !this.#answers.has(source.turn)) {
      const reason = this.#unsent.get(source.turn)
      if (reason !== undefined) return reason
      return `It uses ${short} of the call '${from.name}', which did not succeed.`
    }
    return `It uses ${short} of the call '${from?.name}', and the answer here does not show what corresponds to it. Set a locator in a profile.`
  }

  async #discover(): Promise<void> {
    const { session: _, onCall: __, ...options } = this.#options
    const { places, ...discovery } = await discoverPlaces(options)
    this.#reader.places = places
    this.discovery = discovery
    this.notes.push(
      `The deployment shows its identifiers at other places than the recording, so they were looked for with ${discovery.sent} requests.`,
    )
  }

  #headersOf(call: SessionCall, { headers = {} }: Asked): Record<string, string> {
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, this.#withDigests(String(value))]),
    )
    const use = this.#keyOf(call)
    if (use.kind === 'none') return own
    if (use.kind === 'wrong') return { ...own, authorization: `${use.scheme}test_wrong_${'0'.repeat(16)}` }
    const { apiKey, secondKey } = this.#options
    const key = use.index === 0 ? apiKey : use.index === 1 ? secondKey : undefined
    if (key === undefined) {
      throw new Unsendable(
        use.index === 1
          ? 'The recording used a second tenant. Set COUNTERSIGN_API_KEY_2.'
          : `The recording used ${use.index + 1} tenants, but only two keys can be set. Record it with fewer.`,
      )
    }
    return { ...own, authorization: use.scheme + key }
  }

  #bodyOf(index: number, { exchange }: SessionCall, { body }: Asked, isRenamed: boolean): string | undefined {
    const { sent } = exchange
    if (sent === undefined) return undefined
    const isUnchanged = !isRenamed && !this.#uses[index]?.some(({ pointer }) => pointer.startsWith('/body'))
    const text = isUnchanged ? sent : typeof body === 'string' ? body : JSON.stringify(body)
    return this.#withDigests(text)
  }

  #withDigests(text: string): string {
    let replaced = text
    for (const [before, after] of this.#replaced) replaced = replaced.replaceAll(before, after)
    return replaced
  }

  #pathOf({ call, exchange }: SessionCall, { path = {} }: Asked): string {
    if (call === 'other call')
      return exchange.request.url.slice(this.#options.session.base.length).replace(/[?#].*/, '')
    return operations[call].path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name] ?? '')))
  }

  /** Keeps the file of an upload, or makes up another one of its size. */
  #prepareFile(index: number, { sentBody, sentBytes, sent }: SessionCall['exchange']): void {
    if (sentBody || sent !== undefined) {
      this.#files.set(index, sentBody ? sentBody.slice() : new TextEncoder().encode(sent))
      return
    }
    const size = sentBytes?.size
    const file = fileOfSize(size ?? 0)
    if (!file || !sentBytes) return
    this.#files.set(index, file)
    for (const [before, after] of replacedDigests(sentBytes, file)) this.#replaced.set(before, after)
  }
}

/** A request as a JSON value. */
interface Asked {
  readonly path?: Readonly<Record<string, unknown>>
  readonly url?: unknown
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

const nameOf = ({ call }: SessionCall) => (call === 'other call' ? undefined : call)

/** Changes the end of a workflow's name. */
function rename({ body }: Asked, suffix: string): void {
  if (body === null || typeof body !== 'object' || !('name' in body) || typeof body.name !== 'string') return
  body.name = [...body.name].slice(0, 100 - suffix.length).join('') + suffix
}

const names = {
  workflow: 'workflow',
  session: 'upload session',
  key: 'storage key',
  document: 'document',
  uploadUrl: 'upload URL',
} as const

function queryOf({ query = {} }: Asked): string {
  const params = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return params.size === 0 ? '' : `?${params}`
}
