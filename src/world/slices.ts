import { doAtOnce, isWork, type Work } from '../domain/work.ts'

export { doAtOnce, isWork, type Work }

/** Calls `next` with a value: now, or once it resolves if it is a promise. */
export function whenDone<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Measures slices, and yields to other tasks between them. */
export interface Scheduler {
  /** Milliseconds since any fixed time. */
  now(): number
  /** Calls `run` once, after the tasks that are already waiting. */
  later(run: () => void): void
}

export interface SlicesOptions {
  /** The longest time that work runs before it yields to other tasks, in milliseconds. @default 20 */
  readonly sliceMs?: number
  /** @default the real time, and the event loop */
  readonly scheduler?: Scheduler
}

/**
 * Runs long work in slices, so that other requests are served in between. Work with the same name runs sequentially, in the
 * order of its arrival; different names take turns.
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

  /** Checks whether work with this name is in progress. */
  isBusy(name: string): boolean {
    return this.#queues.has(name)
  }

  /** Runs work as soon as possible. Returns its result if it ends within the first slice, otherwise a promise. */
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

  /** Calls `call` synchronously: work started in it, and all earlier work with the same name, runs to its end. */
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
    // Work that starts more work with the same name continues after it.
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

  /** Runs a queue until it is empty or the slice ends. Returns true if the slice has ended. */
  #runUntil(end: number, name: string, queue: Steps[]): boolean {
    for (let job = queue[0]; job; job = queue[0]) {
      job.step()
      if (job.isOver) queue.shift()
      if (this.#scheduler.now() < end) continue
      // Moves to the end, so that the other queues go first in the next slice.
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

/** Work in progress. */
type Steps = Pick<Job, 'isOver' | 'isRunning' | 'step'>

type Outcome<Result> = { readonly value: Result } | { readonly error: unknown }

/** A piece of work, and the promise of its result. */
class Job<Result = unknown> {
  readonly #work: Work<Result>
  #outcome: Outcome<Result> | undefined
  #settle: ((outcome: Outcome<Result>) => void) | undefined
  isRunning = false

  constructor(work: Work<Result>) {
    this.#work = work
  }

  get isOver(): boolean {
    return this.#outcome !== undefined
  }

  /** Continues until the next `yield`. Never throws. */
  step(): void {
    this.isRunning = true
    try {
      const step = this.#work.next()
      if (step.done) this.#outcome = { value: step.value }
    } catch (error) {
      this.#outcome = { error }
    } finally {
      this.isRunning = false
    }
    if (this.#outcome) this.#settle?.(this.#outcome)
  }

  /** Returns the result, or a promise of it. Throws or rejects with the error of the work. */
  result(): Result | Promise<Result> {
    const outcome = this.#outcome
    if (outcome && 'error' in outcome) throw outcome.error
    if (outcome) return outcome.value
    return new Promise((resolve, reject) => {
      this.#settle = (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value))
    })
  }
}

/** Runs between tasks of the event loop. Captured at load time: a test that fakes timers later must not stop the mock. */
export const eventLoop: Scheduler = { now: () => performance.now(), later: laterHere() }

function laterHere(): Scheduler['later'] {
  const { setImmediate } = globalThis
  // Browsers throttle timers, but not messages.
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
