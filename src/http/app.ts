import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { DomainError } from '../domain/errors.ts'
import { ArchiveError } from '../world/archive.ts'
import type { Tenants } from '../world/tenants.ts'
import { type AdminOptions, mountAdmin } from './admin.ts'
import { meantPath, servicePaths } from './paths.ts'
import { isProblemCode, Problem } from './problem.ts'
import type { RequestLog } from './request-log.ts'
import { mountService } from './service.ts'
import { mountStorage, type StorageOptions } from './storage.ts'
import type { UploadOptions } from './uploads.ts'

export interface AppOptions extends UploadOptions, Omit<StorageOptions, 'enter'> {
  readonly tenants: Tenants
  readonly log: RequestLog
  readonly cors: boolean
  /** Which calls it answers: the service's, storage's, or both. */
  readonly part: 'service' | 'storage' | 'both'
  /** The admin API, if it has one. */
  readonly admin?: AdminOptions
  /** Told of errors that are the mock's own fault. */
  readonly onFault: (error: unknown) => void
}

/** A server as a function: no port, no process. */
export type Fetch = (request: Request) => Promise<Response>

/** Builds the service and its storage from the contract's table of calls. */
export function createApp(options: AppOptions): Fetch {
  const { tenants, log, part, admin } = options
  /** Whose world a request turned out to be for, for the log. */
  const tenantOf = new WeakMap<Request, string>()
  const app = new Hono()
  if (admin) mountAdmin(app, admin)
  if (options.cors) app.use(cors(crossOrigin))
  if (part !== 'storage') {
    const enter = (key: string, request: Request) => {
      const world = tenants.ofKey(key)
      tenantOf.set(request, world.tenantId)
      return world
    }
    mountService(app, { ...options, enter })
  }
  if (part !== 'service') {
    const enter = (tenantId: string, request: Request) => {
      const world = tenants.byId(tenantId)
      if (world) tenantOf.set(request, tenantId)
      return world
    }
    mountStorage(app, { ...options, enter })
  }
  app.notFound(({ req }) => unknownPath(req.path).toResponse())
  app.onError((error) => answerTo(error, options.onFault))
  return async (request) => {
    const begun = performance.now()
    const response = await app.fetch(request)
    const path = pathOf(request.url)
    if (!path.startsWith('/__admin')) {
      const tenantId = tenantOf.get(request)
      const { method } = request
      const durationMs = performance.now() - begun
      log.add({ at: Date.now(), ...(tenantId && { tenantId }), method, path, status: response.status, durationMs })
    }
    return response
  }
}

/** Every origin, without credentials (gap.cors). Reflecting what is asked for covers `Authorization`, which `*` does not. */
const crossOrigin = {
  origin: (origin: string) => origin || '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT'],
  exposeHeaders: ['ETag', 'Location', 'WWW-Authenticate', 'Preference-Applied'],
  maxAge: 600,
}

function answerTo(error: unknown, onFault: AppOptions['onFault']): Response {
  if (error instanceof Problem) return error.toResponse()
  if (error instanceof DomainError && isProblemCode(error.code))
    return new Problem(error.code, error.message).toResponse()
  onFault(error)
  if (error instanceof ArchiveError) return new Problem('internal-error', error.message).toResponse()
  const detail = 'Failed to answer: because of a fault in the mock itself. Its log has the details.'
  return new Problem('internal-error', detail).toResponse()
}

function unknownPath(path: string): Problem {
  const meant = meantPath(path)
  const what = meant ? `Use ${meant}` : `The paths are ${servicePaths}`
  return new Problem(
    'unknown-path',
    `Failed to route the request: because there is no path '${path.slice(0, 200)}'. ${what}.`,
  )
}

function pathOf(url: string): string {
  return new URL(url).pathname
}
