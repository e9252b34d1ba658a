import { DomainError } from '../domain/errors.ts'
import { ArchiveError } from '../world/archive.ts'
import type { Tenants } from '../world/tenants.ts'
import { type AdminOptions, adminRouter } from './admin/admin.ts'
import { type ServiceOptions, serviceRouter } from './service/service.ts'
import type { UploadHandlerOptions } from './service/uploads.ts'
import { type StorageOptions, storageRouter } from './storage/storage.ts'
import { preflight, shared } from './wire/cors.ts'
import type { App, Incoming, Outgoing } from './wire/exchange.ts'
import { meantPath, pathsLike } from './wire/paths.ts'
import { isProblemCode, Problem } from './wire/problem.ts'
import type { RequestLog } from './wire/request-log.ts'
import type { RequestRouter } from './wire/router.ts'

export interface AppOptions extends UploadHandlerOptions, Omit<StorageOptions, 'enter'> {
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

const adminOff = new Problem(
  'unknown-path',
  'This mock has no admin API. Start it on a loopback address or with an admin token; createMock has one with the option admin.',
)

const adminPath = /^\/__admin(\/|$)/

/** Builds the service and its storage from the contract's table of calls. */
export function createApp(options: AppOptions): App {
  const { tenants, log, part, onFault } = options
  const steering = options.admin ? [adminRouter(options.admin)] : []
  const enterByKey: ServiceOptions['enter'] = (key, incoming, use) => {
    const tenantId = tenants.idOf(key)
    incoming.tenantId = tenantId
    return tenants.enter(tenantId, use)
  }
  const enterById: StorageOptions['enter'] = (tenantId, incoming, use) => {
    if (!tenants.has(tenantId)) return use(undefined)
    incoming.tenantId = tenantId
    return tenants.enter(tenantId, use)
  }
  const routers = [
    ...(part === 'storage' ? [] : [serviceRouter({ ...options, memory: tenants.memory, enter: enterByKey })]),
    ...(part === 'service' ? [] : [storageRouter({ ...options, enter: enterById })]),
  ]

  async function answerOf(routers: readonly RequestRouter[], incoming: Incoming): Promise<Outgoing> {
    try {
      for (const route of routers) {
        const answer = route(incoming)
        if (answer) return await answer
      }
      return unknownPath(incoming.path, part).toOutgoing()
    } catch (error) {
      return answerTo(error, onFault)
    }
  }

  return async (incoming) => {
    const begun = performance.now()
    const { method, path } = incoming
    // Whoever steers the mock is neither on another origin nor logged.
    if (adminPath.test(path)) {
      const answer = options.admin ? await answerOf(steering, incoming) : adminOff.toOutgoing()
      return withoutBody(method, answer)
    }
    // Without the header, somebody asks what is allowed at a path (RFC 9110 section 9.3.7).
    const isPreflight =
      options.cors && method === 'OPTIONS' && incoming.header('access-control-request-method') !== undefined
    const answer = isPreflight ? preflight(incoming) : await answerOf(routers, incoming)
    const { status, isBroken } = answer
    const { tenantId } = incoming
    const durationMs = performance.now() - begun
    log.add({ at: Date.now(), tenantId, method, path: shortOf(path, incoming.search), status, durationMs })
    if (isBroken) return answer
    return withoutBody(method, options.cors && !isPreflight ? shared(answer, incoming) : answer)
  }
}

/** As much of a path as the log keeps. A piece of a text keeps all of it in memory, so of a long one it is a copy. */
function shortOf(path: string, search: string): string {
  if (path.length + search.length <= longestPath) return path
  return new TextDecoder().decode(new TextEncoder().encode(path.slice(0, longestPath)))
}

/** In characters. */
const longestPath = 1000

function withoutBody(method: string, answer: Outgoing): Outgoing {
  return method === 'HEAD' ? { status: answer.status, headers: answer.headers } : answer
}

function answerTo(error: unknown, onFault: AppOptions['onFault']): Outgoing {
  if (error instanceof Problem) return error.toOutgoing()
  if (error instanceof DomainError && isProblemCode(error.code)) {
    return new Problem(error.code, error.message).toOutgoing()
  }
  onFault(error)
  if (error instanceof ArchiveError) return new Problem('internal-error', error.message).toOutgoing()
  const detail = 'Failed to answer: because of a fault in the mock itself. Its log has the details.'
  return new Problem('internal-error', detail).toOutgoing()
}

function unknownPath(path: string, part: AppOptions['part']): Problem {
  const meant = meantPath(path)
  const here = meant ? `Use ${meant}` : `The paths are ${pathsLike(path)}`
  const what =
    part === 'storage'
      ? 'Here is storage, which takes files at their upload_url; call the service at its own port'
      : here
  return new Problem(
    'unknown-path',
    `Failed to route the request: because there is no path '${path.slice(0, 200)}'. ${what}.`,
  )
}
