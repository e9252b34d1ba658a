/** Plans sessions that cover the short sequences of calls about the same things in few calls. */
import { joinChanges, splitChanges } from './deviations.ts'
import { type NextCall, nextCalls, type PlannedCall } from './plan.ts'
import { type About, aboutLast, sequencesAfter } from './sequences.ts'

/** Returns a whole number below a limit. */
export type Chance = (limit: number) => number

/** The number of calls of a kind that are sent in a row, once for each kind. */
const inARow = 3

/** Plans sessions. Each covers sequences that the earlier ones have not sent. */
export class Planner {
  readonly #sent = new Set<string>()
  readonly #kinds = new Set<string>()
  readonly #values = new Set<string>()
  readonly #chance: Chance
  readonly #hasTenants: boolean

  /** With `hasTenants`, some calls are those of a second tenant. */
  constructor(chance: Chance, { hasTenants = false } = {}) {
    this.#chance = chance
    this.#hasTenants = hasTenants
  }

  /** Plans a session: at each step, adds the call whose new sequences are most likely to reveal a fault. */
  planSession(length: number): PlannedCall[] {
    const session: PlannedCall[] = []
    const past: About[] = []
    while (session.length < length) {
      let best: { choice: NextCall; about: About } | undefined
      const sequencesWith = sequencesAfter(past)
      let [most, ties] = [0, 0]
      for (const choice of nextCalls(session, { hasTenants: this.#hasTenants })) {
        const about = aboutLast([
          ...session,
          { ...choice.call, manner: choice.usual[0] ?? choice.values[0] ?? 'sound' },
        ])
        const weight = this.#newIn(sequencesWith(about))
        if (best && weight < most) continue
        ties = weight === most ? ties + 1 : 1
        most = weight
        if (this.#chance(ties) === 0) best = { choice, about }
      }
      if (!best) return session
      // Services count calls of a kind, so each kind is sent several times in a row once.
      const isFirst = !this.#kinds.has(best.about.kind)
      this.#kinds.add(best.about.kind)
      for (let count = isFirst ? inARow : 1; count > 0 && session.length < length; count -= 1) {
        session.push({ ...best.choice.call, manner: this.#mannerFor(best.choice) })
        const about = aboutLast(session)
        for (const { key } of sequencesAfter(past)(about)) this.#sent.add(key)
        past.push(about)
      }
    }
    return session
  }

  /** Returns the weight of the sequences that were not sent yet. */
  #newIn(sequences: ReturnType<ReturnType<typeof sequencesAfter>>): number {
    const seen = new Set<string>()
    let sum = 0
    for (const { key, weight } of sequences) {
      if (this.#sent.has(key) || seen.has(key)) continue
      seen.add(key)
      sum += weight
    }
    return sum
  }

  /** Returns a usual manner or one with boundary values, preferably values that were not sent yet. */
  #mannerFor({ call: { call }, usual, values }: NextCall): string {
    const mixes = usual.length > 0 && values.length > 0
    if (mixes && this.#chance(2) === 0) return this.#mixed(call, this.#among(usual), values)
    return usual.length > 0 ? this.#among(usual) : this.#valueAmong(call, values)
  }

  /** Adds values to a manner, in about every third part of the body that it leaves as it is. */
  #mixed(call: string, manner: string, values: readonly string[]): string {
    const changes = manner === 'sound' ? [] : splitChanges(manner)
    for (const place of new Set(values.map(placeOf))) {
      if (changes.some((change) => placeOf(change) === place) || this.#chance(3) > 0) continue
      const own = values.filter((value) => placeOf(value) === place)
      changes.push(this.#valueAmong(call, own))
    }
    return changes.length > 0 ? joinChanges(changes) : 'sound'
  }

  /** Returns a value that was not sent yet, in every other case the most plausible one. */
  #valueAmong(call: string, values: readonly string[]): string {
    const fresh = values.filter((value) => !this.#values.has(`${call} ${value}`))
    const value =
      fresh[0] !== undefined && this.#chance(2) === 0 ? fresh[0] : this.#among(fresh.length > 0 ? fresh : values)
    this.#values.add(`${call} ${value}`)
    return value
  }

  #among(list: readonly string[]): string {
    return list[this.#chance(list.length)] ?? 'sound'
  }
}

/** Returns the part of the body that a change is in. */
const placeOf = (change: string) => change.slice(0, change.indexOf(':'))
