import { doAtOnce, isWork, type Work } from '../domain/work.ts'

export { doAtOnce, isWork, type Work }

/** Calls `next` with a value, when it is there: now unless it is a promise. */
export function whenDone<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Measures slices, and lets others run between them. */
export interface Scheduler {
  /** Milliseconds since any fixed time. */
  now(): number
  /** Runs once, after whatever else the process has to do now. */
  later(run: () => void): void
}

export interface SlicesOptions {
  /** How long work may run before others have their turn, in milliseconds. @default 20 */
  readonly sliceMs?: number
  /** @default the real time, and the event loop */
  readonly scheduler?: Scheduler
}

/** Work on its way. */
interface Steps {
  readonly isOver: boolean
  readonly isRunning: boolean
  /** Goes on until the next interruption. Never throws. */
  step(): void
}

/**
 * Does long work in slices, one at a time, so that everybody else is served in between. Work with the same name is done one
 * after the other, in the order in which it came; different names take turns.
 */
export class Slices {
  readonly #queues = new Map<string, Steps[]>()
  readonly #sliceMs: number
  readonly #scheduler: Scheduler
  #isScheduled = false
  #isRunning = false
  #isAtOnce = false

  constructor({ sliceMs = 20, scheduler = eventLoop }: SlicesOptions = {}) {
    this.#sliceMs = sliceMs
    this.#scheduler = scheduler
  }

  /** Whether work with this name has not ended. */
  isBusy(name: string): boolean {
    return this.#queues.has(name)
  }

  /** Does the work as soon as it may. Returns its result if that is there by the end of the first slice, else a promise. */
  run<Result>(name: string, work: Work<Result>): Result | Promise<Result> {
    if (this.#isAtOnce) {
      this.#finish(name)
      return doAtOnce(work)
    }
    const job = new Job(work)
    const queue = this.#queues.get(name)
    if (queue) queue.push(job)
    else this.#queues.set(name, [job])
    if (!this.#isScheduled && !this.#isRunning) this.#runSlice()
    return job.result()
  }

  /** For callers that cannot wait: while `call` runs, work is done to its end, and so is all work with the same name before it. */
  atOnce<Result>(call: () => Result | Promise<Result>): Result {
    const before = this.#isAtOnce
    this.#isAtOnce = true
    try {
      const result = call()
      if (result instanceof Promise) throw new TypeError('Synchronous work must not return a promise.')
      return result
    } finally {
      this.#isAtOnce = before
    }
  }

  #finish(name: string): void {
    const queue = this.#queues.get(name)
    // Work that asks for more work on the same thing goes on after it.
    if (!queue || queue[0]?.isRunning) return
    for (const job of queue) while (!job.isOver) job.step()
    this.#queues.delete(name)
  }

  #runSlice(): void {
    const { now } = this.#scheduler
    const end = now() + this.#sliceMs
    this.#isRunning = true
    try {
      for (const [name, queue] of this.#queues) {
        if (this.#runUntil(end, name, queue)) break
      }
    } finally {
      this.#isRunning = false
    }
    if (this.#queues.size > 0) this.#schedule()
  }

  /** Works on a queue until it is empty or the slice has ended; returns whether the slice has ended. */
  #runUntil(end: number, name: string, queue: Steps[]): boolean {
    for (let job = queue[0]; job; job = queue[0]) {
      job.step()
      if (job.isOver) queue.shift()
      if (this.#scheduler.now() < end) continue
      // The others go first in the next slice.
      this.#queues.delete(name)
      if (queue.length > 0) this.#queues.set(name, queue)
      return true
    }
    this.#queues.delete(name)
    return false
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#scheduler.later(() => {
      this.#isScheduled = false
      this.#runSlice()
    })
  }
}

type Outcome<Result> = { readonly value: Result } | { readonly error: unknown }

/** A piece of work, and whoever waits for it. */
class Job<Result> implements Steps {
  readonly #work: Work<Result>
  #outcome: Outcome<Result> | undefined
  #settle: ((outcome: Outcome<Result>) => void) | undefined
  #isRunning = false

  constructor(work: Work<Result>) {
    this.#work = work
  }

  get isOver(): boolean {
    return this.#outcome !== undefined
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  step(): void {
    this.#isRunning = true
    try {
      const step = this.#work.next()
      if (step.done) this.#end({ value: step.value })
    } catch (error) {
      this.#end({ error })
    } finally {
      this.#isRunning = false
    }
  }

  /** The result; a promise until it is there. Throws or rejects with what the work throws. */
  result(): Result | Promise<Result> {
    if (this.#outcome) return valueFrom(this.#outcome)
    return new Promise((resolve, reject) => {
      this.#settle = (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value))
    })
  }

  #end(outcome: Outcome<Result>): void {
    this.#outcome = outcome
    this.#settle?.(outcome)
  }
}

function valueFrom<Result>(outcome: Outcome<Result>): Result {
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

/** Between two tasks of the event loop. Taken when this file is loaded: a test that fakes timers later must not stop the mock. */
const eventLoop: Scheduler = { now: () => performance.now(), later: laterHere() }

function laterHere(): Scheduler['later'] {
  const { setImmediate } = globalThis
  // Browsers slow timers down, but no messages.
  return setImmediate ?? afterMessage
}

function afterMessage(run: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    run()
  }
  port2.postMessage(undefined)
}
