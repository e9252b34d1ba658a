import type { Recording } from '../session/recording.ts'
import type { SecretRedactor } from '../session/redact.ts'
import type { Tenants } from '../world/tenants.ts'
import type { AdminOptions } from './admin/admin.ts'
import type { Like } from './like/like.ts'
import type { Identifiers } from './service/identifiers.ts'
import { type ServiceOptions, serviceRouter } from './service/service.ts'
import type { UploadHandlerOptions } from './service/uploads.ts'
import { type StorageOptions, storagePrefix, storageRouter } from './storage/storage.ts'
import { apiKeyOf } from './wire/auth.ts'
import { Capture, type Captures, redactorOf } from './wire/captures.ts'
import { answerPreflight, type PageRights, withCors, withoutCors } from './wire/cors.ts'
import { type AnswerError, type App, type Incoming, type Outgoing, publicPathOf } from './wire/exchange.ts'
import { outside } from './wire/mount.ts'
import { readyAnswer, unknownPath, unknownServicePath } from './wire/paths.ts'
import { Problem } from './wire/problem.ts'
import type { RequestLog } from './wire/request-log.ts'
import type { RequestRouter } from './wire/router.ts'

/**
 * Answers calls that the mock leaves to another service; undefined for all others. `tenantIdOf` returns the tenant of a key.
 */
export type PassOn = (incoming: Incoming, tenantIdOf: (key: string) => string) => Promise<Outgoing> | undefined

export interface AppOptions
  extends UploadHandlerOptions,
    Omit<StorageOptions, 'enter' | 'needsMd5' | 'needsSha256' | 'tolerance'> {
  readonly tenants: Tenants
  readonly log: RequestLog
  readonly captures: Captures
  readonly recording: Recording
  /** Returns what pages on other origins may do; undefined if they may not send the request. */
  readonly cors: (incoming: Incoming) => PageRights | undefined
  readonly identifiers?: Identifiers
  /** The keys that are accepted. @default every test key */
  readonly keys?: readonly string[]
  /** Writes answers in the style of a deployment. @default the contract's own */
  readonly like?: Like
  /** Answers calls in the place of the mock. @default the mock answers all */
  readonly passOn?: PassOn
  /** Which calls the app answers: the service's, storage's, or both. */
  readonly part: 'service' | 'storage' | 'both'
  /** Serves the admin API if set. */
  readonly admin?: AdminOptions
  /** Answers what is thrown. */
  readonly answerError: AnswerError
}

const adminOff = new Problem(
  'unknown-path',
  'The admin API is off. Start the mock on a loopback address or with an admin token, or set the option admin of createMock.',
)

const onlyStorage = 'This port serves only storage; send service calls to the port of the service'

const adminPath = /^\/__admin(\/|$)/

/** Builds the service and its storage from the contract's table of calls. */
export function createApp(options: AppOptions): App {
  const { tenants, log, captures, recording, part, answerError, like, passOn } = options
  const loadAdmin = options.admin && onceCalled({ ...options.admin, ...(like && { tolerance: like.tolerance }) })
  const keys = options.keys && new Set(options.keys)
  const tenantOf: ServiceOptions['tenantOf'] = (incoming) => incoming.actsFor ?? tenants.idOf(apiKeyOf(incoming, keys))
  const enterTenant: ServiceOptions['enter'] = (tenantId, incoming, use) => {
    incoming.tenantId = tenantId
    return tenants.enter(tenantId, use)
  }
  const enterById: StorageOptions['enter'] = (tenantId, incoming, use) => {
    return tenants.enterIfThere(tenantId, (world) => {
      if (world) incoming.tenantId = tenantId
      return use(world)
    })
  }
  const glance: ServiceOptions['glance'] = (tenantId, incoming, look) => {
    incoming.tenantId = tenantId
    return tenants.glance(tenantId, look)
  }
  const routers = [
    ...(part === 'storage'
      ? []
      : [
          serviceRouter({
            ...options,
            memory: tenants.memory,
            tenantOf,
            enter: enterTenant,
            glance,
            isStyled: like !== undefined,
            ...(like && { tolerance: like.tolerance, delays: like.delays, further: like.further }),
          }),
        ]),
    ...(part === 'service'
      ? []
      : [
          options.store?.closedStorage ??
            storageRouter({
              ...options,
              enter: enterById,
              ...(like && {
                needsMd5: like.needsMd5,
                needsSha256: like.needsSha256,
                tolerance: like.storageTolerance,
              }),
            }),
        ]),
  ]

  async function answerOf(routers: readonly RequestRouter[], incoming: Incoming): Promise<Outgoing> {
    try {
      for (const route of routers) {
        const answer = route(incoming)
        if (answer) return await answer
      }
      if (incoming.path === '/' && (incoming.method === 'GET' || incoming.method === 'HEAD')) return readyAnswer()
      return unknown(incoming).toOutgoing()
    } catch (error) {
      return answerError(error, incoming)
    }
  }

  function unknown(incoming: Incoming): Problem {
    const { path, asked = path } = incoming
    if (path.startsWith(outside)) return unknownPath(asked, `Use ${publicPathOf(incoming)}${asked}`)
    return part === 'storage' ? unknownPath(path, onlyStorage) : unknownServicePath(path)
  }

  async function styledAnswerOf(like: Like, incoming: Incoming, capture?: Capture): Promise<Outgoing> {
    const asked = incoming.isOfContract ? incoming : like.toReference(incoming)
    const answer = await answerOf(routers, asked)
    capture?.noteContract(answer)
    incoming.noteContract?.(answer)
    return like.render(asked, answer)
  }

  const tenantIdOf = (key: string) => tenants.idOf(key)

  const answerLogged: App = async (incoming) => {
    const begun = performance.now()
    const { method, path } = incoming
    // Admin calls get no CORS headers and are not logged.
    if (adminPath.test(path)) {
      const answer = loadAdmin ? await answerOf([await loadAdmin()], incoming) : adminOff.toOutgoing()
      return withoutBody(method, answer)
    }
    const rights = options.cors(incoming)
    // OPTIONS without this header is no preflight; it asks for the allowed methods (RFC 9110 section 9.3.7).
    const isPreflight = rights && method === 'OPTIONS' && incoming.header('access-control-request-method') !== undefined
    const capture = loadAdmin && !isPreflight ? new Capture(incoming) : undefined
    const recorded = isPreflight ? undefined : recording.current?.begin(incoming)
    let answer: Outgoing
    try {
      answer = isPreflight
        ? answerPreflight(incoming, rights)
        : await (passOn?.(incoming, tenantIdOf) ??
            (like ? styledAnswerOf(like, incoming, capture) : answerOf(routers, incoming)))
    } catch (error) {
      answer = answerError(error, incoming)
    }
    const { status, isBroken } = answer
    const { tenantId, operationId } = incoming
    const durationMs = performance.now() - begun
    if (tenantId !== undefined) tenants.noteUse(tenantId)
    const at = Date.now()
    const redactor = mayShowSecret(incoming, answer)
      ? await redactorOf(incoming.headers(), path + incoming.search, answer.headers)
      : undefined
    const shown = shownOf(incoming, answer, redactor)
    const id = log.add({ at, tenantId, operationId, method, status, durationMs, ...shown })
    // A learned profile has all headers of the deployment's answers to calls without an Origin.
    const origin = incoming.header('origin')
    const pageRights = isPreflight || (like?.isLearned && origin === undefined) ? undefined : rights
    const sent = withoutBody(
      method,
      pageRights ? withCors(like ? withoutCors(answer) : answer, origin, pageRights) : answer,
    )
    if (capture) {
      capture.end(sent)
      captures.keep(id, capture)
    }
    if (!isBroken) recorded?.end(sent)
    return isBroken ? answer : sent
  }
  return (incoming) =>
    answerLogged(incoming).catch((error) => withoutBody(incoming.method, answerError(error, incoming)))
}

/** Loads the admin API with its first call: a mock in a browser hardly ever needs it. */
function onceCalled(options: AdminOptions): () => Promise<RequestRouter> {
  let loading: Promise<RequestRouter> | undefined
  return () => {
    loading ??= import('./admin/admin.ts').then(({ adminRouter }) => adminRouter(options))
    return loading
  }
}

/** The longest path and reason in the log, in characters. */
const longestText = 1000

/**
 * Returns true if the log could show a secret of a call: in a path that the mock has not made, or the signature that a deployment's
 * style puts into one. Most calls have neither, and a redactor takes as long as one of them.
 */
function mayShowSecret({ path, operationId }: Incoming, { status, refusal }: Outgoing): boolean {
  if (operationId === 'putObject') return !path.startsWith(storagePrefix)
  return status >= 400 || refusal !== undefined
}

/** Returns the path of a call and the reason of its refusal for the log. */
function shownOf({ path, search }: Incoming, { refusal }: Outgoing, redactor?: SecretRedactor) {
  const show = (text: string) => copy((redactor?.text(text) ?? text).slice(0, longestText))
  return {
    path: redactor || path.length + search.length > longestText ? show(path) : path,
    ...(refusal && { refusal: { ...refusal, detail: show(refusal.detail) } }),
  }
}

/** Returns a text that does not keep the longer string in memory that it is a part of. */
function copy(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}

function withoutBody(method: string, answer: Outgoing): Outgoing {
  return method === 'HEAD' ? { status: answer.status, headers: answer.headers } : answer
}
