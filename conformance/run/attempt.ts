import { didNotComeAbout, Evidence, type RunSettings } from '../evidence/evidence.ts'
import { Samples } from '../flow/samples.ts'
import { Settling } from '../flow/settling.ts'
import { type StepName, stepNames } from '../wire/label.ts'
import type { Crash, RunHistory } from '../wire/record.ts'
import type { Target } from '../wire/target.ts'
import { steps, withNeeds } from './steps.ts'

/** At most so many steps are taken at the same time. */
const mostAtOnce = 8

export interface AttemptOptions {
  /** Counted from 1. */
  readonly number: number
  readonly target: Target
  readonly settings: RunSettings
  /** Everything that is sent, by all attempts; grows. */
  readonly history: RunHistory & { readonly crashes: Crash[] }
  /** Called each time when a step waits so long that it may well fail. */
  readonly onLongWait?: (step: StepName) => void
}

/** One go at the steps of a run, with names of its own. Each step is taken once, as soon as what it needs is there. */
export class Attempt {
  readonly #options: AttemptOptions
  readonly #samples: Samples
  readonly #evidence: Evidence
  readonly #taking = new Map<StepName, Promise<void>>()
  readonly #over = new Set<StepName>()
  /** Steps that were passed over, for something that they need did not come about. */
  readonly #passedOver = new Set<StepName>()
  readonly #queue: (() => void)[] = []
  #free = mostAtOnce
  #pauses = () => {}
  /** Resolves when a step of this attempt waits for what the deployment does a little later. */
  readonly paused = new Promise<void>((resolve) => {
    this.#pauses = resolve
  })

  constructor(options: AttemptOptions) {
    const { number, settings, history } = options
    this.#options = options
    this.#samples = new Samples(number === 1 ? settings.runId : `${settings.runId}-${number}`)
    this.#evidence = this.#evidenceOf(history)
  }

  /** What is known by now. */
  evidence(): Evidence {
    return this.#evidenceOf(this.#options.history)
  }

  /** Takes steps, and what they need. Resolves when all of them are over. */
  async take(names: Iterable<StepName>): Promise<void> {
    const wanted = withNeeds(names)
    // In the order of the flow, which is that of their names.
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
    const { number, target, history, settings, onLongWait } = this.#options
    try {
      await steps[name].send({
        evidence: this.#evidence,
        target: target.labelled({ step: name, attempt: number }),
        samples: this.#samples,
        settling: new Settling(target.transport, settings.profile.settleSeconds, (isLong) => {
          this.#pauses()
          if (isLong) onLongWait?.(name)
        }),
      })
    } catch (error) {
      if (didNotComeAbout(error)) this.#passedOver.add(name)
      else history.crashes.push({ step: name, attempt: number, error: textOf(error) })
    } finally {
      this.#over.add(name)
      this.#leave()
    }
  }

  /** Resolves when there is a free place among those that are sent at the same time. */
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

  #evidenceOf(history: RunHistory): Evidence {
    const { settings, number } = this.#options
    return new Evidence(history, settings, number, (step) => this.#over.has(step))
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
