import type { Scenario } from '../../src/index.ts'
import { busyQuarter, slowApprover } from './busy.ts'
import { firstDay, rejected, stuckApproval, uploadExpired } from './quiet.ts'

/** Named starting points; the same seed makes the same people, documents and identifiers. */
export const scenarios: readonly Scenario[] = [
  firstDay,
  busyQuarter,
  stuckApproval,
  rejected,
  slowApprover,
  uploadExpired,
]
