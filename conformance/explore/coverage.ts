/** Plans sessions: of several drawn calls, it chooses the one with the most new coverage as the next call. */
import {
  type DrawnCall,
  type ExploredCall,
  type MannerOf,
  makes,
  type PlannedCall,
  planCall,
  thingsOf,
  usedBy,
} from './plan.ts'

/** How much a new thing of each kind counts. */
const weights = {
  /** A kind of call, sent in one manner. */
  manner: 2,
  /** The same with a value that the contract refuses. */
  refused: 0.5,
  /** The calls about one thing: the last two, three and four of them. */
  about2: 6,
  about3: 6,
  about4: 4,
  /** Calls right after each other, whatever they are about. */
  row2: 4,
  row3: 3,
  pairs: 12,
  /** The last call about a thing, and the last call about an older or newer thing of its kind. */
  beside: 3,
  /** The order in which the things of one call were made. */
  order: 8,
  /** Calls in this order, with any others between. */
  after2: 1,
  after3: 0.3,
  /** Refused calls right after each other. */
  run: 14,
  /** The number of things of a kind, up to three. With more of them, later calls have a choice. */
  alive: 12,
}

type Feature = readonly [kind: keyof typeof weights, what: string]

/** What was sent so far, in all sessions. */
export class Coverage {
  readonly #counts = new Map<string, number>()
  #sessions = 0

  /** Plans a session from drawn calls: each time, the best of `choices` becomes the next call. */
  planSession(drawn: readonly DrawnCall[], choices: number): PlannedCall[] {
    const session: PlannedCall[] = []
    this.#sessions += 1
    const seen = new Seen(this.#sessions)
    for (let at = 0; at < drawn.length; at += choices) {
      // What a call comes after is the same for all calls of its kind.
      const after = new Map<string, { features: Feature[]; gain: number }>()
      const candidates = drawn.slice(at, at + choices).map((one) => {
        const call = planCall(lookingAfter(session, one), session)
        const symbol = symbolOf(call)
        const earlier = after.get(symbol) ?? this.#withGain(seen.orderOf(symbol))
        after.set(symbol, earlier)
        const own = this.#withGain(seen.featuresOf(call))
        const gain = (own.gain + earlier.gain) / Math.sqrt(1 + seen.countOf(symbol))
        return { call, features: [...own.features, ...earlier.features], gain }
      })
      const best = candidates.reduce((one, other) => (other.gain > one.gain ? other : one))
      for (const [kind, what] of best.features) {
        const key = `${kind} ${what}`
        this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
      }
      session.push(best.call)
      seen.add(best.call)
    }
    return session
  }

  #withGain(features: Feature[]): { features: Feature[]; gain: number } {
    let gain = 0
    for (const [kind, what] of features) gain += weights[kind] / (1 + (this.#counts.get(`${kind} ${what}`) ?? 0)) ** 2
    return { features, gain }
  }
}

/**
 * Returns the call that is drawn after others. Each third one looks at what there is: in turn, a workflow is read, and an upload is
 * confirmed, ready or not, with its own key or that of another one. Most mistakes show there, long after the call that made them. A look
 * does not interrupt calls without a key.
 */
function lookingAfter(session: readonly PlannedCall[], drawn: DrawnCall): DrawnCall {
  if (session.length % 3 !== 2 || session.at(-1)?.manner === 'without key') return drawn
  const has = (call: ExploredCall) => session.some((one) => one.call === call && makes(one))
  if (session.length % 6 === 2) return has('createWorkflow') ? { ...drawn, call: 'getWorkflow', manner: sound } : drawn
  const manner = drawn.back % 2 === 0 ? sound : keyOfAnother
  return has('requestUpload') ? { ...drawn, call: 'confirmUpload', manner, isEarly: true } : drawn
}

const sound: MannerOf = { name: 'sound', isSound: true }
const keyOfAnother: MannerOf = { name: 'key of another upload', isSound: false }

/** The calls of a session so far, and what they are about. */
class Seen {
  readonly #session: number
  readonly #calls: PlannedCall[] = []
  readonly #symbols: string[] = []
  readonly #pairs = new Set<string>()
  /** The number of calls whose pairs are known. */
  #pairsOf = 0
  /** The calls about each thing, by the index of the call that made it. */
  readonly #about = new Map<number, string[]>()

  constructor(session: number) {
    this.#session = session
  }

  add(call: PlannedCall): void {
    const index = this.#calls.length
    const symbol = symbolOf(call)
    for (const thing of thingsOf(call, this.#calls)) this.#about.get(thing)?.push(symbol)
    if (makes(call) && call.call !== 'confirmUpload') this.#about.set(index, [symbol])
    this.#calls.push(call)
    this.#symbols.push(symbol)
  }

  /** Returns how often a kind of call was sent. */
  countOf(symbol: string): number {
    return this.#symbols.filter((one) => one === symbol).length
  }

  featuresOf(call: PlannedCall): Feature[] {
    const symbol = symbolOf(call)
    const features: Feature[] = [
      [symbol.endsWith('!') && call.manner.includes(':') ? 'refused' : 'manner', `${call.call} ${call.manner}`],
    ]
    const things = thingsOf(call, this.#calls)
    for (const thing of things) {
      const about = this.#about.get(thing) ?? []
      for (const length of [1, 2, 3] as const) {
        const part = about.slice(-length)
        if (part.length === length) features.push([`about${(length + 1) as 2 | 3 | 4}`, [...part, symbol].join()])
      }
      const isUpload = call.workflow !== thing
      for (const [other, theirs] of this.#about) {
        if (other === thing || (this.#calls[other]?.call === 'requestUpload') !== isUpload) continue
        features.push(['beside', `${about.at(-1)} ${symbol} ${Math.sign(other - thing)} ${theirs.at(-1)}`])
      }
    }
    if (things.length > 1)
      features.push(['order', `${symbol} ${things.map((one) => Math.sign(one - (things[0] ?? 0))).join()}`])
    const alive = this.#calls.filter((one) => one.call === call.call && makes(one)).length
    if (makes(call) && call.call !== 'confirmUpload' && alive < 3)
      features.push(['alive', `${this.#session} ${call.call} ${alive}`])
    const kind = symbol.at(-1) === '?' || symbol.at(-1) === '!' ? symbol.at(-1) : ''
    const latest = this.#symbols.slice(-3).map((one) => one.at(-1))
    for (const sign of ['?', '!']) {
      const others = latest.toReversed().findIndex((one) => one !== sign)
      const run = others < 0 ? latest.length : others
      if (run > 1 || (run > 0 && kind === sign)) features.push(['run', `${sign}${run}${kind}`])
    }
    const row = this.#symbols.slice(-2)
    if (row.length > 0) features.push(['row2', `${row.at(-1)},${symbol}`])
    if (row.length > 1) features.push(['row3', `${row.join()},${symbol}`])
    const [one, two, three] = this.#calls.slice(-3)
    if (one && two && three) {
      const at = this.#calls.length
      const isPair = (first: PlannedCall, index: number, second: PlannedCall) =>
        usedBy(second).includes(index) ||
        thingsOf(first, this.#calls).some((thing) => thingsOf(second, this.#calls).includes(thing))
      if (isPair(one, at - 3, two) && isPair(three, at - 1, call))
        features.push(['pairs', `${this.#symbols.slice(-3).join()},${symbol}`])
    }
    return features
  }

  /** Returns what a kind of call comes after: single calls, and pairs of calls in their order. */
  orderOf(symbol: string): Feature[] {
    return [
      ...[...new Set(this.#symbols)].map((other): Feature => ['after2', `${other},${symbol}`]),
      ...[...this.#orderedPairs()].map((pair): Feature => ['after3', `${pair},${symbol}`]),
    ]
  }

  /** Returns the pairs of kinds that were sent in this order. */
  #orderedPairs(): ReadonlySet<string> {
    for (; this.#pairsOf < this.#symbols.length; this.#pairsOf += 1)
      for (let at = 0; at < this.#pairsOf; at += 1)
        this.#pairs.add(`${this.#symbols[at]},${this.#symbols[this.#pairsOf]}`)
    return this.#pairs
  }
}

/** Returns the kind of a call, with a mark if the contract refuses it. */
function symbolOf(call: PlannedCall): string {
  const { call: id, manner } = call
  if (manner === 'sound') return id
  if (manner === 'without key') return `${id}?`
  return makes(call) ? `${id}~${manner.split(/[.:]/)[0]}` : `${id}!`
}
