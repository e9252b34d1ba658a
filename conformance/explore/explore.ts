/** Draws sessions, sends them to two sides, and shortens the first one in which they differ. */
import { Deployment, type DeploymentOptions } from '../replay/deployment.ts'
import { type Exchange, Undecided } from '../wire/exchange.ts'
import { type NoService, noServiceIn } from '../wire/no-service.ts'
import type { Redactor } from '../wire/redact.ts'
import { Agreement, meaningOf, type SideDifference } from './answer-meaning.ts'
import { joinSessions, keepCalls, type PlannedCall } from './plan.ts'
import { aboutAll, sequencesAfter } from './sequences.ts'
import { distinct, partsOf, shortenSession, suspectsOf } from './shorten.ts'
import { SideSession } from './side.ts'

export interface ExploreOptions {
  readonly sides: readonly [DeploymentOptions, DeploymentOptions]
  /** The sessions to send, in their order. */
  readonly sessions: Iterable<readonly PlannedCall[]>
  /** The most requests to both sides together. */
  readonly most: number
  /** The time that a deployment may take to show what was done, in milliseconds. @default 1000 */
  readonly settleMs?: number
  readonly signal?: AbortSignal
  /** Called with the number of requests, before each session. */
  readonly onSession?: (sent: number) => void
}

/** A session in which the sides differ, with the answers of both. */
export interface FoundDifference extends SideDifference {
  readonly session: readonly PlannedCall[]
  readonly exchanges: readonly (readonly [a: Exchange, b: Exchange])[]
  /** The names of things in a description, such as `$WORKFLOW_1`, by their values at A. */
  readonly names: ReadonlyMap<string, string>
}

export interface Exploration {
  readonly found?: FoundDifference
  readonly sessions: number
  /** The number of requests to both sides. */
  readonly sent: number
  /** The number of differences that did not show again. */
  readonly noise: number
  readonly leftBehind: readonly string[]
  /** The number of calls that both sides have answered. */
  readonly answered: number
  /** The number of calls that only this side answered with a server error (5xx, except for 503). */
  readonly failedAlone: readonly [a: number, b: number]
  /** The reason why the answers of a side tell nothing about its service, if there is one. */
  readonly noService: readonly [a: NoService | undefined, b: NoService | undefined]
  readonly notes: readonly string[]
  /** What redacts the secrets of each side. */
  readonly redactors: readonly [Redactor, Redactor]
}

/** No more requests may be sent. */
class Spent extends Error {}

/** Sends sessions to two sides until they differ, or until the requests are used up. */
export async function explore(options: ExploreOptions): Promise<Exploration> {
  const explorer = new Explorer(options)
  try {
    await explorer.run()
  } catch (error) {
    if (!(error instanceof Spent)) throw error
  }
  return explorer.result()
}

class Explorer {
  readonly #options: ExploreOptions
  readonly #sides: readonly [Deployment, Deployment]
  readonly #agreement = new Agreement()
  readonly #runId = crypto.randomUUID().slice(0, 8)
  readonly #notes: string[] = []
  /** The calls before which a deployment needs time to settle. */
  readonly #pauses = new Set<string>()
  readonly #counts = { sessions: 0, sent: 0, noise: 0, answered: 0 }
  #played = 0
  readonly #failedAlone: [number, number] = [0, 0]
  #failure: string | undefined
  #found: FoundDifference | undefined

  constructor(options: ExploreOptions) {
    this.#options = options
    const { most } = options
    const side = (own: DeploymentOptions) => {
      const send = (request: Request) => {
        if (this.#counts.sent >= most) return Promise.reject(new Error('All requests were sent.'))
        this.#counts.sent += 1
        return (own.fetch ?? fetch)(request)
      }
      return new Deployment({ ...own, maxRequests: most, fetch: send })
    }
    const [a, b] = options.sides
    this.#sides = [side(a), side(b)]
  }

  async run(): Promise<void> {
    // A service may remember calls of any earlier session. Right after a difference, it most likely starts anew.
    let before: readonly PlannedCall[] = []
    /** The sequences of calls that showed no difference. */
    const cleared = new Set<string>()
    for (const session of this.#options.sessions) {
      if (this.#options.signal?.aborted) return
      this.#options.onSession?.(this.#counts.sent)
      this.#counts.sessions += 1
      const shown = await this.#play(session)
      const sent = aboutAll(shown ? shown.session.slice(0, -1) : session)
      for (const [at, about] of sent.entries())
        for (const { key } of sequencesAfter(sent.slice(0, at))(about)) cleared.add(key)
      if (shown) await this.#confirm(shown, before, cleared)
      if (this.#found) return
      before = shown ? [] : joinSessions(before, session)
    }
  }

  result(): Exploration {
    const [a, b] = this.#sides
    return {
      ...this.#counts,
      ...(this.#found && { found: this.#found }),
      failedAlone: this.#failedAlone,
      noService: [noServiceIn(a.target.transport.log), noServiceIn(b.target.transport.log)],
      leftBehind: [...a.leftBehind, ...b.leftBehind],
      redactors: [a.secrets.redactor, b.secrets.redactor],
      notes: [
        ...this.#notes,
        ...(this.#failure === undefined ? [] : [`Sessions ended early, since an answer was missing: ${this.#failure}`]),
      ],
    }
  }

  /**
   * Sends parts of a session with a difference, short ones first, until it shows twice in one of them, with time to settle before the
   * last call. Then shortens that part.
   */
  async #confirm(shown: FoundDifference, before: readonly PlannedCall[], cleared: ReadonlySet<string>): Promise<void> {
    const last = shown.session.at(-1)?.call ?? ''
    const knewPause = this.#pauses.has(last)
    this.#pauses.add(last)
    const trial = new Trial(async (session) => {
      // Without requests for it, it shows nothing, and shorter ones may still be sent.
      const again = this.#canSend(session) ? await this.#play(session) : undefined
      return again?.kind === shown.kind ? again : undefined
    })
    const parts = distinct([...suspectsOf(shown.session, cleared), ...partsOf(joinSessions(before, shown.session))])
    if (!this.#canSend(parts[0] ?? [])) throw new Spent('Too few requests are left.')
    let isNoise = false
    for (const part of parts) {
      const found = await trial.confirm(part)
      if (!found) continue
      if (!knewPause) this.#pauses.delete(last)
      isNoise = found.isNoise
      if (isNoise) break
      this.#found = found.shown
      await shortenSession(found.shown.session, async (session) => {
        const shorter = await trial.attempt(session)
        if (shorter) this.#found = shorter
        return shorter?.session
      })
      return
    }
    // With time to settle it is the same from now on, or it does not show again.
    if (isNoise || knewPause) this.#agreement.doubt(shown, { isNoise })
    this.#counts.noise += 1
  }

  /** Returns true if enough requests are left for a session. */
  #canSend(session: readonly PlannedCall[]): boolean {
    return this.#counts.sent + 2 * session.length <= this.#options.most
  }

  /** Sends a session to both sides, up to the first difference. Throws `Spent` if there are too few requests left for it. */
  async #play(session: readonly PlannedCall[]): Promise<FoundDifference | undefined> {
    if (!this.#canSend(session)) throw new Spent('Too few requests are left.')
    this.#played += 1
    const prefix = `conformance-${this.#runId}-${this.#played}`
    const [a, b] = [new SideSession(this.#sides[0], prefix, session), new SideSession(this.#sides[1], prefix, session)]
    const exchanges: (readonly [Exchange, Exchange])[] = []
    const sent: number[] = []
    for (const [index, call] of session.entries()) {
      const [sendA, sendB] = [a.prepare(index), b.prepare(index)]
      // What an earlier refusal has prevented cannot be sent.
      if (!sendA || !sendB) continue
      if (this.#pauses.has(call.call)) await this.#sides[0].target.transport.sleep(this.#options.settleMs ?? 1000)
      try {
        const [one, other] = await Promise.all([sendA(), sendB()])
        exchanges.push([one, other])
        sent.push(index)
        this.#counts.answered += 1
        if (hasFailed(one) && !hasFailed(other)) this.#failedAlone[0] += 1
        if (hasFailed(other) && !hasFailed(one)) this.#failedAlone[1] += 1
        await this.#discover(0, a, a.lacksIdentifier(call, one))
        await this.#discover(1, b, b.lacksIdentifier(call, other))
        const difference = this.#agreement.compare(call.call, meaningOf(one, a.rename), meaningOf(other, b.rename))
        if (difference) return { ...difference, session: keepCalls(session, sent), exchanges, names: a.names }
      } catch (error) {
        if (!(error instanceof Undecided)) throw error
        // What got no answer says nothing about either side.
        if (this.#counts.sent >= this.#options.most) throw new Spent('All requests were sent.')
        this.#failure ??= error.message
        return undefined
      }
    }
    return undefined
  }

  /** Finds out where a side shows its identifiers, once. */
  async #discover(which: 0 | 1, session: SideSession, isNeeded: boolean): Promise<void> {
    const side = this.#sides[which]
    if (!isNeeded || side.discovered) return
    await side.discover()
    session.learnAll()
    this.#notes.push(`${which === 0 ? 'A' : 'B'} shows its identifiers at other places than the contract.`)
  }
}

/** Returns true for a server error, except for 503, which says that the server is busy (RFC 9110 section 15.6.4). */
const hasFailed = ({ status }: Exchange) => status >= 500 && status !== 503

/**
 * Sends sessions that may show a difference. A service may remember calls of earlier sessions that did not show it. Right after a
 * difference, it most likely starts anew.
 */
class Trial {
  readonly #show: (session: readonly PlannedCall[]) => Promise<FoundDifference | undefined>
  /** The calls since the difference showed last. */
  #since: readonly PlannedCall[] = []

  constructor(show: (session: readonly PlannedCall[]) => Promise<FoundDifference | undefined>) {
    this.#show = show
  }

  /** Returns the difference if a session shows it again right after it has shown it, or if the same session twice does so. */
  async confirm(session: readonly PlannedCall[]): Promise<{ shown: FoundDifference; isNoise: boolean } | undefined> {
    const first = await this.#send(session)
    if (!first) return undefined
    // The whole session again, since what was left of earlier sessions may have shortened it.
    let shown = await this.#send(session)
    if (!shown) {
      const second = await this.#send(session)
      shown = second && (await this.#send(joinSessions(session, second.session)))
    }
    // A side that shows what an earlier session left behind differs from itself, but the other one does not.
    const isNoise =
      shown?.session.length === first.session.length && shown.shown.every((value, side) => value !== first.shown[side])
    return shown && { shown, isNoise }
  }

  /** Returns the difference if a session shows it again from the start. */
  async attempt(session: readonly PlannedCall[]): Promise<FoundDifference | undefined> {
    const startsAnew = this.#since.length === 0
    const first = await this.#send(session)
    return first && !startsAnew ? this.#send(session) : first
  }

  async #send(session: readonly PlannedCall[]): Promise<FoundDifference | undefined> {
    const shown = await this.#show(session)
    this.#since = shown ? [] : joinSessions(this.#since, session)
    return shown
  }
}
