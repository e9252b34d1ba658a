/** Changes single values of a sound request body, to find out what a deployment makes of them. */
import { pointerSteps } from '../../src/contract/json.ts'

/** A value that is left out. */
export const missing = Symbol('missing')

/** Returns another value in place of one; `index` is its position among those that the pointer names. */
type Change = (value: never, index: number) => unknown

/**
 * Returns a body with another value at a place. `*` in the pointer is every item of a list; `change` is the new value, `missing`, or a
 * function that computes it from the old one.
 *
 * @example changed(body, '/steps/0/order', (order: number) => order + 1)
 */
export function changed<Sound extends object>(sound: Sound, pointer: string, change: unknown): Sound {
  return changedAt(structuredClone(sound), pointerSteps(pointer), change, 0) as Sound
}

function changedAt(value: unknown, [name, ...rest]: readonly string[], change: unknown, index: number): unknown {
  if (name === undefined) return typeof change === 'function' ? (change as Change)(value as never, index) : change
  const around = value as Record<string, unknown>
  for (const [at, own] of (name === '*' ? Object.keys(around) : [name]).entries()) {
    const inner = changedAt(around[own], rest, change, name === '*' ? at : index)
    if (inner === missing) delete around[own]
    else around[own] = inner
  }
  return around
}
