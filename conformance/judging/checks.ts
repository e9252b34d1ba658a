import { authChecks } from './auth.ts'
import type { Check } from './check.ts'
import { detailsChecks } from './details.ts'
import { executionChecks } from './executions.ts'
import { fieldChecks } from './fields.ts'
import { inheritedChecks } from './inherited.ts'
import { orderChecks } from './step-order.ts'
import { storageChecks } from './storage.ts'
import { uploadChecks } from './uploads.ts'
import { workflowChecks } from './workflows.ts'

/** All checks, in the order of the documented flow. */
export const checks: readonly Check[] = [
  ...workflowChecks,
  ...fieldChecks,
  ...uploadChecks,
  ...storageChecks,
  ...executionChecks,
  ...orderChecks,
  ...detailsChecks,
  ...authChecks,
  ...inheritedChecks,
]
