import type { ProfileChange } from '../profile-changes.ts'
import type { Wrapper } from '../wrapper.ts'

/** A choice that the document leaves open. The reference's own choice is not listed. */
export type Axis = ShapeAxis | BehaviourAxis

/** A choice of how answers look. Each value is a change of a profile. */
interface ShapeAxis {
  readonly axis: string
  readonly of: 'shape'
  readonly values: Readonly<Record<string, ProfileChange>>
}

/** A choice of what calls do. */
interface BehaviourAxis {
  readonly axis: string
  readonly of: 'behaviour'
  readonly values: Readonly<Record<string, Wrapper>>
}

/** Creates an axis of how answers look. */
export function shapes(axis: string, values: ShapeAxis['values']): Axis {
  return { axis, of: 'shape', values }
}

/** Creates an axis of what calls do. */
export function behaviours(axis: string, values: BehaviourAxis['values']): Axis {
  return { axis, of: 'behaviour', values }
}
