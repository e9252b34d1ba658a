import { adminOperations } from '../../contract/admin-operations.gen.ts'
import { validators } from '../../contract/admin-validators.gen.js'
import type { AdminOperationId } from '../../contract/operations.ts'
import { apiKeyOf } from '../../wire/auth.ts'
import { type HeaderList, type Incoming, jsonAnswer, type Outgoing } from '../../wire/exchange.ts'
import { answerOtherMethod, unknownPathAmong } from '../../wire/paths.ts'
import { Problem } from '../../wire/problem.ts'
import { routerOf } from '../../wire/router.ts'
import { receiveBody } from '../../wire/valid-body.ts'
import type { Tenants } from '../../world/tenants.ts'
import type { AdminHandlers } from './admin-calls.ts'
import { type AdminGuardOptions, guard } from './admin-guard.ts'
import { type AdminState, adminHandlers } from './admin-handlers.ts'

export interface AdminOptions extends AdminGuardOptions, AdminState {}

/** Answers the calls of the admin API by its own contract. Sets no CORS headers. */
export function adminApi(options: AdminOptions): (request: Incoming) => Promise<Outgoing> {
  const { tenants } = options
  const handlers = adminHandlers(options)
  const calls = (Object.keys(adminOperations) as AdminOperationId[]).map((id) => ({ ...adminOperations[id], id }))
  const route = routerOf(calls)
  return async (request) => {
    guard(request, options)
    const match = route(request)
    if (!match)
      throw unknownPathAmong(
        request.path,
        calls.map(({ path }) => path),
      )
    if (!match.route) return answerOtherMethod(request.method, match.others[0]?.path ?? '', match.allowed)
    const { params } = match
    const { id } = match.route
    const query = new URLSearchParams(request.search)
    const tenantId = await selectTenant(id, request, query, tenants)
    if (tenantId === undefined && id !== 'getHealth') await tenants.lookAround()
    const body = await receiveBody(id, validators, { request }, tenants.memory)
    // The cast is safe: router, validators and types are generated from the same contract.
    const handler = handlers[id] as (call: object) => ReturnType<AdminHandlers[AdminOperationId]>
    const answer = await handler({ params, body, query, incoming: request, tenantId })
    const { status, body: value, headers } = answer
    return isList(headers) ? (answer as Outgoing) : jsonAnswer(status, value, headers)
  }
}

/** True for the headers of an answer that is sent as it is. */
const isList = (headers: object | undefined): headers is HeaderList => Array.isArray(headers)

/** Returns the tenant that a call names by its key or its identifier. Throws a `Problem` if it is unknown. */
async function selectTenant(
  id: AdminOperationId,
  incoming: Incoming,
  query: URLSearchParams,
  tenants: Tenants,
): Promise<string | undefined> {
  const { tenantIs = undefined } = adminOperations[id] as { readonly tenantIs?: 'required' | 'optional' }
  // These calls are about the key that they carry, which may be new.
  const isAboutKey = id === 'openTenant' || id === 'importTenant'
  const byKey = isAboutKey || incoming.header('authorization') !== undefined
  const ofKey = byKey ? tenants.idOf(apiKeyOf(incoming)) : undefined
  const named = (tenantIs && query.get('tenant_id')) ?? undefined
  if (named === undefined) {
    if (ofKey === undefined && tenantIs === 'required') throw withoutTenant
    return ofKey
  }
  if (!tenantForm.test(named)) throw malformedTenant
  if (ofKey !== undefined && ofKey !== named) throw anotherTenant
  if (ofKey === undefined && !(await tenants.isKnown(named))) throw unknownTenant(named)
  return named
}

const tenantForm = /^[0-9a-f]{32}$/

const withoutTenant = new Problem(
  'invalid-parameter',
  'The call is for one tenant and names none. Add tenant_id to the query; GET /__admin/tenants lists the tenants.',
)
const malformedTenant = new Problem(
  'invalid-parameter',
  'tenant_id is not the identifier of a tenant. Use a tenant_id from GET /__admin/tenants.',
)
const anotherTenant = new Problem(
  'invalid-parameter',
  'The key in Authorization is that of another tenant than tenant_id. Send only one of the two.',
)

function unknownTenant(tenantId: string): Problem {
  const detail = `There is no tenant '${tenantId}'. Use a tenant_id from GET /__admin/tenants, or open a tenant for a key with POST /__admin/tenants.`
  return new Problem('unknown-tenant', detail)
}
