import { emptyScenario, type Scenario } from '../../src/world/scenario.ts'
import { busyQuarter, slowApprover } from './busy.ts'
import type { ScenarioName } from './names.ts'
import { firstDay, rejected, stuckApproval, uploadExpired } from './quiet.ts'

/** The scenarios by name. The same seed creates the same people, documents and identifiers. */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  empty: emptyScenario,
  'first-day': firstDay,
  'busy-quarter': busyQuarter,
  'stuck-approval': stuckApproval,
  rejected,
  'slow-approver': slowApprover,
  'upload-expired': uploadExpired,
}
