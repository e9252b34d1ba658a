/** The way of a request through the mock, stage by stage. */

import { drain } from '../wire/body.ts'
import { answerPreflight, isPreflight, type PageRights, withCors, withoutCors } from '../wire/cors.ts'
import {
  type AnswerError,
  type Context,
  type Endpoint,
  type Incoming,
  type Outgoing,
  operationOf,
  publicPathOf,
  withText,
} from '../wire/exchange.ts'
import type { Exchanges } from '../wire/exchanges.ts'
import { drawFault, drawLatency, requireWithinLimit, wait } from '../wire/limits.ts'
import { outside } from '../wire/mount.ts'
import type { NextAnswers } from '../wire/next-answers.ts'
import { answerOtherMethod, readyAnswer, unknownPath, unknownServicePath } from '../wire/paths.ts'
import { preferencesOf } from '../wire/prefer.ts'
import { Problem } from '../wire/problem.ts'
import type { EndpointRouter, Match } from '../wire/router.ts'
import type { Tenants } from '../world/tenants.ts'
import type { World } from '../world/world.ts'
import { isOfStorage } from './answer-error.ts'
import type { Like } from './like/like.ts'
import { overrideOf } from './overrides.ts'
import { shownInLog } from './shown-in-log.ts'
import { StorageError } from './storage/storage-error.ts'

/** Answers calls that the mock leaves to another service. */
export interface PassOn {
  /** The calls that only the other service has. */
  readonly routes: readonly Endpoint[]
  /** Answers a call that has passed the key; undefined if it is left to the mock. */
  answer(context: Context): Promise<Outgoing> | undefined
}

/** What the stages of a request use. */
export interface Stages {
  readonly tenants: Tenants
  readonly exchanges: Exchanges
  readonly nextAnswers: NextAnswers
  readonly route: EndpointRouter<Endpoint>
  /** Returns what pages on other origins may do; undefined if they may not send the request. */
  readonly cors: (request: Incoming) => PageRights | undefined
  /** Answers what is thrown. */
  readonly answerError: AnswerError
  /** Which calls are answered: the service's, storage's, or both. */
  readonly part: 'service' | 'storage' | 'both'
  /** Answers calls of the admin API. @default there is none */
  readonly admin?: ((request: Incoming) => Promise<Outgoing>) | undefined
  /** Writes answers in the style of a deployment. @default the contract's own */
  readonly like?: Like | undefined
  /** @default the mock answers all calls */
  readonly passOn?: PassOn
}

/** Answers a request, and notes it in the log. `actsFor` is the tenant that the admin API sends it for. */
export async function handleRequest(received: Incoming, stages: Stages, actsFor?: string): Promise<Outgoing> {
  const { tenants, like, exchanges } = stages
  // Start. Calls of the admin API get no CORS headers and are not logged.
  const begun = performance.now()
  if (adminPath.test(received.path)) {
    if (!stages.admin) throw adminOff
    return withoutBody(received.method, await stages.admin(received))
  }
  const rights = stages.cors(received)
  const asksFirst = rights && isPreflight(received)
  const content = asksFirst ? undefined : exchanges.begin(received)
  const context: Context = { received, request: received, params: {}, actsFor }
  // Answer, and end.
  let answer: Outgoing
  try {
    answer = asksFirst ? answerPreflight(received, rights) : await answerTo(context, stages)
    context.end?.()
  } catch (error) {
    context.end?.(error)
    answer = await refusalOf(error, context, stages)
  }
  // Render. A profile renders errors too.
  try {
    answer = like && !answer.isFinal ? like.render(context, answer) : withText(answer)
  } catch (error) {
    answer = stages.answerError(error, received)
  }
  // CORS. A learned profile has all headers of the deployment's answers to calls without an Origin.
  const origin = received.header('origin')
  const isBare = asksFirst || answer.isBroken || (like?.isLearned && origin === undefined)
  const allowed = rights && !isBare ? withCors(like ? withoutCors(answer) : answer, origin, rights) : answer
  const sent = withoutBody(received.method, allowed)
  // Log and record.
  const { tenantId } = context
  if (tenantId !== undefined) tenants.noteUse(tenantId)
  const { method } = received
  const shown = await shownInLog(context, answer)
  const durationMs = performance.now() - begun
  const operationId = operationOf(context)
  const entry = { at: Date.now(), durationMs, tenantId, operationId, method, status: answer.status, ...shown }
  exchanges.add(entry, content?.end(sent))
  return sent
}

/** Returns the answer to what was thrown for a request. */
async function refusalOf(error: unknown, { request, route }: Context, { answerError }: Stages): Promise<Outgoing> {
  const about = { path: request.path, route }
  const answer = answerError(error, about)
  if (!isOfStorage(error, about)) return answer
  // S3 answers before the end of a file, and clients then see a broken connection; here they see the reason.
  return drain(request).then(
    () => answer,
    (failure) => answerError(failure, about),
  )
}

/** Finds the call of a request and answers it. Throws what is refused. */
async function answerTo(context: Context, stages: Stages): Promise<Outgoing> {
  const { tenants, like, passOn } = stages
  // Route. With a profile, a client may use the deployment's own addresses.
  if (like && context.actsFor === undefined) Object.assign(context, like.toReference(context.request))
  const { request } = context
  const match = stages.route(request)
  if (!match) return answerElsewhere(request, stages)
  if (!match.route) return answerOther(request.method, match)
  const { route, params } = match
  Object.assign(context, { route, params })
  // Guard and tenant. Calls to storage have no key, and open no tenant.
  const tenantId = context.actsFor ?? route.tenantOf(request)
  const isService = route.part === 'service'
  if (isService) context.tenantId = tenantId
  const preferences = preferencesOf(request)
  // Limit and latency.
  const look = (world: World) => {
    if (isService) requireWithinLimit(world)
    return { latencyMs: drawLatency(world.settings.latency, world.faultRandom), fault: drawFault(world, route.id) }
  }
  const settings = await (isService
    ? tenants.readStored(tenantId, look)
    : tenants.withWorldIfOpen(tenantId, (world) => world && look(world)))
  if (settings) {
    context.tenantId = tenantId
    await wait(preferences.delay ?? settings.latencyMs)
    // Override: an answer that a test has queued, that the request prefers, or that the settings ask for.
    const override = await overrideOf(context, stages.nextAnswers, preferences, settings.fault)
    if (override) return override
  }
  // Pass on.
  const passed = passOn?.answer(context)
  if (passed) return { ...(await passed), isFinal: true }
  // Validate.
  const call = await route.validate(context)
  // Receive the file.
  await call.receive?.()
  // Handle. A reset in the meantime has replaced the world.
  const handle = (world: World | undefined) => {
    world?.catchUp()
    context.now = world?.clock.now()
    return call.handle(world)
  }
  return isService
    ? tenants.withWorld(tenantId, handle)
    : tenants.withWorldIfOpen(tenantId, (world) => handle(world) as Outgoing)
}

const adminPath = /^\/__admin(\/|$)/
const adminOff = new Problem(
  'unknown-path',
  'The admin API is off. Start the mock on a loopback address or with an admin token, or set the option admin of createMock.',
)
const onlyStorage = 'This port serves only storage; send service calls to the port of the service'

/** Answers at `/`, and with 404 at any other path that is not in the table. */
function answerElsewhere(request: Incoming, { part }: Stages): Outgoing {
  const { method, path, asked = path } = request
  if (path === '/' && (method === 'GET' || method === 'HEAD')) return readyAnswer()
  if (path.startsWith(outside)) return unknownPath(asked, `Use ${publicPathOf(request)}${asked}`).toOutgoing()
  return (part === 'storage' ? unknownPath(path, onlyStorage) : unknownServicePath(path)).toOutgoing()
}

/** Answers a method that a path does not have: OPTIONS with those it has, and others with 405. */
function answerOther(method: string, { others, allowed }: Exclude<Match<Endpoint>, { route: Endpoint }>): Outgoing {
  const [{ path, part }] = others as [Endpoint]
  if (part === 'service' || method === 'OPTIONS') return answerOtherMethod(method, path, allowed)
  const headers = { Allow: [...allowed, 'OPTIONS'].join(', ') }
  throw new StorageError('MethodNotAllowed', `${method} is not allowed here. Use ${allowed.join(' or ')}.`, { headers })
}

/** Answers a request without a body to HEAD. */
export function withoutBody(method: string, answer: Outgoing): Outgoing {
  return method === 'HEAD' && !answer.isBroken ? { status: answer.status, headers: answer.headers } : answer
}
