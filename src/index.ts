export { createMock, type Mock, type MockOptions } from './mock.ts'
export type { Profile } from './world/approvers.ts'
export type { Scenario } from './world/scenario.ts'
export type { World } from './world/world.ts'
