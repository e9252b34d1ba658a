import { type ContractOperation, type Node, operationsOf, resolve } from '../contract.ts'
import type { ErrorCall } from './error-call.ts'
import { adminErrorCalls, inTenant, open } from './error-calls-admin.ts'
import { refused, specificErrorCalls } from './error-calls-specific.ts'
import { exampleBody, examplePathParameters, fillPath, isStorage } from './samples.ts'
import { environment, type ShellCall } from './shell.ts'

const json = { 'Content-Type': 'application/json' }
const key = { Authorization: environment.key }
/** The calls of the admin API that carry the key of the tenant that they make. */
const takesKey = new Set(['openTenant', 'importTenant'])

/** A correct call, and the calls that it needs before it. */
interface Sound {
  readonly sound: ShellCall
  readonly before?: readonly ShellCall[]
}

/** Returns the errors of an operation that others have too. */
function commonErrorCalls(document: Node, operation: ContractOperation): ErrorCall[] {
  if (isStorage(operation)) return []
  const isAdmin = operation.path.startsWith('/__admin/')
  const content = resolve(document, operation.definition.requestBody)?.content['application/json']
  const body = isAdmin ? { unknown: true } : exampleBody(document, operation)
  const needsKey = !isAdmin || takesKey.has(operation.operationId)
  const call: ShellCall = {
    method: operation.method,
    address: fillPath(operation.path, examplePathParameters(document, operation)),
    headers: { ...(needsKey && key), ...(content && json) },
    ...(content && { body: JSON.stringify(body) }),
  }
  const has = (status: number) => operation.definition.responses[status] !== undefined
  return [
    ...(isAdmin ? ofAdminCall(document, operation, call) : ofServiceCall(operation, call)),
    ...changed(operation, isAdmin ? inOwnTenant(document, operation, call) : { sound: call }, [
      has(401) && [
        401,
        'not-a-test-key',
        'Has a key without a test-mode prefix.',
        { Authorization: 'live_0123456789' },
      ],
      content &&
        has(413) && [413, 'body-too-large', 'Has a body of more than 1 MiB.', {}, { body: { zeros: 1024 * 1024 + 1 } }],
      content && [
        415,
        'unsupported-media-type',
        'Declares its body to be plain text.',
        { 'Content-Type': 'text/plain' },
      ],
      isAdmin && [
        403,
        'admin-forbidden',
        'Is sent by a page of another origin.',
        { Origin: 'https://elsewhere.example' },
      ],
    ]),
  ]
}

/** An error, and what causes it: other headers, without those that are undefined, or another part of the call. */
type Change = readonly [
  status: number,
  code: string,
  wrong: string,
  headers: Readonly<Record<string, string | undefined>>,
  part?: Partial<ShellCall>,
]

/** Changes a correct call in ways that are refused. */
function changed(
  { operationId }: ContractOperation,
  { sound, before = [] }: Sound,
  changes: readonly (Change | false | undefined)[],
): ErrorCall[] {
  return changes.flatMap((change) => {
    if (!change) return []
    const [status, code, wrong, more, part] = change
    const all = Object.entries({ ...sound.headers, ...more }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    const call = { ...sound, headers: Object.fromEntries(all), ...part }
    return [refused(operationId, status, code, wrong, ...before, call)]
  })
}

function ofServiceCall(operation: ContractOperation, sound: ShellCall): ErrorCall[] {
  const preferred = (status: number) => ({ Prefer: `code=${status}` })
  return changed(operation, { sound }, [
    sound.body !== undefined && [400, 'invalid-json', 'Has a body that is not JSON.', {}, { body: '{' }],
    sound.body !== undefined && [400, 'invalid-request', 'Has a body without any field.', {}, { body: '{}' }],
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
  ])
}

function parametersOf(document: Node, { definition }: ContractOperation): Node[] {
  return (definition.parameters ?? []).map((node: Node) => resolve(document, node))
}

/** Returns a call with the tenant of the key, if the operation must have one. */
function inOwnTenant(document: Node, operation: ContractOperation, call: ShellCall): Sound {
  const tenant = parametersOf(document, operation).find(({ name }) => name === 'tenant_id')
  return tenant?.required ? { before: [open], sound: { ...call, address: inTenant(call.address) } } : { sound: call }
}

function ofAdminCall(document: Node, operation: ContractOperation, call: ShellCall): ErrorCall[] {
  const parameters = parametersOf(document, operation)
  const tenant = parameters.find(({ name }) => name === 'tenant_id')
  const own = inOwnTenant(document, operation, call)
  const tenantId = (value: string) => ({ address: `${call.address}?tenant_id=${value}` })
  const noLimit = `${own.sound.address}${own.sound.address.includes('?') ? '&' : '?'}limit=0`
  return changed(operation, own, [
    tenant?.required && [400, 'invalid-parameter', 'Names no tenant.', {}, { address: call.address }],
    tenant && !tenant.required && [400, 'invalid-parameter', 'Names a tenant by a word.', {}, tenantId('mine')],
    call.body !== undefined && [400, 'invalid-request', 'Has an unknown field.', {}],
    parameters.some(({ name }) => name === 'limit') && [
      400,
      'invalid-parameter',
      'Asks for no items.',
      {},
      { address: noLimit },
    ],
    tenant && [404, 'unknown-tenant', 'Names a tenant that does not exist.', {}, tenantId('0'.repeat(32))],
  ])
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
