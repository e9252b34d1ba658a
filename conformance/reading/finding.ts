/**
 * How sure a place is. `proven`: its value follows what was sent in at least two samples that differ, or using it works.
 * `named`: it has the contract's own name and stands beside proven places of the same thing. `likely`: it is told by
 * vocabulary, position or shape alone, and may accuse nobody.
 */
export type Strength = 'proven' | 'named' | 'likely'

/** Where something was found in an answer, and why there. */
export interface Finding {
  /** What was sought: a field of the interface document, such as `step.order`, or a fact. */
  readonly what: string
  /** The answer that it is in, such as `created` or `details`. */
  readonly answer?: string
  /** What the first sample shows there. */
  readonly value: unknown
  /** JSON Pointer; `*` stands for every item of a list. */
  readonly place: string
  /** Why it is taken for what was sought, in words for the report. */
  readonly rule: string
  readonly strength: Strength
  /** Places that were considered and not taken, each with the reason. */
  readonly rejected: readonly string[]
}

/**
 * What a failure rests on: the outcome of a call against a control; an answer in which nothing could be what is sought; or a
 * place in an answer, which is as strong as its finding.
 */
export type Ground = 'outcome' | 'absent' | Finding

/** The grounds of failures by name. */
export type GroundName = Strength | 'outcome' | 'absent'

export const groundName = (ground: Ground): GroundName => (typeof ground === 'string' ? ground : ground.strength)
