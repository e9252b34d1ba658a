/**
 * The mock as a function, without a port. Runs in Node and in browsers.
 *
 * @module countersign
 */
export type { ScenarioName } from '../mocks/scenarios/names.ts'
export type { AdminGuardOptions } from './http/admin/admin-guard.ts'
export type { Fetch } from './http/wire/fetch.ts'
export { createMock, type Mock, type MockOptions } from './mock.ts'
export type { StepDecision, TenantEvent } from './steering/steering.ts'
export type { ApproverProfile } from './world/approvers.ts'
export { Random } from './world/random.ts'
export type { Scenario } from './world/scenario.ts'
export type { Fault, Settings } from './world/settings.ts'
export type { World } from './world/world.ts'
