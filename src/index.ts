export { createMock, type Mock, type MockOptions } from './mock.ts'
export { type Clock, manualClock, realClock } from './world/clock.ts'
