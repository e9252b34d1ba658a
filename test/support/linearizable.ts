/** A call and its answer. Times are numbers in the order in which things were seen. */
export interface Operation<Input, Output> {
  readonly input: Input
  /** Undefined if there was no answer: the call may have had its effect at any time since, or never. */
  readonly output: Output | undefined
  readonly called: number
  /** Infinite if there was no answer. */
  readonly returned: number
}

/** The behaviour of one object that serves one call at a time. */
export interface Model<State, Input, Output> {
  readonly initial: State
  /** Returns the state after a call, or undefined if the answer is impossible in this state. */
  step(state: State, input: Input, output: Output | undefined): State | undefined
  /** Returns a text that is equal for equal states. */
  key(state: State): string
}

/** A state that may be the current one, and the calls without an answer yet that have had their effect in it. */
interface Configuration<State> {
  readonly state: State
  readonly done: ReadonlySet<number>
}

/**
 * Checks whether there is an order of all operations that the model allows, in which each has its effect between its call and its
 * answer (Herlihy and Wing 1990). Follows all possible states from answer to answer, and orders only what an answer asks for.
 * Returns the first operation whose answer is impossible; undefined if there is none.
 */
export function findViolation<State, Input, Output>(
  { initial, step, key }: Model<State, Input, Output>,
  operations: readonly Operation<Input, Output>[],
): Operation<Input, Output> | undefined {
  const moments = operations.flatMap(({ called, returned }, index) => [
    { at: called, index, isCall: true },
    ...(returned === Number.POSITIVE_INFINITY ? [] : [{ at: returned, index, isCall: false }]),
  ])
  const open = new Set<number>()
  let possible: Configuration<State>[] = [{ state: initial, done: new Set() }]
  const keyOf = ({ state, done }: Configuration<State>) => `${[...done].sort((a, b) => a - b).join()} ${key(state)}`

  /** Returns the configurations in which an operation has had its effect, after any others that are open. */
  function until(index: number): Configuration<State>[] {
    const found = new Map<string, Configuration<State>>()
    const seen = new Set<string>()
    const rest = [...possible]
    for (let one = rest.pop(); one; one = rest.pop()) {
      const place = keyOf(one)
      if (seen.has(place)) continue
      seen.add(place)
      if (one.done.has(index)) {
        const done = new Set(one.done)
        done.delete(index)
        const after = { state: one.state, done }
        found.set(keyOf(after), after)
        continue
      }
      for (const next of open) {
        if (one.done.has(next)) continue
        const { input, output } = operations[next] as Operation<Input, Output>
        const state = step(one.state, input, output)
        if (state !== undefined) rest.push({ state, done: new Set([...one.done, next]) })
      }
    }
    return [...found.values()]
  }

  for (const { index, isCall } of moments.sort((one, other) => one.at - other.at)) {
    if (isCall) {
      open.add(index)
      continue
    }
    possible = until(index)
    open.delete(index)
    if (possible.length === 0) return operations[index]
  }
  return undefined
}
