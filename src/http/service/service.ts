import { type Body, operations, type ServiceOperationId } from '../../contract/operations.ts'
import { validators } from '../../contract/validators.gen.js'
import type { Memory } from '../../world/memory.ts'
import { isWork, type Work } from '../../world/slices.ts'
import type { Use } from '../../world/tenants.ts'
import type { World } from '../../world/world.ts'
import { type Incoming, jsonAnswer, type Outgoing } from '../wire/exchange.ts'
import { delay, drawFault, requireAllowance } from '../wire/faults.ts'
import type { Call, ServiceHandlers } from '../wire/handlers.ts'
import { askedByTest, type NextAnswers, takeNextAnswer } from '../wire/next-answers.ts'
import { type Preferences, preferencesOf, preferredAnswer } from '../wire/prefer.ts'
import { faultAnswer, faultDetail } from '../wire/problem.ts'
import { type RequestRouter, type RouteEntry, routerOf } from '../wire/router.ts'
import { receiveBody, type Tolerance } from '../wire/valid-body.ts'
import { type FurtherCall, type FurtherCalls, furtherCalls } from './further-calls.ts'
import { type Identifiers, ownIdentifiers } from './identifiers.ts'
import { type UploadHandlerOptions, uploadHandlers } from './uploads.ts'
import { type Delays, workflowHandlers } from './workflows.ts'

export interface ServiceOptions extends UploadHandlerOptions {
  readonly nextAnswers: NextAnswers
  /** @default ownIdentifiers */
  readonly identifiers?: Identifiers
  /** True if answers keep their values, so that a profile can render them. @default false */
  readonly isStyled?: boolean
  /** Calls beside the contract's. @default none */
  readonly further?: FurtherCalls
  /** @default nothing beyond the contract is accepted */
  readonly tolerance?: Tolerance
  /** @default details show every change at once */
  readonly delays?: Delays
  /** The memory limit that request bodies count against. */
  readonly memory: Memory
  /** Returns the tenant of a request. Throws a 401 without a valid key. */
  readonly tenantOf: (incoming: Incoming) => string
  /** Calls `use` with the world of a tenant as soon as no work on it is in progress. */
  readonly enter: <Result>(tenantId: string, incoming: Incoming, use: Use<Result>) => Result | Promise<Result>
  /** Calls `look` with the world of a tenant, perhaps before the latest writes of other mocks have arrived. */
  readonly glance: <Result>(
    tenantId: string,
    incoming: Incoming,
    look: (world: World) => Result,
  ) => Result | Promise<Result>
}

/** Routes the service's calls. Each passes the same stages: key, rate limit, contract, preferences and faults, handler. */
export function serviceRouter(options: ServiceOptions): RequestRouter {
  const { identifiers = ownIdentifiers } = options
  const handlers: ServiceHandlers = {
    ...workflowHandlers(identifiers, options.tolerance, options.delays),
    ...uploadHandlers(options, identifiers, options.tolerance),
  }
  const ids = Object.keys(handlers) as ServiceOperationId[]
  const further = options.further ? furtherCalls(options.further) : []
  return routerOf([
    ...ids.map(
      (id): RouteEntry => ({
        ...operations[id],
        answer: (incoming, params) => answer(handlers, id, incoming, params, options),
      }),
    ),
    ...further.map(
      (call): RouteEntry => ({
        method: 'GET',
        path: call.path,
        answer: (incoming, params) => answerFurther(call, incoming, params, options),
      }),
    ),
  ])
}

/** Answers a call that only deployments have, for a profile to render. */
async function answerFurther(
  { id, answer }: FurtherCall,
  incoming: Incoming,
  params: Readonly<Record<string, string>>,
  options: ServiceOptions,
): Promise<Outgoing> {
  incoming.call = { id, params }
  const tenantId = options.tenantOf(incoming)
  const waiting = allow(tenantId, incoming, preferencesOf(incoming), options)
  if (waiting) await waiting
  return options.enter(tenantId, incoming, function* (world): Work<Outgoing> {
    world.catchUp()
    const answered = answer(world, params, options.delays)
    const [value, more] = isWork(answered) ? yield* answered : answered
    incoming.call = { id, params, now: world.clock.now(), ...more }
    return { status: 200, headers: [], value }
  })
}

/** Counts a call against the rate limit of its tenant, and returns the wait for the latency, if there is one. */
function allow(tenantId: string, incoming: Incoming, preferences: Preferences, { glance }: ServiceOptions) {
  return glance(tenantId, incoming, (world) => {
    requireAllowance(world)
    return delay(world, preferences)
  })
}

async function answer<Id extends ServiceOperationId>(
  handlers: ServiceHandlers,
  id: Id,
  incoming: Incoming,
  params: Readonly<Record<string, string>>,
  options: ServiceOptions,
): Promise<Outgoing> {
  const { tenantOf, enter, memory, nextAnswers, isStyled, tolerance, store } = options
  incoming.operationId = id
  if (isStyled) incoming.call = { id, params }
  const tenantId = tenantOf(incoming)
  const preferences = preferencesOf(incoming)
  const waiting = allow(tenantId, incoming, preferences, options)
  if (waiting) await waiting
  const next = nextAnswers.isEmpty ? undefined : await nextAnswer(id, tenantId, incoming, nextAnswers)
  if (next) return next
  const body = await receiveBody(id, validators, incoming, memory, tolerance)
  if (isStyled) incoming.call = { id, params, body }
  const preferring = preferredAnswer(id, preferences)
  const preferred = preferring && (await preferring)
  if (store && !preferred && id === 'confirmUpload') {
    // The cast is safe, as below.
    const { session_id } = body as unknown as Body<'confirmUpload'>
    await store.noteStored(session_id.toLowerCase(), (use) => enter(tenantId, incoming, use))
  }
  // A reset in the meantime replaces the world, so it is entered again.
  return enter(tenantId, incoming, (world) => {
    world.catchUp()
    if (isStyled) incoming.call = { id, params, body, now: world.clock.now() }
    if (preferred) return injected(preferred)
    const fault = drawFault(world, id)
    if (fault !== undefined) return injected(faultAnswer(fault, faultDetail))
    // The cast is safe: router, validators and types are generated from the same contract.
    const handler = handlers[id] as (call: Call<Id>) => AnyAnswer | Work<AnyAnswer>
    const result = handler({ params, body, world, incoming } as Call<Id>)
    const toOutgoing = isStyled ? unwritten : outgoingOf
    return isWork(result) ? finish(result, toOutgoing) : toOutgoing(result)
  })
}

/** Returns the answer that a test queued for this call, if any. */
async function nextAnswer(
  id: ServiceOperationId,
  tenantId: string,
  incoming: Incoming,
  nextAnswers: NextAnswers,
): Promise<Outgoing | undefined> {
  const next = await takeNextAnswer(nextAnswers, id, tenantId, incoming, (status) => faultAnswer(status, askedByTest))
  return next && injected(next)
}

/** The common shape of all handlers' answers. */
interface AnyAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

function* finish(work: Work<AnyAnswer>, toOutgoing: (answer: AnyAnswer) => Outgoing): Work<Outgoing> {
  return toOutgoing(yield* work)
}

/** Returns an answer whose body a profile has yet to render. */
function unwritten({ status, body, headers = {} }: AnyAnswer): Outgoing {
  return { status, headers: Object.entries(headers), value: body }
}

function injected(answer: Outgoing): Outgoing {
  return { ...answer, isInjected: true }
}

function outgoingOf({ status, body, headers }: AnyAnswer): Outgoing {
  return jsonAnswer(status, body, headers)
}
