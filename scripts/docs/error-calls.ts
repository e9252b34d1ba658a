import { type ContractOperation, type Node, operationsOf, resolve } from '../contract.ts'
import type { ErrorCall } from './error-call.ts'
import { adminErrorCalls } from './error-calls-admin.ts'
import { specificErrorCalls } from './error-calls-specific.ts'
import { refusalsOf } from './refusals.ts'
import { exampleBody, examplePathParameters, fillPath } from './samples.ts'
import { environment, type ShellCall } from './shell.ts'

/** Returns the errors that every operation of the service has. */
function commonErrorCalls(document: Node, operation: ContractOperation): ErrorCall[] {
  const { operationId, method, path } = operation
  const body = exampleBody(document, operation)
  const sound: ShellCall = {
    method,
    address: fillPath(path, examplePathParameters(document, operation)),
    headers: { Authorization: environment.key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const { Authorization: _, ...withoutKey } = sound.headers ?? {}
  const refused = refusalsOf(operationId, sound)
  const ofEveryCall = [
    refused(400, 'invalid-preference', 'Asks for an answer that the contract does not have (`Prefer`).', {
      headers: { ...sound.headers, Prefer: 'code=418' },
    }),
    refused(401, 'missing-key', 'Has no `Authorization` header.', { headers: withoutKey }),
    refused(401, 'key-with-scheme', 'Has a scheme word in front of the key.', {
      headers: { ...sound.headers, Authorization: `Bearer ${environment.key}` },
    }),
    refused(401, 'misplaced-key', 'Has the key in another header.', {
      headers: { ...withoutKey, 'X-API-Key': environment.key },
    }),
    refused(401, 'not-a-test-key', 'Has a key without a test-mode prefix.', {
      headers: { ...sound.headers, Authorization: 'live_0123456789' },
    }),
  ]
  const last = [
    refused(429, 'rate-limited', 'Asks for the answer of a mock with a rate limit (`Prefer`).', {
      headers: { ...sound.headers, Prefer: 'code=429' },
    }),
    refused(507, 'memory-full', 'Asks for the answer of a mock that is out of memory (`Prefer`).', {
      headers: { ...sound.headers, Prefer: 'code=507' },
    }),
  ]
  if (body === undefined) return [...ofEveryCall, ...last]
  return [
    refused(400, 'invalid-json', 'Has a body that is not JSON.', { body: '{' }),
    refused(400, 'invalid-request', 'Has a body without any field.', { body: '{}' }),
    ...ofEveryCall,
    refused(413, 'body-too-large', 'Has a body of more than 1 MiB.', { body: { zeros: 1024 * 1024 + 1 } }),
    refused(415, 'unsupported-media-type', 'Declares its body to be plain text.', {
      headers: { ...sound.headers, 'Content-Type': 'text/plain' },
    }),
    ...last,
  ]
}

/** Calls of paths and methods that the contract does not have. */
const strayCalls: readonly ErrorCall[] = [
  {
    operationId: 'any',
    status: 404,
    code: 'unknown-path',
    wrong: 'Uses a path that the contract does not have: here, the trailing slash is missing.',
    calls: [{ method: 'POST', address: '/api/v1/upload', headers: { Authorization: environment.key } }],
  },
  {
    operationId: 'any',
    status: 405,
    code: 'method-not-allowed',
    wrong: 'Uses a method that the path does not have.',
    calls: [{ method: 'DELETE', address: '/api/v1/workflows', headers: { Authorization: environment.key } }],
  },
]

/** Lists calls that the mock refuses, in the order of the contracts; those of an operation by status. */
export function errorCalls(service: Node, admin: Node): ErrorCall[] {
  const ofService = operationsOf(service).flatMap((operation) => {
    const needsKey = operation.definition.security?.length !== 0
    const specific = specificErrorCalls.filter(({ operationId }) => operationId === operation.operationId)
    return [...(needsKey ? commonErrorCalls(service, operation) : []), ...specific].sort(byStatus)
  })
  return [
    ...ofService,
    ...strayCalls,
    ...operationsOf(admin).flatMap((one) => adminErrorCalls(admin, one).sort(byStatus)),
  ]
}

function byStatus(a: ErrorCall, b: ErrorCall): number {
  return a.status - b.status
}

/** Returns the error statuses that a contract lists for an operation. */
export function errorStatuses(document: Node, { definition }: ContractOperation): number[] {
  return Object.keys(resolve(document, definition.responses))
    .map(Number)
    .filter((status) => status >= 400)
}
