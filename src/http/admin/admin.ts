import { type AdminOperationId, adminOperations } from '../../contract/operations.ts'
import type { Memory } from '../../world/memory.ts'
import { apiKeyOf } from '../wire/auth.ts'
import { type Incoming, jsonAnswer, type Outgoing } from '../wire/exchange.ts'
import { type RequestRouter, routerOf } from '../wire/router.ts'
import { receiveBody } from '../wire/valid-body.ts'
import { type AdminCall, type AdminHandlers, PlainAnswer } from './admin-calls.ts'
import { type AdminGuardOptions, guard } from './admin-guard.ts'
import { type AdminState, adminHandlers } from './admin-handlers.ts'

export interface AdminOptions extends AdminGuardOptions, AdminState {}

/** Routes the calls of the admin API by its own contract. Sets no CORS headers. */
export function adminRouter(options: AdminOptions): RequestRouter {
  const handlers = adminHandlers(options)
  const ids = Object.keys(adminOperations) as AdminOperationId[]
  const route = routerOf(
    ids.map((id) => ({
      ...adminOperations[id],
      answer: (incoming, params) => answer(handlers, id, incoming, params, options.tenants.memory),
    })),
  )
  return (incoming) => {
    guard(incoming, options)
    return route(incoming)
  }
}

async function answer<Id extends AdminOperationId>(
  handlers: AdminHandlers,
  id: Id,
  incoming: Incoming,
  params: Readonly<Record<string, string>>,
  memory: Memory,
): Promise<Outgoing> {
  const key = incoming.header('authorization') === undefined ? undefined : apiKeyOf(incoming)
  const query = new URLSearchParams(incoming.search)
  const { body } = await receiveBody(id, incoming, memory)
  const handler = handlers[id] as (call: AdminCall<Id>) => ReturnType<AdminHandlers[Id]>
  const result = await handler({ params, body, query, ...(key !== undefined && { key }) } as AdminCall<Id>)
  if (result instanceof PlainAnswer) return result.outgoing
  return jsonAnswer(result.status, result.body, 'headers' in result ? result.headers : undefined)
}
