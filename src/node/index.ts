/**
 * The mock as a server. Runs in Node.
 *
 * @module countersign/node
 */
export type { Mock } from '../mock.ts'
export type { PatienceOptions } from './http.ts'
export type { S3Options } from './s3/s3-client.ts'
export { type RunningMock, type StartOptions, startMock } from './start-mock.ts'
