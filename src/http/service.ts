import { operations, type ServiceOperationId } from '../contract/operations.ts'
import type { World } from '../world/world.ts'
import { keyOf } from './auth.ts'
import { type Incoming, inJson, type Outgoing } from './exchange.ts'
import { delay, faultStatus } from './faults.ts'
import type { Call, ServiceHandlers } from './handlers.ts'
import { preferencesOf, preferredAnswer } from './prefer.ts'
import { injectedFault } from './problem.ts'
import { type Router, routerOf } from './router.ts'
import { type UploadOptions, uploadHandlers } from './uploads.ts'
import { sentTo } from './valid-body.ts'
import { workflowHandlers } from './workflows.ts'

export interface ServiceOptions extends UploadOptions {
  /** The world that a key opens; told which request it is for. */
  readonly enter: (key: string, incoming: Incoming) => World
}

/** The service's calls, each one way through: key, contract, preferences and faults, handler. */
export function serviceRouter(options: ServiceOptions): Router {
  const handlers: ServiceHandlers = { ...workflowHandlers, ...uploadHandlers(options) }
  const ids = Object.keys(handlers) as ServiceOperationId[]
  return routerOf(
    ids.map((id) => ({
      ...operations[id],
      answer: (incoming, params) => answer(handlers, id, incoming, params, options),
    })),
  )
}

async function answer<Id extends ServiceOperationId>(
  handlers: ServiceHandlers,
  id: Id,
  incoming: Incoming,
  params: Readonly<Record<string, string>>,
  { enter }: ServiceOptions,
): Promise<Outgoing> {
  const key = keyOf(incoming)
  const preferences = preferencesOf(incoming)
  const waiting = delay(enter(key, incoming), preferences)
  if (waiting) await waiting
  const { body, text } = await sentTo(id, incoming)
  // Another world than before, if it was reset meanwhile.
  const world = enter(key, incoming)
  world.clock.catchUp()
  const preferred = preferredAnswer(id, preferences)
  if (preferred) return preferred
  const fault = faultStatus(world, id)
  if (fault !== undefined) return injectedFault(fault)
  // The router and the validators follow from the same contract as the types.
  const handler = handlers[id] as (call: Call<Id>) => ReturnType<ServiceHandlers[Id]>
  const { status, body: said, headers } = handler({ params, body, text, world, incoming } as Call<Id>)
  return inJson(status, said, headers)
}
