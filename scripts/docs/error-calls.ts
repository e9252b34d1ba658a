import { type ContractOperation, jsonBodyOf, type Node, operationsOf, parametersOf, resolve } from '../contract.ts'
import { adminErrorCalls, inTenant, open } from './error-calls-admin.ts'
import { refused, specificErrorCalls } from './error-calls-specific.ts'
import { exampleBody, examplePath, isStorage } from './samples.ts'
import { type ErrorCall, environment, type ShellCall } from './shell.ts'

const json = { 'Content-Type': 'application/json' }
const key = { Authorization: environment.key }
/** The calls of the admin API that carry the key of the tenant that they make. */
const takesKey = new Set(['openTenant', 'importTenant'])

/** An error, and what causes it: other headers, without those that are undefined, or another part of the call. */
type Change = readonly [
  status: number,
  code: string,
  wrong: string,
  headers: Readonly<Record<string, string | undefined>>,
  part?: Partial<ShellCall>,
]

/** Returns the errors of an operation that others have too: a correct call, changed in ways that are refused. */
function commonErrorCalls(document: Node, operation: ContractOperation): ErrorCall[] {
  if (isStorage(operation)) return []
  const { operationId, method, path, definition } = operation
  const isAdmin = path.startsWith('/__admin/')
  const content = jsonBodyOf(document, operation)
  const body = isAdmin ? { unknown: true } : exampleBody(document, operation)
  const needsKey = !isAdmin || takesKey.has(operationId)
  const parameters = isAdmin ? parametersOf(document, operation) : []
  const tenant = parameters.find(({ name }) => name === 'tenant_id')
  const address = examplePath(document, operation)
  const sound: ShellCall = {
    method,
    address: tenant?.required ? inTenant(address) : address,
    headers: { ...(needsKey && key), ...(content && json) },
    ...(content && { body: JSON.stringify(body) }),
  }
  const has = (status: number) => definition.responses[status] !== undefined
  const changes: readonly (Change | false | undefined)[] = [
    ...(isAdmin ? ofAdminCall(address, sound, parameters) : ofServiceCall(sound)),
    has(401) && [401, 'not-a-test-key', 'Has a key without a test-mode prefix.', { Authorization: 'live_0123456789' }],
    content &&
      has(413) && [413, 'body-too-large', 'Has a body of more than 1 MiB.', {}, { body: { zeros: 1024 * 1024 + 1 } }],
    content && [415, 'unsupported-media-type', 'Declares its body to be plain text.', { 'Content-Type': 'text/plain' }],
    isAdmin && [
      403,
      'admin-forbidden',
      'Is sent by a page of another origin.',
      { Origin: 'https://elsewhere.example' },
    ],
  ]
  return changes.flatMap((change) => {
    if (!change) return []
    const [status, code, wrong, more, part] = change
    const valued = Object.entries({ ...sound.headers, ...more }).filter(([, value]) => value !== undefined)
    const call = { ...sound, headers: Object.fromEntries(valued) as Record<string, string>, ...part }
    return [refused(operationId, status, code, wrong, ...(tenant?.required ? [open] : []), call)]
  })
}

function ofServiceCall({ body }: ShellCall): (Change | false)[] {
  const preferred = (status: number) => ({ Prefer: `code=${status}` })
  return [
    body !== undefined && [400, 'invalid-json', 'Has a body that is not JSON.', {}, { body: '{' }],
    body !== undefined && [400, 'invalid-request', 'Has a body without any field.', {}, { body: '{}' }],
    [400, 'invalid-preference', 'Asks for an answer that the contract does not have (`Prefer`).', preferred(418)],
    [401, 'missing-key', 'Has no `Authorization` header.', { Authorization: undefined }],
    [401, 'key-with-scheme', 'Has a scheme word in front of the key.', { Authorization: `Bearer ${environment.key}` }],
    [
      401,
      'misplaced-key',
      'Has the key in another header.',
      { Authorization: undefined, 'X-API-Key': environment.key },
    ],
    [429, 'rate-limited', 'Asks for the answer of a mock with a rate limit (`Prefer`).', preferred(429)],
    [507, 'memory-full', 'Asks for the answer of a mock that is out of memory (`Prefer`).', preferred(507)],
  ]
}

function ofAdminCall(address: string, sound: ShellCall, parameters: readonly Node[]): (Change | false | undefined)[] {
  const tenant = parameters.find(({ name }) => name === 'tenant_id')
  const tenantId = (value: string) => ({ address: `${address}?tenant_id=${value}` })
  const noLimit = { address: `${sound.address}${sound.address.includes('?') ? '&' : '?'}limit=0` }
  const hasLimit = parameters.some(({ name }) => name === 'limit')
  return [
    tenant?.required && [400, 'invalid-parameter', 'Names no tenant.', {}, { address }],
    tenant && !tenant.required && [400, 'invalid-parameter', 'Names a tenant by a word.', {}, tenantId('mine')],
    sound.body !== undefined && [400, 'invalid-request', 'Has an unknown field.', {}],
    hasLimit && [400, 'invalid-parameter', 'Asks for no items.', {}, noLimit],
    tenant && [404, 'unknown-tenant', 'Names a tenant that does not exist.', {}, tenantId('0'.repeat(32))],
  ]
}

/** Calls of paths and methods that the contract does not have. */
const strayCalls: readonly ErrorCall[] = [
  refused(
    'any',
    404,
    'unknown-path',
    'Uses a path that the contract does not have: here, the trailing slash is missing.',
    { method: 'POST', address: '/api/v1/upload', headers: key },
  ),
  refused('any', 405, 'method-not-allowed', 'Uses a method that the path does not have.', {
    method: 'DELETE',
    address: '/api/v1/workflows',
    headers: key,
  }),
]

/** Lists calls that the mock refuses, in the order of the contracts; those of an operation by status. */
export function errorCalls(service: Node, admin: Node): ErrorCall[] {
  const specific = [...specificErrorCalls, ...adminErrorCalls]
  const callsOf = (document: Node) =>
    operationsOf(document).flatMap((operation) =>
      [
        ...commonErrorCalls(document, operation),
        ...specific.filter(({ operationId }) => operationId === operation.operationId),
      ].sort((a, b) => a.status - b.status),
    )
  return [...callsOf(service), ...strayCalls, ...callsOf(admin)]
}

/** Returns the error statuses that a contract lists for an operation. */
export function errorStatuses(document: Node, { definition }: ContractOperation): number[] {
  return Object.keys(resolve(document, definition.responses))
    .map(Number)
    .filter((status) => status >= 400)
}
