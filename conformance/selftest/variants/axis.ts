import type { Wrapper } from '../wrapper.ts'

/** A choice that the document leaves open. What the reference chose is the value that is not listed. */
export interface Axis {
  readonly axis: string
  readonly values: Readonly<Record<string, () => Wrapper>>
}
