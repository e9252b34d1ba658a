/**
 * The strength of a place. `proven`: its value follows the sent one in at least two samples that differ, or using it works.
 * `named`: it has the contract's name and is beside proven places of the same object. `likely`: it is recognized only by
 * vocabulary, position or shape, and must not fail a check.
 */
export type Strength = 'proven' | 'named' | 'likely'

/** A place in an answer where a value was found, and the rule that found it. */
export interface Finding {
  /** The field of the interface document, such as `step.order`, or the fact. */
  readonly what: string
  /** The answer that it is in, such as `created` or `details`. */
  readonly answer?: string
  /** The value in the first sample. */
  readonly value: unknown
  /** JSON Pointer; `*` is any item of a list. */
  readonly place: string
  /** The rule that found it, in words for the report. */
  readonly rule: string
  readonly strength: Strength
  /** Rejected candidates, each with the reason. */
  readonly rejected: readonly string[]
}

/**
 * The ground of a failure: the outcome of a call against a control; an answer in which nothing could be what is sought; or a
 * place in an answer, which is as strong as its finding.
 */
export type Ground = 'outcome' | 'absent' | Finding

/** The grounds of failures by name. */
export type GroundName = Strength | 'outcome' | 'absent'

export const groundName = (ground: Ground): GroundName => (typeof ground === 'string' ? ground : ground.strength)
