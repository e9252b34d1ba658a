import type { Mutant } from '../mutant.ts'
import { authMutants } from './auth.ts'
import { confirmMutants } from './confirm.ts'
import { confirmEffectMutants } from './confirm-effects.ts'
import { contradictionMutants } from './contradictions.ts'
import { detailsMutants } from './details.ts'
import { executionEffectMutants } from './execution-effects.ts'
import { executionMutants } from './executions.ts'
import { inheritedHttpMutants } from './inherited-http.ts'
import { inheritedRuleMutants } from './inherited-rules.ts'
import { laterMutants } from './later.ts'
import { nameMutants } from './names.ts'
import { routingMutants } from './routing.ts'
import { stepOrderMutants } from './step-order.ts'
import { stepMutants } from './steps.ts'
import { storageMutants } from './storage.ts'
import { storageKeyMutants } from './storage-keys.ts'
import { unnamedMutants } from './unnamed.ts'
import { uploadMutants } from './uploads.ts'
import { workflowFieldMutants } from './workflow-fields.ts'
import { workflowIdentityMutants } from './workflow-identity.ts'
import { workflowRuleMutants } from './workflow-rules.ts'
import { workflowMutants } from './workflows.ts'

/** All mutants: first those that break a documented fact, then those that break none. */
export const mutants: readonly Mutant[] = [
  ...authMutants,
  ...routingMutants,
  ...workflowFieldMutants,
  ...workflowMutants,
  ...stepMutants,
  ...nameMutants,
  ...workflowRuleMutants,
  ...workflowIdentityMutants,
  ...executionMutants,
  ...executionEffectMutants,
  ...stepOrderMutants,
  ...detailsMutants,
  ...contradictionMutants,
  ...uploadMutants,
  ...storageKeyMutants,
  ...storageMutants,
  ...confirmMutants,
  ...confirmEffectMutants,
  ...laterMutants,
  ...unnamedMutants,
  ...inheritedHttpMutants,
  ...inheritedRuleMutants,
]

/** Returns the mutant with an id. */
export function mutantOf(id: string): Mutant | undefined {
  return mutants.find((mutant) => mutant.id === id)
}
