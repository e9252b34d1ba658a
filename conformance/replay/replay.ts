/** Sends a recorded session to a deployment, and compares what becomes of each call. */

import { isObject } from '../../src/contract/json.ts'
import { operations } from '../../src/contract/operations.ts'
import { type DataUse, withValues } from '../../src/session/data-flow.ts'
import { jsonLeaves } from '../../src/session/leaves.ts'
import { Settling } from '../flow/settling.ts'
import { SoundAnswers } from '../learning/sound-answers.ts'
import type { HarSession } from '../session/read-har.ts'
import { type Exchange, succeeded, Undecided } from '../wire/exchange.ts'
import { noServiceIn } from '../wire/no-service.ts'
import { recordOf } from '../wire/record.ts'
import { changedAddress } from './changed-address.ts'
import { Deployment, type DeploymentOptions } from './deployment.ts'
import { keyUses } from './key-use.ts'
import { describeOutcome, isPending, outcomeOf } from './outcome.ts'
import { Reader } from './reader.ts'
import { recordedSides } from './recorded.ts'
import { type ReplayedCall, type ReplayResult, verdictOn } from './result.ts'
import { type Asked, callsOf, roleAt, type SessionCall } from './turns.ts'
import { fileOfSize, replacedDigests } from './upload-body.ts'

export interface ReplayOptions extends DeploymentOptions {
  readonly session: HarSession
  /** Notes for the reader of the report. @default none */
  readonly notes?: readonly string[]
  /** Called after each call. */
  readonly onCall?: (call: ReplayedCall) => void
}

/** A call that cannot be sent, because the session does not say how. */
class Unsendable extends Error {}

/** The calls that a deployment may refuse for a while, until the calls before them have settled. */
const settlingCalls = ['getWorkflow', 'executeWorkflow', 'confirmUpload']

/**
 * Sends a session to a deployment, call by call, with the deployment's own identifiers. Throws `Undecided` if nothing answers.
 */
export async function replay(options: ReplayOptions): Promise<ReplayResult> {
  const startedAt = new Date().toISOString()
  const { url, session, signal, notes = [] } = options
  const deployment = new Deployment(options)
  const { target, secrets } = deployment
  const { transport } = target
  const begun = transport.time.now()
  await target.send(new Request(`${url}/api/v1/workflows/countersign-probe`))
  const replaying = new Replay(options, deployment)
  const calls = await replaying.run()
  const wasAccepted = session.exchanges.some(succeeded)
  const noService = wasAccepted ? noServiceIn(transport.log) : undefined
  return {
    url: secrets.keys.text(url),
    recordedAt: session.base,
    startedAt,
    durationMs: Math.round(transport.time.now() - begun),
    verdict: signal?.aborted ? 'could-not-run' : noService?.refusesKey ? 'undecided' : verdictOn(calls),
    calls,
    leftOut: session.leftOut,
    leftBehind: secrets.redactor.deep(deployment.leftBehind),
    requests: transport.sent + (deployment.discovered?.sent ?? 0),
    notes: secrets.redactor.deep([...notes, ...replaying.notes, ...(noService ? [`${noService.why}.`] : [])]),
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

/** An answer, and whether the call had to have another name. */
interface Answered {
  readonly answer: Exchange
  readonly isRenamed?: true
}

class Replay {
  readonly notes: string[] = []
  readonly #options: ReplayOptions
  readonly #deployment: Deployment
  readonly #calls: readonly SessionCall[]
  readonly #reader: Reader
  readonly #keyOf: ReturnType<typeof keyUses>
  readonly #recorded: ReturnType<typeof recordedSides>
  /** The deployment's answers that were a success, by the index of the call. */
  readonly #answers = new Map<number, Exchange>()
  /** The files that are made up, by the index of the call. */
  readonly #files = new Map<number, Uint8Array<ArrayBuffer>>()
  /** Texts that are replaced everywhere: the digests of files that are made up. */
  readonly #replaced = new Map<string, string>()
  /** The reasons why calls were not sent, by the index of the call. Calls that use their answers have the same. */
  readonly #unsent = new Map<number, string>()
  /** Recognizes refusals that have a status of success. */
  readonly #sound = new SoundAnswers()
  /** The milliseconds that may still be waited for calls of a kind. */
  readonly #patience = new Map<string, number>()

  constructor(options: ReplayOptions, deployment: Deployment) {
    const { exchanges } = options.session
    this.#options = options
    this.#deployment = deployment
    this.#calls = callsOf(exchanges)
    this.#reader = new Reader(this.#calls, deployment, this.#answers)
    this.#keyOf = keyUses(this.#calls)
    this.#recorded = recordedSides(exchanges)
    for (const call of this.#calls) if (call.call === 'putObject') this.#prepareFile(call)
  }

  async run(): Promise<ReplayedCall[]> {
    const done: ReplayedCall[] = []
    for (const call of this.#calls) {
      const replayed = await this.#replay(call)
      done.push(replayed)
      this.#options.onCall?.(replayed)
    }
    return done
  }

  async #replay(call: SessionCall): Promise<ReplayedCall> {
    const about = aboutCall(call, this.#recorded(call.exchange))
    const { secrets } = this.#deployment
    try {
      const { answer, ...how } = await this.#answer(call)
      const { redactor } = secrets
      const now = redactor.text(describeOutcome(answer))
      const seen = { ...about, ...how, became: outcomeOf(answer), now, exchange: recordOf(answer, redactor) }
      if (succeeded(answer)) this.#answers.set(call.index, answer)
      if (seen.became === about.was) return { ...seen, outcome: 'same' }
      return { ...seen, outcome: 'other', reason: `It was ${about.before}, and is ${now}.` }
    } catch (error) {
      if (!(error instanceof Unsendable || error instanceof Undecided)) throw error
      const reason = secrets.redactor.text(error.message)
      this.#unsent.set(call.index, reason)
      return { ...about, outcome: 'unsent', reason }
    }
  }

  /** Sends a call, and sends it again for as long as an expected success may still come. */
  async #answer(call: SessionCall): Promise<Answered> {
    let answer = await this.#send(call)
    if (!succeeded(call.exchange)) return { answer }
    this.#sound.add(nameOf(call), answer)
    const isExpected = (one: Exchange) => this.#sound.isSuccess(nameOf(call), one) && !isPending(one)
    if (isExpected(answer)) return { answer }
    // The value at the recorded place may be that of something else here.
    if (await this.#discover(call.uses)) answer = await this.#send(call)
    if (call.call === 'createWorkflow') {
      const renamed = await this.#underAnotherName(call)
      if (!renamed) return { answer }
      this.notes.push(
        `'${call.name}' was accepted only with another name, since names are unique here and its own is taken.`,
      )
      return { answer: renamed, isRenamed: true }
    }
    return { answer: settlingCalls.includes(call.call) ? await this.#settled(call, answer, isExpected) : answer }
  }

  /** Sends a call again until it has the expected answer, or until calls of its kind were waited for long enough. */
  async #settled(call: SessionCall, first: Exchange, isExpected: (one: Exchange) => boolean): Promise<Exchange> {
    const { transport } = this.#deployment.target
    const { settleSeconds = 10 } = this.#options.profile ?? {}
    const left = this.#patience.get(call.call) ?? settleSeconds * 1000
    const begun = transport.time.now()
    const known = [first]
    const read = async () => known.pop() ?? this.#send(call)
    const answer = await new Settling(transport, left / 1000).until(read, isExpected)
    this.#patience.set(call.call, isExpected(answer) ? left - (transport.time.now() - begun) : 0)
    return answer
  }

  /**
   * Creates a workflow that was refused again, under another name. Returns undefined unless its name was taken: the new name must
   * then be taken, too, or the deployment has refused the call for a reason of its own.
   */
  async #underAnotherName(call: SessionCall): Promise<Exchange | undefined> {
    const suffix = ` ${crypto.randomUUID().slice(0, 8)}`
    const isDone = (one: Exchange) => this.#sound.isSuccess(nameOf(call), one)
    const answer = await this.#send(call, suffix)
    if (!isDone(answer)) return undefined
    return isDone(await this.#send(call, suffix)) ? undefined : answer
  }

  async #send(call: SessionCall, suffix = ''): Promise<Exchange> {
    const asked = await this.#asked(call)
    if (suffix !== '') rename(asked, suffix)
    const headers = this.#headersOf(call, asked)
    const { target } = this.#deployment
    if (call.call === 'putObject') {
      const { url } = asked
      if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
        throw new Unsendable('The deployment gave no address for the upload. Look at its answer to the upload request.')
      }
      return target.put(url, headers, this.#files.get(call.index) ?? new Uint8Array())
    }
    const { method } = call.exchange.request
    const body = method === 'GET' || method === 'HEAD' ? undefined : this.#bodyOf(call, asked, suffix !== '')
    const address = `${target.url}${this.#pathOf(call, asked)}${queryOf(asked)}`
    return target.send(new Request(address, { method, headers, ...(body !== undefined && { body }) }))
  }

  /** Returns a request of the session with the deployment's identifiers. Throws `Unsendable` if some are unknown. */
  async #asked(call: SessionCall): Promise<Asked> {
    const read = () => withValues(call.asked, call.uses, (use) => this.#reader.valueOf(use))
    let { asked, missing } = read()
    const isAnswered = ({ sources }: DataUse) => sources.some(({ turn }) => this.#answers.has(turn))
    if (await this.#discover(missing.filter(isAnswered))) ({ asked, missing } = read())
    const first = missing.find((use) => this.#reader.isNeeded(use))
    if (first) throw new Unsendable(this.#describeMissing(first))
    if (call.call === 'putObject') return { ...(asked as Asked), url: this.#uploadAddress(call, asked as Asked) }
    if (succeeded(call.exchange)) this.#requireOwn(call)
    return asked as Asked
  }

  /** Throws `Unsendable` for an identifier of something that the session has not made, unless the deployment is the same. */
  #requireOwn({ call, asked, uses }: SessionCall): void {
    if (this.#options.url === this.#options.session.base) return
    for (const { pointer, value } of jsonLeaves(asked)) {
      const role = roleAt(call, pointer)
      if (role === undefined || uses.some((use) => use.pointer === pointer)) continue
      throw new Unsendable(
        `It uses the ${nouns[role]} ${JSON.stringify(value)}, which no earlier answer shows. Record the session from the call that makes it.`,
      )
    }
  }

  /** Returns the address of an upload; if the session has changed its address, with such a change. */
  #uploadAddress({ uses, exchange }: SessionCall, { url }: Asked): string {
    if (uses.some(({ pointer, part }) => pointer === '/url' && part === '')) return String(url)
    for (const [turn, answer] of [...this.#answers].toReversed()) {
      const shown = this.#calls[turn]?.exchange.json
      const now = String(this.#deployment.identifierIn('uploadUrl', answer))
      const changed = changedAddress({ shown, sent: exchange.request.url, now })
      if (changed !== undefined) return changed
    }
    throw new Unsendable(
      'No answer of the session shows its address, so it is not known where to send it. Record the request for the upload too.',
    )
  }

  #describeMissing({ value, sources: [source] }: DataUse): string {
    const from = source && this.#calls[source.turn]
    const short = JSON.stringify(value.length > 100 ? `${value.slice(0, 99)}…` : value)
    if (from && !this.#answers.has(from.index)) {
      const reason = this.#unsent.get(from.index)
      return reason ?? `It uses ${short} of the call '${from.name}', which did not succeed.`
    }
    return `It uses ${short} of the call '${from?.name}', and the answer here does not show what corresponds to it. Set a locator in a profile.`
  }

  /** Finds out where the deployment shows its identifiers: once, and only if some of these values may be elsewhere. Returns true then. */
  async #discover(uses: readonly DataUse[]): Promise<boolean> {
    if (this.#deployment.discovered || !uses.some((use) => this.#reader.mayBeElsewhere(use))) return false
    const { sent } = await this.#deployment.discover()
    this.notes.push(
      `The deployment shows its identifiers at other places than the recording, so they were looked for with ${sent} requests.`,
    )
    return true
  }

  #headersOf(call: SessionCall, { headers = {} }: Asked): Record<string, string> {
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, this.#withDigests(String(value))]),
    )
    const use = this.#keyOf(call)
    if (!use) return own
    const { scheme, index } = use
    if (index === undefined) return { ...own, authorization: `${scheme}test_wrong_${'0'.repeat(16)}` }
    const { apiKey, secondKey } = this.#options
    const key = [apiKey, secondKey][index]
    if (key !== undefined) return { ...own, authorization: scheme + key }
    throw new Unsendable(
      index === 1
        ? 'The recording used a second tenant. Set COUNTERSIGN_API_KEY_2.'
        : `The recording used ${index + 1} tenants, but only two keys can be set. Record it with fewer.`,
    )
  }

  #bodyOf({ exchange, uses }: SessionCall, { body }: Asked, isRenamed: boolean): string | undefined {
    const { sent } = exchange
    if (sent === undefined) return undefined
    const isUnchanged = !isRenamed && !uses.some(({ pointer }) => pointer.startsWith('/body'))
    return this.#withDigests(isUnchanged ? sent : typeof body === 'string' ? body : JSON.stringify(body))
  }

  #withDigests(text: string): string {
    return [...this.#replaced].reduce((replaced, [before, after]) => replaced.replaceAll(before, after), text)
  }

  #pathOf({ call, exchange }: SessionCall, { path = {} }: Asked): string {
    if (call === 'other call')
      return exchange.request.url.slice(this.#options.session.base.length).replace(/[?#].*/, '')
    return operations[call].path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name] ?? '')))
  }

  /** Keeps the file of an upload, or makes up another one of its size. */
  #prepareFile({ index, exchange: { sentBody, sentBytes } }: SessionCall): void {
    const file = sentBody?.slice() ?? (sentBytes && fileOfSize(sentBytes.size))
    if (file) this.#files.set(index, file)
    if (sentBody || !file || !sentBytes) return
    for (const [before, after] of replacedDigests(sentBytes, file)) this.#replaced.set(before, after)
  }
}

const nameOf = ({ call }: SessionCall) => (call === 'other call' ? undefined : call)

/** Changes the end of a workflow's name. */
function rename({ body }: Asked, suffix: string): void {
  if (!isObject(body) || typeof body.name !== 'string') return
  body.name = [...body.name].slice(0, 100 - suffix.length).join('') + suffix
}

const nouns = {
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
