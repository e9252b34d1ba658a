import type { Wrapper } from '../wrapper.ts'

/** A choice that the document leaves open. The reference's own choice is not listed. */
export interface Axis {
  readonly axis: string
  readonly values: Readonly<Record<string, () => Wrapper>>
}
