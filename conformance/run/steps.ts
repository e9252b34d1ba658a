import { diagnosisSteps } from '../diagnosis/diagnoses.ts'
import { mainSteps } from '../flow/main-steps.ts'
import { questionSteps } from '../flow/question-steps.ts'
import { sideSteps } from '../flow/side-steps.ts'
import type { RunStep } from '../flow/step.ts'
import type { StepName } from '../wire/label.ts'

/** All steps that a run can take. */
export const steps: Readonly<Record<StepName, RunStep>> = {
  ...mainSteps,
  ...sideSteps,
  ...questionSteps,
  ...diagnosisSteps,
}

/** Returns steps with all steps that they need or that must run before them. */
export function withNeeds(names: Iterable<StepName>): Set<StepName> {
  const all = new Set<StepName>()
  const add = (name: StepName) => {
    if (all.has(name)) return
    all.add(name)
    const { needs, soft } = steps[name]
    for (const other of [...needs, ...soft]) add(other)
  }
  for (const name of names) add(name)
  return all
}
