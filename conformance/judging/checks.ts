import type { RequirementId } from '../catalogue/catalogue.ts'
import { authChecks } from './auth.ts'
import type { Check, Checks } from './check.ts'
import { detailsChecks } from './details.ts'
import { executionChecks } from './executions.ts'
import { fieldChecks } from './fields.ts'
import { inheritedChecks } from './inherited.ts'
import { orderChecks } from './step-order.ts'
import { storageChecks } from './storage.ts'
import { uploadChecks } from './uploads.ts'
import { workflowChecks } from './workflows.ts'

/** In the order of the documented flow. */
const all: Checks = {
  ...workflowChecks,
  ...fieldChecks,
  ...uploadChecks,
  ...storageChecks,
  ...executionChecks,
  ...orderChecks,
  ...detailsChecks,
  ...authChecks,
  ...inheritedChecks,
}

export const checks: readonly Check[] = Object.entries(all).map(([id, judge]) => ({ id: id as RequirementId, judge }))
