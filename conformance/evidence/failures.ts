import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Ground } from '../reading/finding.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'

/**
 * A step of the flow did not come about, for a reason that one requirement names: that check has this verdict, and every
 * other check that needs the step is blocked by it.
 */
export class Broken extends Error {
  constructor(
    readonly by: RequirementId,
    readonly verdict: 'fail' | 'inconclusive',
    message: string,
    /** What a failure rests on; most steps break by the outcome of a call. @default 'outcome' */
    readonly ground: Ground = 'outcome',
  ) {
    super(message)
  }
}

/** A well-formed call was refused. Which requirement is to blame follows from experiments (`diagnosis/`). */
export class Refused extends Error {
  constructor(
    readonly step: StepName,
    readonly answer: Exchange,
  ) {
    super(`${step} was refused`)
  }
}

/** The transcript does not have a step that a verdict needs. A run takes the step and judges again. */
export class Missing extends Error {
  constructor(readonly step: StepName) {
    super(`The transcript has no step '${step}'`)
  }
}

/** An error of the suite ended a step, so nothing can be judged from it. */
export class Crashed extends Error {
  constructor(readonly reason: string) {
    super(reason)
  }
}
