import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { operations, type ServiceOperationId } from '../contract/operations.ts'
import { hasBody, validate } from '../contract/validate.ts'
import { DomainError } from '../domain/errors.ts'
import type { Tenants } from '../world/tenants.ts'
import type { World } from '../world/world.ts'
import { keyOf } from './auth.ts'
import type { Call, ServiceHandlers } from './handlers.ts'
import { readJson } from './json.ts'
import { meantPath, servicePaths } from './paths.ts'
import { isProblemCode, Problem } from './problem.ts'
import { type StorageOptions, storageHandlers, storagePrefix, storageRefusal } from './storage.ts'
import { StorageError } from './storage-error.ts'
import { type UploadOptions, uploadHandlers } from './uploads.ts'
import { workflowHandlers } from './workflows.ts'

export interface AppOptions extends UploadOptions, StorageOptions {
  readonly tenants: Tenants
  readonly cors: boolean
  /** Which calls it answers: the service's, storage's, or both. */
  readonly part: 'service' | 'storage' | 'both'
  /** Told of errors that are the mock's own fault. */
  readonly onFault: (error: unknown) => void
}

/** A server as a function: no port, no process. */
export type Fetch = (request: Request) => Promise<Response>

/** Builds the service and its storage from the contract's table of calls. */
export function createApp(options: AppOptions): Fetch {
  const app = new Hono()
  if (options.cors) app.use(cors(crossOrigin))
  if (options.part !== 'storage') mountService(app, options)
  if (options.part !== 'service') mountStorage(app, options)
  app.notFound((context) => unknownPath(context.req.path).toResponse())
  app.onError((error) => {
    if (error instanceof Problem) return error.toResponse()
    if (error instanceof DomainError && isProblemCode(error.code)) {
      return new Problem(error.code, error.message).toResponse()
    }
    options.onFault(error)
    return new Problem(
      'internal-error',
      'Failed to answer: because of a fault in the mock itself. Its log has the details.',
    ).toResponse()
  })
  return async (request) => app.fetch(request)
}

/** Every origin, without credentials (gap.cors). Reflecting what is asked for covers `Authorization`, which `*` does not. */
const crossOrigin = {
  origin: (origin: string) => origin || '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT'],
  exposeHeaders: ['ETag', 'Location', 'WWW-Authenticate'],
  maxAge: 600,
}

function mountService(app: Hono, options: AppOptions): void {
  const handlers: ServiceHandlers = { ...workflowHandlers, ...uploadHandlers(options) }
  for (const id of Object.keys(handlers) as ServiceOperationId[]) {
    const { method, path } = operations[id]
    app.on(method, route(path), async (context) => {
      const request = context.req.raw
      const world = options.tenants.ofKey(keyOf(request.headers))
      world.clock.catchUp()
      return answer(await handle(handlers, id, { request, world, params: context.req.param() }))
    })
  }
  for (const path of new Set(Object.keys(handlers).map((id) => operations[id as ServiceOperationId].path))) {
    app.all(route(path), (context) => notAllowed(context.req.method, path))
  }
}

function mountStorage(app: Hono, options: AppOptions): void {
  const { putObject } = storageHandlers(options)
  app.all(`${storagePrefix}*`, async (context) => {
    const request = context.req.raw
    try {
      if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: 'PUT, OPTIONS' } })
      if (request.method !== operations.putObject.method) {
        throw new StorageError('MethodNotAllowed', `${request.method} is not allowed here. Use PUT.`, {
          Allow: 'PUT, OPTIONS',
        })
      }
      return answer(await putObject(request))
    } catch (error) {
      return storageRefusal(error, request)
    }
  })
}

/** Validates the body, if the call has one, and hands the call to its handler. */
async function handle<Id extends ServiceOperationId>(
  handlers: ServiceHandlers,
  id: Id,
  { request, world, params }: { request: Request; world: World; params: Record<string, string> },
) {
  const handler = handlers[id] as (call: Call<Id>) => ReturnType<ServiceHandlers[Id]>
  const body = hasBody(id) ? await validBody(id, request) : undefined
  // The router and the validators follow from the same contract as the types.
  return handler({ params, body, world, request } as Call<Id>)
}

async function validBody<Id extends Parameters<typeof validate>[0]>(id: Id, request: Request) {
  const validation = validate(id, await readJson(request))
  if (validation.valid) return validation.body
  const { violations } = validation
  const rules = violations.length === 1 ? '1 rule is' : `${violations.length} rules are`
  throw new Problem(
    'invalid-request',
    `Failed to read the request: because ${rules} broken. Mend what 'errors' lists and send it again.`,
    { violations },
  )
}

function answer({ status, body, headers = {} }: { status: number; body: unknown; headers?: Record<string, string> }) {
  if (body === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })
}

function notAllowed(method: string, path: string): Response {
  const allowed = Object.values(operations)
    .filter((operation) => operation.path === path)
    .flatMap((operation): string[] => (operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method]))
  const headers = { Allow: [...allowed, 'OPTIONS'].join(', ') }
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers })
  return new Problem(
    'method-not-allowed',
    `Failed to route the request: because ${method} is not allowed at ${path}. Use ${allowed.join(' or ')}.`,
    { headers },
  ).toResponse()
}

function unknownPath(path: string): Problem {
  const meant = meantPath(path)
  const what = meant ? `Use ${meant}` : `The paths are ${servicePaths}`
  return new Problem(
    'unknown-path',
    `Failed to route the request: because there is no path '${path.slice(0, 200)}'. ${what}.`,
  )
}

/** A contract path as the router writes it. */
function route(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
