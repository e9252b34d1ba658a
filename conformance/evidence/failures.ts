import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Ground } from '../reading/finding.ts'
import type { StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import type { Compared } from './particulars.ts'

/**
 * A step of the flow failed because of one requirement. Its check gets this verdict, and all other checks that need the step
 * are blocked by it.
 */
export class Broken extends Error {
  constructor(
    readonly by: RequirementId,
    readonly verdict: 'fail' | 'inconclusive',
    message: string,
    /** The ground of the failure; most steps break by the outcome of a call. @default 'outcome' */
    readonly ground: Ground = 'outcome',
    /** @default the refused call, if it explains a refusal */
    readonly compared?: Compared,
  ) {
    super(message)
  }
}

/** A valid call was refused. Experiments (`diagnosis/`) find the broken requirement. */
export class Refused extends Error {
  constructor(
    readonly step: StepName,
    readonly answer: Recorded,
  ) {
    super(`The step '${step}' was refused`)
  }
}

/** The transcript does not have a step that a verdict needs. The run then takes the step and judges again. */
export class Missing extends Error {
  constructor(readonly step: StepName) {
    super(`The transcript has no step '${step}'`)
  }
}

/** A step ended with an error of the suite itself, so it cannot be judged. */
export class Crashed extends Error {
  constructor(readonly reason: string) {
    super(reason)
  }
}
