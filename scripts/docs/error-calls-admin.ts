import { createCall, executionBody, post, refused, uploadedDocument } from './error-calls-specific.ts'
import { type ErrorCall, environment, type ShellCall } from './shell.ts'

const otherKey = { Authorization: `${environment.key}_2` }
const running = [
  createCall,
  ...uploadedDocument,
  post('/api/v1/workflows/{{WORKFLOW_ID}}/execute', executionBody(), { EXECUTION_ID: 'execution_id' }),
]
const decide = (step: string, approver: string, execution = '{{EXECUTION_ID}}') =>
  post(`/__admin/executions/${execution}/decision`, { step_id: step, decision: 'approved', approver_email: approver })
/** Opens the world of the key, and keeps its tenant for the calls after it. */
export const open: ShellCall = {
  method: 'POST',
  address: '/__admin/tenants',
  headers: { Authorization: environment.key },
  keep: { TENANT_ID: 'tenant_id' },
}
export const inTenant = (address: string) => `${address}?tenant_id={{TENANT_ID}}`
const importing = post('/__admin/tenants/import', {
  ...{ format: 'countersign-tenant', version: 1, exported_at: '2026-01-01T00:00:00.000Z' },
  ...{ events: [], objects: {} },
})

const whenFull = (...row: Parameters<typeof refused>): ErrorCall => ({ ...refused(...row), needsFullMemory: true })

/** The errors that only one operation of the admin API has. */
export const adminErrorCalls: readonly ErrorCall[] = [
  refused('loadScenario', 404, 'unknown-scenario', 'Names a scenario that does not exist.', {
    method: 'POST',
    address: '/__admin/scenarios/none',
  }),
  refused(
    'decideStep',
    404,
    'execution-not-found',
    'Names an execution that this key does not have.',
    decide('legal', 'lena@example.com', 'exe_0000000000000000'),
  ),
  refused(
    'decideStep',
    404,
    'step-not-found',
    'Names a step that the execution does not have.',
    ...running,
    decide('none', 'lena@example.com'),
  ),
  refused(
    'decideStep',
    409,
    'not-the-assignee',
    'Decides for an approver to whom the step is not assigned.',
    ...running,
    decide('legal', 'marc@example.com'),
  ),
  refused(
    'decideStep',
    409,
    'step-not-assigned',
    'Decides a step that is already decided.',
    ...running,
    decide('legal', 'lena@example.com'),
    decide('legal', 'lena@example.com'),
  ),
  refused('readRequest', 400, 'invalid-parameter', 'Names a request by a word.', {
    method: 'GET',
    address: '/__admin/requests/latest',
  }),
  refused('readRequest', 404, 'unknown-request', 'Names a request that the log does not have.', {
    method: 'GET',
    address: '/__admin/requests/999999999',
  }),
  whenFull('openTenant', 507, 'memory-full', 'Opens another world when the memory is full.', open, {
    ...open,
    headers: otherKey,
  }),
  refused(
    'branchTenant',
    409,
    'tenant-not-empty',
    'Names a key whose world has events.',
    open,
    createCall,
    post(inTenant('/__admin/tenants/branch'), { as_of: 1, key: environment.key }),
  ),
  whenFull(
    'branchTenant',
    507,
    'memory-full',
    'Makes another world when the memory is full.',
    open,
    post(inTenant('/__admin/tenants/branch'), { as_of: 0, key: otherKey.Authorization }),
  ),
  refused('importTenant', 409, 'tenant-not-empty', 'Sends a key whose world has events.', createCall, importing),
  whenFull('importTenant', 507, 'memory-full', 'Makes another world when the memory is full.', open, {
    ...importing,
    headers: { ...importing.headers, ...otherKey },
  }),
]
