/** Work that can be interrupted at each `yield`. Until it ends, the state it changes is inconsistent and must not be used. */
export type Work<Result = void> = Generator<undefined, Result, undefined>

/** Runs work to its end without interruption. */
export function doAtOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

export function isWork<Result>(value: Result | Work<Result>): value is Work<Result> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value
}
