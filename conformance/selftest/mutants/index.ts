import type { Mutant } from '../mutant.ts'
import { authMutants } from './auth.ts'
import { confirmMutants } from './confirm.ts'
import { detailsMutants } from './details.ts'
import { executionMutants } from './executions.ts'
import { inheritedMutants } from './inherited.ts'
import { routingMutants } from './routing.ts'
import { storageMutants } from './storage.ts'
import { uploadMutants } from './uploads.ts'
import { workflowRuleMutants } from './workflow-rules.ts'
import { workflowMutants } from './workflows.ts'

/** Every mutant: those that break a documented fact first, then those that break none. */
export const mutants: readonly Mutant[] = [
  ...authMutants,
  ...routingMutants,
  ...workflowMutants,
  ...workflowRuleMutants,
  ...executionMutants,
  ...detailsMutants,
  ...uploadMutants,
  ...storageMutants,
  ...confirmMutants,
  ...inheritedMutants,
]

/** The mutant with an id. */
export function mutantOf(id: string): Mutant | undefined {
  return mutants.find((mutant) => mutant.id === id)
}
