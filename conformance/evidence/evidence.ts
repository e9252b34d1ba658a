import type { Profile } from '../reading/profile.ts'
import { type Exchange, pathOf, sentJson, succeeded, TransportError, Undecided } from '../wire/exchange.ts'
import type { Label, StepName } from '../wire/label.ts'
import type { Recorded, RunHistory } from '../wire/record.ts'
import { Broken, Crashed, Missing, Refused } from './failures.ts'

/** What a run was told, as far as verdicts depend on it. */
export interface RunSettings {
  /** Base address of the deployment, without a trailing slash. */
  readonly url: string
  readonly runId: string
  readonly profile: Profile
  /** Whether there is a second key, of another tenant. */
  readonly hasSecondKey: boolean
}

/** What was looked at to reach a result. */
export interface Looked {
  /** Places of exchanges in the transcript. */
  readonly places: Set<number>
  readonly steps: Set<StepName>
}

/** An entry of the transcript: an answer, or why there is none. */
type Entry = { readonly place?: number; readonly about?: string } & (
  | { readonly exchange: Recorded }
  | { readonly error: Undecided | Crashed }
)

type Result = { readonly value: unknown } | { readonly error: unknown }

/**
 * One attempt of a run as its transcript shows it: answers by the step that sent the request. Reading it is pure: the same
 * transcript gives the same results. It keeps what was looked at, so that a verdict can name the exchanges it rests on.
 */
export class Evidence {
  readonly settings: RunSettings
  readonly attempt: number
  readonly #history: RunHistory
  readonly #isOver: (step: StepName) => boolean
  readonly #entries = new Map<StepName, Entry[]>()
  readonly #memos = new Map<string, { readonly looked: Looked; readonly result: Result }>()
  readonly #computing = new Set<string>()
  #looked: Looked = { places: new Set(), steps: new Set() }
  /** How much of the history has been taken in; a run that goes on appends to it. */
  readonly #taken = { log: 0, withheld: 0, crashes: 0 }

  /** `isOver` says whether a step that has sent nothing was passed over for good. @default all of them */
  constructor(
    history: RunHistory,
    settings: RunSettings,
    attempt = 1,
    isOver: (step: StepName) => boolean = () => true,
  ) {
    this.#history = history
    this.settings = settings
    this.attempt = attempt
    this.#isOver = isOver
  }

  /** Every answer of the run, of all attempts. */
  get answers(): readonly Exchange[] {
    return this.#history.log.filter((one): one is Exchange => 'status' in one)
  }

  /**
   * Computes something once; asked again, returns the same result or throws the same error. While a run goes on, only what
   * waits for a step that is still to be taken is computed again.
   */
  once<T>(key: string, compute: () => T): T {
    if (this.#computing.has(key)) throw new Crashed(`${key} needs itself`)
    const { looked, result } = this.#memos.get(key) ?? this.#compute(key, compute)
    for (const place of looked.places) this.#looked.places.add(place)
    for (const step of looked.steps) this.#looked.steps.add(step)
    if ('error' in result) throw result.error
    return result.value as T
  }

  /** Runs something, and returns what it looked at beside its result. */
  observe<T>(look: () => T): { readonly looked: Looked } & ({ readonly value: T } | { readonly error: unknown }) {
    const outer = this.#looked
    const looked: Looked = { places: new Set(), steps: new Set() }
    this.#looked = looked
    try {
      return { value: look(), looked }
    } catch (error) {
      return { error, looked }
    } finally {
      this.#looked = outer
    }
  }

  /** Whether a step has sent anything, or tried to. Throws `Missing` if it is still to be taken. */
  has(step: StepName): boolean {
    return this.#find(step) !== undefined
  }

  /** Every answer of a step, the latest last. Throws `Missing` if it is still to be taken, and `Undecided` if it was passed over. */
  all(step: StepName): readonly Recorded[] {
    return this.#of(step).flatMap((entry) => ('exchange' in entry ? [entry.exchange] : []))
  }

  /** The latest answer of a step. Throws as `all` does, and `Undecided` if its last request got no answer. */
  last(step: StepName): Recorded {
    return answerIn(this.#of(step).at(-1))
  }

  /** The latest answer of a step about something, or undefined if it has sent nothing about it. */
  about(step: StepName, about: string): Recorded | undefined {
    const entry = this.#find(step)
      ?.filter((one) => one.about === about)
      .at(-1)
    return entry && answerIn(entry)
  }

  /** The latest answer of a step that has to be carried out. Throws as `last` does, and `Refused` if it was not. */
  accepted(step: StepName): Recorded {
    const answer = this.last(step)
    if (!succeeded(answer)) throw new Refused(step, answer)
    return answer
  }

  #of(step: StepName): readonly Entry[] {
    const entries = this.#find(step)
    if (!entries) throw new Undecided(`The step '${step}'`, 'was not taken', 'a step before it did not come about')
    return entries
  }

  #find(step: StepName): readonly Entry[] | undefined {
    this.#takeIn()
    this.#looked.steps.add(step)
    const entries = this.#entries.get(step)
    if (!entries && !this.#isOver(step)) throw new Missing(step)
    for (const { place } of entries ?? []) if (place !== undefined) this.#looked.places.add(place)
    return entries
  }

  #takeIn(): void {
    const { log, withheld, crashes } = this.#history
    for (; this.#taken.log < log.length; this.#taken.log += 1) {
      const [place, one] = [this.#taken.log, log[this.#taken.log]]
      if (!one || ('status' in one && one.isSentAgain)) continue
      const error = 'failure' in one && new TransportError(pathOf(one.request), one.failure)
      this.#add(one.label, error ? { place, error } : { place, exchange: { ...(one as Exchange), place } })
    }
    for (; this.#taken.withheld < withheld.length; this.#taken.withheld += 1) {
      const one = withheld[this.#taken.withheld]
      if (one) this.#add(one.label, { error: new Undecided(one.what, 'was not sent', one.why) })
    }
    for (; this.#taken.crashes < crashes.length; this.#taken.crashes += 1) {
      const one = crashes[this.#taken.crashes]
      if (one) this.#add(one, { error: new Crashed(one.error) })
    }
  }

  #add(label: Label | undefined, entry: Entry): void {
    if (label?.attempt !== this.attempt) return
    const { step, about } = label
    const entries = this.#entries.get(step) ?? []
    entries.push({ ...entry, ...(about !== undefined && { about }) })
    this.#entries.set(step, entries)
  }

  #compute(key: string, compute: () => unknown): { readonly looked: Looked; readonly result: Result } {
    this.#computing.add(key)
    const { looked, ...result } = this.observe(compute)
    this.#computing.delete(key)
    const memo = { looked, result }
    const isFinal = !('error' in result) || !(result.error instanceof Missing)
    if (isFinal) this.#memos.set(key, memo)
    return memo
  }
}

function answerIn(entry: Entry | undefined): Recorded {
  if (!entry) throw new Crashed('A step has an entry that is no answer')
  if ('error' in entry) throw entry.error
  const { exchange } = entry
  if (exchange.isCut)
    throw new Undecided(pathOf(exchange.request), 'cannot be judged', 'its body is too long to be kept')
  if (exchange.status !== 429) return exchange
  throw new Undecided(pathOf(exchange.request), 'was not carried out', 'the deployment answers 429')
}

/** Returns the JSON object that a call has sent. */
export function sentBody<T extends object>(exchange: Exchange): T {
  return (sentJson(exchange) ?? {}) as T
}

/**
 * Returns what a step comes to, or undefined if it did not come about for a reason that another check tells. An error of the
 * suite is thrown on.
 */
export function ifCameAbout<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (didNotComeAbout(error)) return undefined
    throw error
  }
}

/** Whether an error says that a step did not come about, and not that the suite is broken or has not taken it yet. */
export function didNotComeAbout(error: unknown): boolean {
  return error instanceof Refused || error instanceof Undecided || error instanceof Broken
}
