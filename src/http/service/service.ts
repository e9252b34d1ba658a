import { operations, type ServiceOperationId } from '../../contract/operations.ts'
import type { Memory } from '../../world/memory.ts'
import { isWork, type Work } from '../../world/slices.ts'
import type { Use } from '../../world/tenants.ts'
import { apiKeyOf } from '../wire/auth.ts'
import { type Incoming, jsonAnswer, type Outgoing } from '../wire/exchange.ts'
import { delay, drawFault } from '../wire/faults.ts'
import type { Call, ServiceHandlers } from '../wire/handlers.ts'
import { askedByTest, type NextAnswers, takeNextAnswer } from '../wire/next-answers.ts'
import { preferencesOf, preferredAnswer } from '../wire/prefer.ts'
import { faultAnswer, faultDetail } from '../wire/problem.ts'
import { type RequestRouter, routerOf } from '../wire/router.ts'
import { receiveBody } from '../wire/valid-body.ts'
import { type UploadHandlerOptions, uploadHandlers } from './uploads.ts'
import { workflowHandlers } from './workflows.ts'

export interface ServiceOptions extends UploadHandlerOptions {
  readonly nextAnswers: NextAnswers
  /** The memory limit that request bodies count against. */
  readonly memory: Memory
  /** Calls `use` with the world of a key as soon as no work on it is in progress. */
  readonly enter: <Result>(key: string, incoming: Incoming, use: Use<Result>) => Result | Promise<Result>
}

/** Routes the service's calls. Each passes the same stages: key, contract, preferences and faults, handler. */
export function serviceRouter(options: ServiceOptions): RequestRouter {
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
  { enter, memory, nextAnswers }: ServiceOptions,
): Promise<Outgoing> {
  const key = apiKeyOf(incoming)
  const preferences = preferencesOf(incoming)
  const waiting = enter(key, incoming, (world) => delay(world, preferences))
  if (waiting) await waiting
  const next = await nextAnswer(id, key, incoming, { enter, nextAnswers })
  if (next) return next
  const { body, text } = await receiveBody(id, incoming, memory)
  // A reset in the meantime replaces the world, so it is entered again.
  return enter(key, incoming, (world) => {
    world.clock.catchUp()
    const preferred = preferredAnswer(id, preferences)
    if (preferred) return preferred
    const fault = drawFault(world, id)
    if (fault !== undefined) return faultAnswer(fault, faultDetail)
    // The cast is safe: router, validators and types are generated from the same contract.
    const handler = handlers[id] as (call: Call<Id>) => AnyAnswer | Work<AnyAnswer>
    const result = handler({ params, body, text, world, incoming } as Call<Id>)
    return isWork(result) ? finish(result) : outgoingOf(result)
  })
}

/** Returns the answer that a test has asked for, if one waits for this call. */
async function nextAnswer(
  id: ServiceOperationId,
  key: string,
  incoming: Incoming,
  { enter, nextAnswers }: Pick<ServiceOptions, 'enter' | 'nextAnswers'>,
): Promise<Outgoing | undefined> {
  if (nextAnswers.isEmpty) return undefined
  const tenantId = await enter(key, incoming, (world) => world.tenantId)
  return takeNextAnswer(nextAnswers, id, tenantId, incoming, (status) => faultAnswer(status, askedByTest))
}

/** The common shape of all handlers' answers. */
interface AnyAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

function* finish(work: Work<AnyAnswer>): Work<Outgoing> {
  return outgoingOf(yield* work)
}

function outgoingOf({ status, body, headers }: AnyAnswer): Outgoing {
  return jsonAnswer(status, body, headers)
}
