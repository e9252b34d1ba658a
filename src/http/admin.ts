import type { Hono } from 'hono'
import { type AdminOperationId, type Answer, adminOperations, type Body, type Params } from '../contract/operations.ts'
import { type GuardOptions, guard } from './admin-guard.ts'
import { type AdminState, adminHandlers } from './admin-handlers.ts'
import { keyOf } from './auth.ts'
import { refuseOtherMethods, routerPath, toResponse } from './router.ts'
import { bodyOf } from './valid-body.ts'

export interface AdminOptions extends GuardOptions, AdminState {}

/** A call of the admin API that may be carried out. */
export interface AdminCall<Id extends AdminOperationId> {
  readonly params: Params<Id>
  readonly body: Body<Id>
  readonly query: URLSearchParams
  /** Whose world is meant; all worlds where it is absent. */
  readonly key?: string
}

/** One handler for each call of the admin API, named as its operationId. */
export type AdminHandlers = {
  readonly [Id in AdminOperationId]: (call: AdminCall<Id>) => Answer<Id> | Promise<Answer<Id>>
}

/** The admin API, built from its own contract as the service is from its. It has no CORS. */
export function mountAdmin(app: Hono, options: AdminOptions): void {
  const handlers = adminHandlers(options)
  app.use('/__admin/*', async ({ req }, next) => {
    guard(req.raw, options)
    await next()
  })
  for (const id of Object.keys(adminOperations) as AdminOperationId[]) {
    const { method, path } = adminOperations[id]
    app.on(method, routerPath(path), ({ req }) => answer(handlers, id, req.raw, req.param()))
  }
  refuseOtherMethods(app, Object.values(adminOperations))
}

async function answer<Id extends AdminOperationId>(
  handlers: AdminHandlers,
  id: Id,
  request: Request,
  params: Record<string, string>,
): Promise<Response> {
  const { headers, url } = request
  const key = headers.has('Authorization') ? keyOf(headers) : undefined
  const query = new URL(url).searchParams
  const body = await bodyOf(id, request)
  const handler = handlers[id] as (call: AdminCall<Id>) => ReturnType<AdminHandlers[Id]>
  return toResponse(await handler({ params, body, query, ...(key !== undefined && { key }) } as AdminCall<Id>))
}
