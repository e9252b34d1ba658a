export type { Mock } from '../mock.ts'
export { type RunningMock, type StartOptions, startMock } from './start-mock.ts'
