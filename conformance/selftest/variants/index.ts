import type { Choice } from '../mutant.ts'
import { compose, type Wrapper } from '../wrapper.ts'
import type { Axis } from './axis.ts'
import { behaviourAxes } from './behaviour.ts'
import { detailsAxes } from './details.ts'
import { errorAxes } from './errors.ts'
import { documentAxes, identifierAxes } from './identifiers.ts'
import { shapeAxes } from './shape.ts'
import { storageAxes } from './storage.ts'
import { transportAxes } from './transport.ts'

export type { Axis }

/** All axes, innermost first: later axes see the changes of earlier ones. */
export const axes: readonly Axis[] = [
  ...behaviourAxes,
  ...documentAxes,
  ...identifierAxes,
  ...storageAxes,
  ...detailsAxes,
  ...shapeAxes,
  ...errorAxes,
  ...transportAxes,
]

/** All choices of a single value. */
export const singleChoices: readonly Choice[] = axes.flatMap(({ axis, values }) =>
  Object.keys(values).map((value) => ({ [axis]: value })),
)

/** Returns whether a client can still find the storage key under a choice. */
export function isSound(choice: Choice): boolean {
  if (choice['storage-key'] === 'url-only') return choice['storage-url'] !== 'opaque'
  return choice['storage-key'] !== 'folder-and-url' || choice['key-middle'] !== 'name-after-hyphen'
}

/** Creates the wrapper of a choice. Throws a RangeError for an unknown axis or value. */
export function variant(choice: Choice): Wrapper {
  const known = axes.map(({ axis }) => axis)
  const stranger = Object.keys(choice).find((axis) => !known.includes(axis))
  if (stranger) throw new RangeError(`Unknown axis '${stranger}'. Use one of ${known.join(', ')}.`)
  return compose(
    ...axes.flatMap(({ axis, values }) => {
      const value = choice[axis]
      if (value === undefined) return []
      const create = Object.hasOwn(values, value) ? values[value] : undefined
      if (create) return [create()]
      throw new RangeError(`The axis ${axis} has no value '${value}'. Use one of ${Object.keys(values).join(', ')}.`)
    }),
  )
}

/** Formats a choice as on the command line. */
export function choiceText(choice: Choice): string {
  return Object.entries(choice)
    .map(([axis, value]) => `${axis}=${value}`)
    .join(',')
}
