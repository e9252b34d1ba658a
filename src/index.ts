/**
 * The mock as a function, without a port. Runs in Node and in browsers.
 *
 * @module countersign
 */
export type { ScenarioName } from '../mocks/scenarios/names.ts'
export type { AdminGuardOptions } from './http/admin/admin-guard.ts'
export type { JournalEntry } from './http/service/journal-entry.ts'
export { createMock, type Mock, type MockOptions } from './mock.ts'
export type { Profile } from './profile/profile.ts'
export type { SessionFile } from './session/session.ts'
export type { StepDecision } from './steering/steering.ts'
export type { RefusalReason } from './wire/exchange.ts'
export type { LoggedRequest, RequestEntry } from './wire/exchanges.ts'
export { BrokenConnectionError, type Fetch } from './wire/fetch.ts'
export type { NextAnswer, WaitingAnswer } from './wire/next-answers.ts'
export type { ApproverProfile } from './world/approvers.ts'
export {
  type Archive,
  ArchiveError,
  type LogRecord,
  type PastRecord,
  UnavailableError,
} from './world/archive.ts'
export type { Files, IncomingFile } from './world/files.ts'
export { Random } from './world/random.ts'
export type { Scenario } from './world/scenario.ts'
export type { Fault, Latency, Settings } from './world/settings.ts'
export type { TenantFile } from './world/tenant-file.ts'
export type { World } from './world/world.ts'
