import type { Hono } from 'hono'
import { operations, type ServiceOperationId } from '../contract/operations.ts'
import type { World } from '../world/world.ts'
import { keyOf } from './auth.ts'
import { delay, faultStatus } from './faults.ts'
import type { Call, ServiceHandlers } from './handlers.ts'
import { preferencesOf, preferredAnswer } from './prefer.ts'
import { injectedFault } from './problem.ts'
import { refuseOtherMethods, routerPath, toResponse } from './router.ts'
import { type UploadOptions, uploadHandlers } from './uploads.ts'
import { bodyOf } from './valid-body.ts'
import { workflowHandlers } from './workflows.ts'

export interface ServiceOptions extends UploadOptions {
  /** The world that a key opens; told which request it is for. */
  readonly enter: (key: string, request: Request) => World
}

/** The service's calls, each one way through: key, contract, preferences and faults, handler. */
export function mountService(app: Hono, options: ServiceOptions): void {
  const handlers: ServiceHandlers = { ...workflowHandlers, ...uploadHandlers(options) }
  const ids = Object.keys(handlers) as ServiceOperationId[]
  for (const id of ids) {
    const { method, path } = operations[id]
    app.on(method, routerPath(path), ({ req }) => answer(handlers, id, req.raw, req.param(), options))
  }
  refuseOtherMethods(
    app,
    ids.map((id) => operations[id]),
  )
}

async function answer<Id extends ServiceOperationId>(
  handlers: ServiceHandlers,
  id: Id,
  request: Request,
  params: Record<string, string>,
  { enter }: ServiceOptions,
): Promise<Response> {
  const world = enter(keyOf(request.headers), request)
  world.clock.catchUp()
  const body = await bodyOf(id, request)
  const preferences = preferencesOf(request)
  await delay(world, preferences)
  const preferred = preferredAnswer(id, preferences)
  if (preferred) return preferred
  const fault = faultStatus(world, id)
  if (fault !== undefined) return injectedFault(fault)
  // The router and the validators follow from the same contract as the types.
  const handler = handlers[id] as (call: Call<Id>) => ReturnType<ServiceHandlers[Id]>
  return toResponse(await handler({ params, body, world, request } as Call<Id>))
}
