/** Plans sessions that cover the short sequences of calls about the same things in few calls. */
import { type NextCall, nextCalls, type PlannedCall } from './plan.ts'
import { type About, aboutLast, type Sequence, sequencesWith } from './sequences.ts'

/** Returns a whole number below a limit. */
export type Chance = (limit: number) => number

/** Plans sessions. Each covers sequences that the earlier ones have not sent. */
export class Planner {
  readonly #sent = new Set<string>()
  readonly #values = new Set<string>()
  readonly #chance: Chance

  constructor(chance: Chance) {
    this.#chance = chance
  }

  /** Plans a session: at each step, adds the call whose new sequences are most likely to reveal a fault. */
  planSession(length: number): PlannedCall[] {
    const session: PlannedCall[] = []
    const past: About[] = []
    while (session.length < length) {
      let best: { choice: NextCall; about: About; isNew: ReadonlySet<string> } | undefined
      let [most, ties] = [0, 0]
      for (const choice of nextCalls(session)) {
        const about = aboutLast([...session, { ...choice.call, manner: mannersOf(choice)[0] ?? 'sound' }])
        const { isNew, weight } = this.#newOf(sequencesWith(past, about))
        if (best && weight < most) continue
        ties = weight === most ? ties + 1 : 1
        most = weight
        if (this.#chance(ties) === 0) best = { choice, about, isNew }
      }
      if (!best) return session
      for (const key of best.isNew) this.#sent.add(key)
      past.push(best.about)
      session.push({ ...best.choice.call, manner: this.#mannerFor(best.choice) })
    }
    return session
  }

  #newOf(sequences: Iterable<Sequence>): { isNew: Set<string>; weight: number } {
    const isNew = new Set<string>()
    let sum = 0
    for (const { key, weight } of sequences) {
      if (this.#sent.has(key) || isNew.has(key)) continue
      isNew.add(key)
      sum += weight
    }
    return { isNew, weight: sum }
  }

  /** Returns a usual manner, or with a chance of one in four a boundary value, preferably one that was not sent yet. */
  #mannerFor({ call, usual, values }: NextCall): string {
    const fresh = values.filter((manner) => !this.#values.has(`${call.call} ${manner}`))
    const isUsual = usual.length > 0 && (values.length === 0 || this.#chance(4) > 0)
    const among = isUsual ? usual : fresh.length > 0 ? fresh : values
    const manner = among[this.#chance(among.length)] ?? 'sound'
    this.#values.add(`${call.call} ${manner}`)
    return manner
  }
}

const mannersOf = ({ usual, values }: NextCall) => [...usual, ...values]
