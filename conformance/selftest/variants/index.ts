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

/** Every axis, the innermost first: what an axis changes, those behind it see. */
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

/** Every choice of one value alone. */
export const singleChoices: readonly Choice[] = axes.flatMap(({ axis, values }) =>
  Object.keys(values).map((value) => ({ [axis]: value })),
)

/** Whether a client can still find what it needs: the storage key has to stand somewhere. */
export function isSound(choice: Choice): boolean {
  if (choice['storage-key'] === 'url-only') return choice['storage-url'] !== 'opaque'
  return choice['storage-key'] !== 'folder-and-url' || choice['key-middle'] !== 'name-after-hyphen'
}

/** The wrapper of a choice; a value that does not exist is an error. */
export function variant(choice: Choice): Wrapper {
  const known = axes.map(({ axis }) => axis)
  const stranger = Object.keys(choice).find((axis) => !known.includes(axis))
  if (stranger) throw new RangeError(`There is no axis '${stranger}'. The axes are ${known.join(', ')}.`)
  return compose(
    ...axes.flatMap(({ axis, values }) => {
      const value = choice[axis]
      if (value === undefined) return []
      const create = Object.hasOwn(values, value) ? values[value] : undefined
      if (create) return [create()]
      throw new RangeError(`The axis ${axis} has no value '${value}'. It has ${Object.keys(values).join(', ')}.`)
    }),
  )
}

/** A choice as it is written on the command line. */
export function choiceText(choice: Choice): string {
  return Object.entries(choice)
    .map(([axis, value]) => `${axis}=${value}`)
    .join(',')
}
