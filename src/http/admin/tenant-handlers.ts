import type { Schemas } from '../../contract/operations.ts'
import type { Tenants } from '../../world/tenants.ts'
import type { World } from '../../world/world.ts'
import { timeTo } from '../service/mapping.ts'
import { Problem } from '../wire/problem.ts'
import type { AdminHandlers } from './admin-calls.ts'

/** The handlers that show what a tenant has, now and earlier. */
type TenantHandlers = Pick<
  AdminHandlers,
  | 'listWorkflows'
  | 'readWorkflow'
  | 'listExecutions'
  | 'readExecution'
  | 'listUploads'
  | 'readObject'
  | 'branchTenant'
  | 'exportTenant'
  | 'importTenant'
>

/** Creates the handlers that show what a tenant has, now and earlier. */
export function tenantHandlers({ memory }: Tenants): TenantHandlers {
  const missing = ({ query }: { query: URLSearchParams }) => {
    if (query.get('limit') === '0') throw new Problem('invalid-parameter', 'limit is 0.')
    throw new Problem('unknown-path', 'This call is not implemented yet.')
  }
  const taken = () => {
    memory.requireSpace()
    throw new Problem('tenant-not-empty', 'This call is not implemented yet.')
  }
  return {
    listWorkflows: missing,
    readWorkflow: missing,
    listExecutions: missing,
    readExecution: missing,
    listUploads: missing,
    readObject: missing,
    exportTenant: missing,
    branchTenant: taken,
    importTenant: taken,
  }
}

/** Returns a tenant with the size of its world. */
export function tenantTo({ tenantId, journal, clock, sizes }: World): Schemas['Tenant'] {
  const last = journal.latest(1)[0]
  return {
    tenant_id: tenantId,
    name: tenantId.slice(0, 6),
    ...sizes,
    first_event: journal.firstSeq,
    last_event: journal.length,
    last_event_at: last ? timeTo(last.at) : null,
    now: timeTo(clock.now()),
    speed: clock.speed,
  }
}
