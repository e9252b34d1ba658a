import { type Checked, checkProfile } from '../src/learn/check.ts'
import type { Profile } from '../src/profile/profile.ts'
import { deploymentOf, orUnreachable } from './deployment.ts'
import type { Surroundings } from './news.ts'
import type { RunPlan } from './plan.ts'

export interface CheckTask {
  readonly plan: RunPlan
  readonly profile: Profile
}

/** Checks a deployment as planned. */
export function checkPlanned({ plan, profile }: CheckTask, { signal }: Surroundings): Promise<Checked> {
  return orUnreachable(plan, async () => checkProfile({ ...(await deploymentOf(plan)), signal, profile }))
}
