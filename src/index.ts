export { createMock, type Mock, type MockOptions } from './mock.ts'
