import { callAt } from '../../src/contract/call-at.ts'
import type { ServiceOperationId } from '../../src/contract/operations.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { hasOnlyCodes, hasOtherCode } from '../reading/failure-report.ts'
import { plainOf } from '../reading/plain.ts'
import {
  type Exchange,
  pathOf,
  sentJson,
  succeeded,
  succeededBeside,
  TransportError,
  Undecided,
} from '../wire/exchange.ts'
import type { Label, StepName } from '../wire/label.ts'
import type { Recorded, RunHistory } from '../wire/record.ts'
import { Broken, Crashed, Missing, Refused } from './failures.ts'

/** The settings of a run that affect verdicts. */
export interface RunSettings {
  /** Base address of the deployment, without a trailing slash. */
  readonly url: string
  readonly runId: string
  readonly profile: Profile
  /** True if there is a second key, of another tenant. */
  readonly hasSecondKey: boolean
}

/** The exchanges and steps on which a result depends. */
export interface Looked {
  /** Indexes of the exchanges, in the transcript, that were read for this result alone. */
  readonly places: Set<number>
  /** The same of those that were read for shared results, such as the identifier of a workflow. */
  readonly shared: Set<number>
  readonly steps: Set<StepName>
}

/** An entry of the transcript: an answer, or the reason why there is none. */
type Entry = { readonly place?: number; readonly about?: string } & (
  | { readonly exchange: Recorded }
  | { readonly error: Undecided | Crashed }
)

type Result = { readonly value: unknown } | { readonly error: unknown }

/**
 * The transcript of one attempt of a run: answers by the step that sent the request. Reading is pure: the same transcript
 * gives the same results. Reads are recorded, so that a verdict can name the exchanges it depends on.
 */
export class Evidence {
  readonly settings: RunSettings
  readonly attempt: number
  readonly #history: RunHistory
  readonly #isOver: (step: StepName) => boolean
  readonly #entries = new Map<StepName, Entry[]>()
  readonly #memos = new Map<string, { readonly looked: Looked; readonly result: Result }>()
  #looked: Looked = newLooked()
  /** The numbers of entries already read. A run in progress appends more. */
  #taken = { log: 0, withheld: 0, crashes: 0 }

  /** `isOver` returns whether a step without requests was finally skipped. @default true for all steps */
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

  /** All requests of the run, of all attempts, each with its answer or the reason why there is none. */
  get requests(): RunHistory['log'] {
    return this.#history.log
  }

  /** All answers of the run, of all attempts. */
  get answers(): readonly Exchange[] {
    return this.#history.log.flatMap((one) => ('status' in one ? [plainAnswer(one)] : []))
  }

  /** Adds the place in the transcript to one of `answers`, on which the result then depends. */
  recorded(answer: Exchange): Recorded {
    const place = this.#history.log.findIndex((one) => plainForms.get(one) === answer)
    this.#looked.places.add(place)
    return { ...answer, place }
  }

  /**
   * Computes a result once and caches it, also if it is an error. While a run is in progress, only results that wait for a
   * pending step are computed again.
   */
  once<T>(key: string, compute: () => T): T {
    const { looked, result } = this.#memos.get(key) ?? this.#compute(key, compute)
    for (const place of [...looked.places, ...looked.shared]) this.#looked.shared.add(place)
    for (const step of looked.steps) this.#looked.steps.add(step)
    if ('error' in result) throw result.error
    return result.value as T
  }

  /** Runs a function, and returns its result with the exchanges and steps that it read. */
  observe<T>(look: () => T): { readonly looked: Looked } & ({ readonly value: T } | { readonly error: unknown }) {
    const outer = this.#looked
    const looked = newLooked()
    this.#looked = looked
    try {
      return { value: look(), looked }
    } catch (error) {
      return { error, looked }
    } finally {
      this.#looked = outer
    }
  }

  /** Returns true if a step has sent, or tried to send, a request. Throws `Missing` if the step is pending. */
  has(step: StepName): boolean {
    return this.#find(step) !== undefined
  }

  /** Returns all answers of a step, the latest last. Throws `Missing` if the step is pending, and `Undecided` if it was skipped. */
  all(step: StepName): readonly Recorded[] {
    return answersIn(this.#of(step))
  }

  /** Returns the answers of a step up to now, also if it is pending or was skipped. Only a wait may end because of them. */
  soFar(step: StepName): readonly Recorded[] {
    this.#takeIn()
    return answersIn(this.#entries.get(step))
  }

  /** Returns the latest answer of a step. Throws like `all`, and `Undecided` if its last request got no answer. */
  last(step: StepName): Recorded {
    return answerIn(this.#of(step).at(-1) as Entry)
  }

  /** Returns the latest answer of a step with a label's `about`, or undefined if there is none. */
  about(step: StepName, about: string): Recorded | undefined {
    const entry = this.#find(step)
      ?.filter((one) => one.about === about)
      .at(-1)
    return entry && answerIn(entry)
  }

  /** Returns the latest answer of a step that must succeed. Throws like `last`, and `Refused` if it did not. */
  accepted(step: StepName): Recorded {
    const answer = this.last(step)
    if (!succeeded(answer)) throw new Refused(step, answer)
    return answer
  }

  #of(step: StepName): readonly Entry[] {
    const entries = this.#find(step)
    if (!entries) throw new Undecided(`The step '${step}'`, 'was skipped', 'an earlier step failed')
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
    const { log: first } = this.#taken
    for (const [index, one] of log.slice(first).entries()) {
      const place = first + index
      if ('failure' in one) this.#add(one.label, { place, error: new TransportError(pathOf(one.request), one.failure) })
      else if (!one.isSentAgain) this.#add(one.label, { place, exchange: { ...plainAnswer(one), place } })
    }
    for (const { label, what, why } of withheld.slice(this.#taken.withheld)) {
      this.#add(label, { error: new Undecided(what, 'was not sent', why) })
    }
    for (const one of crashes.slice(this.#taken.crashes)) this.#add(one, { error: new Crashed(one.error) })
    this.#taken = { log: log.length, withheld: withheld.length, crashes: crashes.length }
  }

  #add(label: Label | undefined, entry: Entry): void {
    if (label?.attempt !== this.attempt) return
    const { step, about } = label
    const entries = this.#entries.get(step) ?? []
    entries.push({ ...entry, ...(about !== undefined && { about }) })
    this.#entries.set(step, entries)
  }

  #compute(key: string, compute: () => unknown): { readonly looked: Looked; readonly result: Result } {
    const { looked, ...result } = this.observe(compute)
    const memo = { looked, result }
    if (!('error' in result && result.error instanceof Missing)) this.#memos.set(key, memo)
    return memo
  }
}

/** The answers in their plain form, by those of the transcript. */
const plainForms = new WeakMap<object, Exchange>()

/** Returns an answer in its plain form, in which the suite compares answers. */
export function plainAnswer(answer: Exchange): Exchange {
  const known = plainForms.get(answer)
  if (known) return known
  const json = plainOf(answer.json)
  const made = json === answer.json ? answer : { ...answer, json }
  plainForms.set(answer, made)
  return made
}

const newLooked = (): Looked => ({ places: new Set(), shared: new Set(), steps: new Set() })

const answersIn = (entries: readonly Entry[] = []) =>
  entries.flatMap((entry) => ('exchange' in entry ? [entry.exchange] : []))

function answerIn(entry: Entry): Recorded {
  if ('error' in entry) throw entry.error
  const { exchange } = entry
  if (exchange.isCut)
    throw new Undecided(pathOf(exchange.request), 'cannot be judged', 'its body is too long for the report')
  if (exchange.status !== 429) return exchange
  throw new Undecided(
    pathOf(exchange.request),
    'was not carried out',
    'the deployment answered 429 (too many requests)',
  )
}

/** The first valid call of each kind. */
const validCalls = {
  createWorkflow: 'create workflow 1',
  executeWorkflow: 'execute workflow 1',
  getWorkflow: 'read workflow 1',
  requestUpload: 'request upload 1',
  confirmUpload: 'confirm upload 1',
} as const satisfies Readonly<Record<ServiceOperationId, StepName>>

/** Returns true if a call was carried out, also if the deployment answers refusals with 200 and a code. */
export function wasCarriedOut(evidence: Evidence, answer: Exchange): boolean {
  const operation = callAt(answer.request.method, answer.request.url)
  if (!operation || operation === 'putObject') return succeeded(answer)
  const control = resultIfSucceeded(() => evidence.accepted(validCalls[operation]))
  return succeededBeside(answer, control)
}

/**
 * Returns true if a call may have succeeded. Deployments that always answer 200 refuse with a code that no accepted call has
 * in its place, and with nothing else. An accepted call without content may have its own code, so this is a reason to wait or to
 * prefer another answer, but not to accuse.
 */
export function mayHaveSucceeded(evidence: Evidence, answer: Exchange): boolean {
  const steps = ['create workflow 1', 'request upload 1'] as const
  const accepted = steps.flatMap((step) => evidence.soFar(step).filter(succeeded))
  // An answer without a body has no code.
  const control = accepted.find(({ json }) => json !== undefined)
  return succeeded(answer) && !(control && hasOtherCode(answer.json, control.json) && hasOnlyCodes(answer.json))
}

/** Returns the JSON object that a call sent. */
export function sentBody<T extends object>(exchange: Exchange): T {
  return (sentJson(exchange) ?? {}) as T
}

/**
 * Returns the result of a function, or undefined if a step failed for which another check gives the reason. Rethrows errors
 * of the suite.
 */
export function resultIfSucceeded<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (isStepFailure(error)) return undefined
    throw error
  }
}

/** Returns true if an error means that a step failed, and not that the suite failed or the step is pending. */
export function isStepFailure(error: unknown): boolean {
  return error instanceof Refused || error instanceof Undecided || error instanceof Broken
}
