import { Evidence, isStepFailure, type RunSettings } from '../evidence/evidence.ts'
import { Samples } from '../flow/samples.ts'
import { Settling } from '../flow/settling.ts'
import { type StepName, stepNames } from '../wire/label.ts'
import type { Crash, RunHistory } from '../wire/record.ts'
import type { Target } from '../wire/target.ts'
import { steps, withNeeds } from './steps.ts'

/** The most steps that run at the same time. */
const mostAtOnce = 8

export interface AttemptOptions {
  /** Counted from 1. */
  readonly number: number
  readonly target: Target
  readonly settings: RunSettings
  /** The exchanges of all attempts; grows during the run. */
  readonly history: RunHistory & { readonly crashes: Crash[] }
  /** Returns true if the first attempt has finished a step. */
  readonly isOverInFirst: (step: StepName) => boolean
  /** Called whenever a step has waited so long that it may fail. */
  readonly onLongWait?: ((step: StepName) => void) | undefined
}

/** An attempt at the steps of a run, with names of its own for what it creates. Each step runs once, as soon as the steps that it needs have ended. */
export class Attempt {
  readonly #options: AttemptOptions
  readonly #samples: Samples
  readonly #evidence: Evidence
  readonly #taking = new Map<StepName, Promise<void>>()
  readonly #over = new Set<StepName>()
  /** Steps that failed, or were skipped because a needed step failed. */
  readonly #passedOver = new Set<StepName>()
  /** The times at which steps have ended. */
  readonly #ends = new Map<StepName, number>()
  readonly #queue: (() => void)[] = []
  #free = mostAtOnce
  #pauses = () => {}
  /** Resolves when a step of this attempt waits for a delayed effect on the deployment. */
  readonly paused = new Promise<void>((resolve) => {
    this.#pauses = resolve
  })

  constructor(options: AttemptOptions) {
    const { number, settings, history } = options
    this.#options = options
    this.#samples = new Samples(number === 1 ? settings.runId : `${settings.runId}-${number}`)
    this.#evidence = new Evidence(history, settings, number, (step) => this.isOver(step))
  }

  /** Its number, counted from 1. */
  get number(): number {
    return this.#options.number
  }

  /** Returns true if a step has ended, or was skipped. */
  isOver(step: StepName): boolean {
    return this.#over.has(step)
  }

  /** Takes steps, and the steps that they need. Resolves when all have ended. */
  async take(names: Iterable<StepName>): Promise<void> {
    const wanted = withNeeds(names)
    // Start them in the order of the flow.
    await Promise.all(stepNames.filter((name) => wanted.has(name)).map((name) => this.#start(name, wanted)))
  }

  #start(name: StepName, wanted: ReadonlySet<StepName>): Promise<void> {
    const known = this.#taking.get(name)
    if (known) return known
    const { needs, soft, after } = steps[name]
    const ordered = after.filter((other) => wanted.has(other) || this.#taking.has(other))
    const before = [...needs, ...soft, ...ordered].map((other) => this.#start(other, wanted))
    const taking = Promise.all(before).then(() => this.#send(name))
    this.#taking.set(name, taking)
    return taking
  }

  async #send(name: StepName): Promise<void> {
    if (steps[name].needs.some((need) => this.#passedOver.has(need))) {
      this.#passedOver.add(name)
      this.#over.add(name)
      return
    }
    await this.#place()
    const { number, target, history, settings, isOverInFirst, onLongWait } = this.#options
    const onPause = (isLong: boolean) => {
      this.#pauses()
      if (isLong) onLongWait?.(name)
    }
    try {
      await steps[name].send({
        step: name,
        evidence: this.#evidence,
        target: target.withLabel({ step: name, attempt: number }),
        samples: this.#samples,
        settling: new Settling(target.transport, settings.profile.settleSeconds, onPause, this.#ends),
        isOverInFirst: () => isOverInFirst(name),
      })
    } catch (error) {
      if (isStepFailure(error)) this.#passedOver.add(name)
      else history.crashes.push({ step: name, attempt: number, error: textOf(error) })
    } finally {
      this.#over.add(name)
      this.#ends.set(name, target.transport.time.now())
      this.#leave()
    }
  }

  /** Resolves when another step may run. */
  #place(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve) => this.#queue.push(resolve))
  }

  #leave(): void {
    const next = this.#queue.shift()
    if (next) next()
    else this.#free += 1
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
