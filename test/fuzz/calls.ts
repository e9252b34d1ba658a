import fc from 'fast-check'
import { adminOperations } from '../../src/contract/admin-operations.gen.ts'
import { type CallId, operations } from '../../src/contract/operations.ts'
import { createMock } from '../../src/index.ts'
import { type Answer, execution, workflow } from '../support/service.ts'
import type { Draft } from './mutations.ts'

type Json = Answer['json']

/** Calls whose answers contain identifiers that other calls need. */
export type Naming = 'createWorkflow' | 'requestUpload' | 'confirmUpload' | 'executeWorkflow'

/** Collects identifiers from answers for later requests. */
export class Pool {
  readonly keys = ['test_fuzz', 'sk_test_fuzz', 'test_other']
  /** A request in the log. */
  requestId = '1'
  readonly #known = new Map<Naming, Json[]>()

  /** Remembers a successful answer. */
  add(id: Naming, json: Json): void {
    this.#known.set(id, [...(this.#known.get(id) ?? []), json])
  }

  get(id: Naming, pick: number): Json {
    const all = this.#known.get(id) ?? [{}]
    return all[pick % all.length]
  }
}

/** A request to send: the call, the key, and the identifier to use. */
export interface Choice {
  readonly id: CallId
  readonly key: number
  readonly pick: number
}

const table = { ...operations, ...adminOperations }
const ids = Object.keys(table) as CallId[]

const carriesMuch = ids.filter((id) => ['POST', 'PUT'].includes(table[id].method) && !/^(reset|load)/.test(id))

/** Calls with a body are drawn more often, because more can be wrong; resets less often, because they remove what others need. */
export const choices: fc.Arbitrary<Choice> = fc.record({
  id: fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...carriesMuch) },
    { weight: 20, arbitrary: fc.constantFrom(...ids.filter((id) => table[id].method === 'GET')) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<CallId>('resetWorlds', 'loadScenario', 'clearNextAnswers', 'stopRecording'),
    },
  ),
  key: fc.constantFrom(0, 0, 0, 1, 2),
  pick: fc.nat(),
})

const encoder = new TextEncoder()
const { tenants } = createMock()

/** Returns the tenant of a key, the same in every mock. */
const tenantOf = (key: string) => tenants.idOf(key)
/** The calls about the key that they carry. */
const takesKey = new Set<CallId>(['openTenant', 'importTenant'])

/** Returns a valid request if the pool has the identifiers that it needs. */
export function draftOf({ id, key, pick }: Choice, pool: Pool): Draft {
  const apiKey = pool.keys[key] ?? ''
  if (id === 'putObject') return putDraft(pool, pick)
  const started = pool.get('executeWorkflow', pick)
  const names: Record<string, string> = {
    workflow_id: pool.get('createWorkflow', pick).workflow_id,
    execution_id: started.execution_id,
    step_id: 'legal',
    session_id: pool.get('requestUpload', pick).session_id,
    request_id: pool.requestId,
    scenario: pick % 2 === 0 ? 'empty' : 'first-day',
  }
  const isOfTenant = id in adminOperations && pick % 4 > 0
  const query = isOfTenant ? `?tenant_id=${tenantOf(apiKey)}` : ''
  const path = table[id].path.replaceAll(/\{(\w+)\}/g, (_, name) => names[name] ?? 'unknown') + query
  const isAdmin = id in adminOperations
  const headers = isAdmin
    ? { Host: 'localhost', ...((pick % 3 === 0 || takesKey.has(id)) && { Authorization: apiKey }) }
    : { Authorization: apiKey }
  const body = bodyOf(id, pool, pick)
  return {
    method: table[id].method,
    path,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: encoder.encode(JSON.stringify(body)) }),
  }
}

function putDraft(pool: Pool, pick: number): Draft {
  const { upload_url = 'http://mock.test/storage/tenants/x/uploads/y/z', headers = {} } = pool.get(
    'requestUpload',
    pick,
  )
  const { pathname, search } = new URL(upload_url)
  return { method: 'PUT', path: pathname + search, headers, body: new Uint8Array(8) }
}

function bodyOf(id: CallId, pool: Pool, pick: number): object | undefined {
  switch (id) {
    case 'createWorkflow':
      return { ...workflow(), isSequential: pick % 2 === 0 }
    case 'executeWorkflow':
      return execution(pool.get('confirmUpload', pick).document_id ?? 'doc_unknown')
    case 'requestUpload':
      return { file_name: 'a b+ü.pdf', content_type: 'application/pdf', file_size: 8 }
    case 'confirmUpload': {
      const { session_id = '3c0e9f6a-51d2-4b7e-9a44-6f1d2f0c8b11', key = 'tenants/x' } = pool.get('requestUpload', pick)
      return { session_id, completed_files: [{ key, file_name: 'a b+ü.pdf' }] }
    }
    case 'sendCall':
      return { operation_id: 'createWorkflow', body: workflow() }
    case 'branchTenant':
      return { as_of: 0, key: `test_branch_${pick}` }
    case 'importTenant':
      return {
        ...{ format: 'countersign-tenant', version: 1, exported_at: '2026-03-01T09:00:00.000Z' },
        ...{ events: [], objects: {} },
      }
    case 'setClock':
      return { speed: [0, 1, 3600.5][pick % 3] }
    case 'advanceClock':
      return { duration: ['PT2H', 'P90D', 'PT0.5S', 'P9999W'][pick % 4] }
    case 'setSettings':
      return {
        approvers: ['auto', 'instant', 'manual'][pick % 3],
        latency: { min_ms: 0, max_ms: pick % 2 },
        faults:
          pick % 5 === 0 ? [{ probability: 0.1, status: 400 + (pick % 200), operation_id: 'createWorkflow' }] : [],
      }
    case 'addNextAnswer':
      return { operation_id: 'getWorkflow', status: 400 + (pick % 200), times: 1 + (pick % 3) }
    case 'decideStep': {
      const { step_id = 'none', assignee } = pool.get('executeWorkflow', pick).steps?.[0] ?? {}
      const approver_email = assignee?.email ?? 'lena@example.com'
      return { step_id, decision: pick % 3 === 0 ? 'rejected' : 'approved', approver_email }
    }
    default:
      return undefined
  }
}
