import { type ContractOperation, type Node, resolve } from '../contract.ts'
import type { ErrorCall } from './error-call.ts'
import { createCall, executionBody, post, uploadedDocument } from './error-calls-specific.ts'
import { refusalsOf } from './refusals.ts'
import { examplePathParameters, fillPath } from './samples.ts'
import { environment, type ShellCall } from './shell.ts'

const json = { 'Content-Type': 'application/json' }
const running = [
  createCall,
  ...uploadedDocument,
  post('/api/v1/workflows/{{WORKFLOW_ID}}/execute', executionBody(), { EXECUTION_ID: 'execution_id' }),
]
const decide = (step: string, approver: string, execution = '{{EXECUTION_ID}}') =>
  post(`/__admin/executions/${execution}/decision`, { step_id: step, decision: 'approved', approver_email: approver })
/** Opens the world of the key, and keeps its tenant for the calls after it. */
const open: ShellCall = {
  method: 'POST',
  address: '/__admin/tenants',
  headers: { Authorization: environment.key },
  keep: { TENANT_ID: 'tenant_id' },
}
const inTenant = (address: string) => `${address}?tenant_id={{TENANT_ID}}`
const emptyFile = {
  ...{ format: 'countersign-tenant', version: 1, exported_at: '2026-01-01T00:00:00.000Z' },
  ...{ events: [], objects: {} },
}

/** The errors that only one operation of the admin API has. */
const specific: readonly ErrorCall[] = [
  {
    operationId: 'loadScenario',
    status: 404,
    code: 'unknown-scenario',
    wrong: 'Names a scenario that does not exist.',
    calls: [{ method: 'POST', address: '/__admin/scenarios/none' }],
  },
  {
    operationId: 'decideStep',
    status: 404,
    code: 'execution-not-found',
    wrong: 'Names an execution that this key does not have.',
    calls: [decide('legal', 'lena@example.com', 'exe_0000000000000000')],
  },
  {
    operationId: 'decideStep',
    status: 404,
    code: 'step-not-found',
    wrong: 'Names a step that the execution does not have.',
    calls: [...running, decide('none', 'lena@example.com')],
  },
  {
    operationId: 'decideStep',
    status: 409,
    code: 'not-the-assignee',
    wrong: 'Decides for an approver to whom the step is not assigned.',
    calls: [...running, decide('legal', 'marc@example.com')],
  },
  {
    operationId: 'decideStep',
    status: 409,
    code: 'step-not-assigned',
    wrong: 'Decides a step that is already decided.',
    calls: [...running, decide('legal', 'lena@example.com'), decide('legal', 'lena@example.com')],
  },
  {
    operationId: 'readRequest',
    status: 400,
    code: 'invalid-parameter',
    wrong: 'Names a request by a word.',
    calls: [{ method: 'GET', address: '/__admin/requests/latest' }],
  },
  {
    operationId: 'readRequest',
    status: 404,
    code: 'unknown-request',
    wrong: 'Names a request that the log does not have.',
    calls: [{ method: 'GET', address: '/__admin/requests/999999999' }],
  },
  {
    operationId: 'openTenant',
    status: 507,
    code: 'memory-full',
    wrong: 'Opens another world when the memory is full.',
    needsFullMemory: true,
    calls: [open, { ...open, headers: { Authorization: `${environment.key}_2` } }],
  },
  {
    operationId: 'branchTenant',
    status: 409,
    code: 'tenant-not-empty',
    wrong: 'Names a key whose world has events.',
    calls: [open, createCall, post(inTenant('/__admin/tenants/branch'), { as_of: 1, key: environment.key })],
  },
  {
    operationId: 'branchTenant',
    status: 507,
    code: 'memory-full',
    wrong: 'Makes another world when the memory is full.',
    needsFullMemory: true,
    calls: [open, post(inTenant('/__admin/tenants/branch'), { as_of: 0, key: `${environment.key}_2` })],
  },
  {
    operationId: 'importTenant',
    status: 409,
    code: 'tenant-not-empty',
    wrong: 'Sends a key whose world has events.',
    calls: [createCall, post('/__admin/tenants/import', emptyFile)],
  },
  {
    operationId: 'importTenant',
    status: 507,
    code: 'memory-full',
    wrong: 'Makes another world when the memory is full.',
    needsFullMemory: true,
    calls: [
      open,
      {
        ...post('/__admin/tenants/import', emptyFile),
        headers: { ...json, Authorization: `${environment.key}_2` },
      },
    ],
  },
]

/** The calls that carry the key of the tenant that they make. */
const takesKey = new Set(['openTenant', 'importTenant'])

/** Returns the errors of an operation of the admin API. */
export function adminErrorCalls(document: Node, operation: ContractOperation): ErrorCall[] {
  const { operationId, method, path, definition } = operation
  const hasBody = definition.requestBody?.content['application/json'] !== undefined
  const parameters: Node[] = (definition.parameters ?? []).map((node: Node) => resolve(document, node))
  const takesLimit = parameters.some(({ name }) => name === 'limit')
  const tenant = parameters.find(({ name }) => name === 'tenant_id')
  const address = fillPath(path, examplePathParameters(document, operation))
  const sound: ShellCall = {
    method,
    address: tenant?.required ? inTenant(address) : address,
    ...(hasBody && { headers: json, body: '{"unknown":true}' }),
    ...(takesKey.has(operationId) && { headers: { ...(hasBody && json), Authorization: environment.key } }),
  }
  const before = tenant?.required ? [open] : []
  const refused: ReturnType<typeof refusalsOf> = (...change) => {
    const one = refusalsOf(operationId, sound)(...change)
    return { ...one, calls: [...before, ...one.calls] }
  }
  return [
    ...(tenant?.required ? [refused(400, 'invalid-parameter', 'Names no tenant.', { address })] : []),
    ...(tenant && !tenant.required
      ? [refused(400, 'invalid-parameter', 'Names a tenant by a word.', { address: `${address}?tenant_id=mine` })]
      : []),
    ...(tenant
      ? [
          refused(404, 'unknown-tenant', 'Names a tenant that does not exist.', {
            address: `${address}?tenant_id=${'0'.repeat(32)}`,
          }),
        ]
      : []),
    ...(hasBody ? [refused(400, 'invalid-request', 'Has an unknown field.', {})] : []),
    ...(takesLimit
      ? [
          refused(400, 'invalid-parameter', 'Asks for no items.', {
            address: `${sound.address}${sound.address.includes('?') ? '&' : '?'}limit=0`,
          }),
        ]
      : []),
    ...(definition.responses['401']
      ? [
          refused(401, 'not-a-test-key', 'Has a key without a test-mode prefix.', {
            headers: { ...sound.headers, Authorization: 'live_0123456789' },
          }),
        ]
      : []),
    ...(hasBody
      ? [
          ...(definition.responses['413']
            ? [refused(413, 'body-too-large', 'Has a body of more than 1 MiB.', { body: { zeros: 1024 * 1024 + 1 } })]
            : []),
          refused(415, 'unsupported-media-type', 'Declares its body to be plain text.', {
            headers: { ...sound.headers, 'Content-Type': 'text/plain' },
          }),
        ]
      : []),
    refused(403, 'admin-forbidden', 'Is sent by a page of another origin.', {
      headers: { ...sound.headers, Origin: 'https://elsewhere.example' },
    }),
    ...specific.filter((one) => one.operationId === operationId),
  ]
}
