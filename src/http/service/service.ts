import { operations, type ServiceOperationId } from '../../contract/operations.ts'
import type { Memory } from '../../world/memory.ts'
import { isWork, type Work } from '../../world/slices.ts'
import type { Use } from '../../world/tenants.ts'
import { apiKeyOf } from '../wire/auth.ts'
import { type Incoming, inJson, type Outgoing } from '../wire/exchange.ts'
import { delay, faultStatus } from '../wire/faults.ts'
import type { Call, ServiceHandlers } from '../wire/handlers.ts'
import { askedByTest, type NextAnswers, takeNextAnswer } from '../wire/next-answers.ts'
import { preferencesOf, preferredAnswer } from '../wire/prefer.ts'
import { injectedFault, setFault } from '../wire/problem.ts'
import { type RequestRouter, routerOf } from '../wire/router.ts'
import { sentTo } from '../wire/valid-body.ts'
import { type UploadHandlerOptions, uploadHandlers } from './uploads.ts'
import { workflowHandlers } from './workflows.ts'

export interface ServiceOptions extends UploadHandlerOptions {
  readonly nextAnswers: NextAnswers
  /** What bodies on their way count against. */
  readonly memory: Memory
  /** Uses the world that a key opens, when no work on it is in progress; told which request it is for. */
  readonly enter: <Result>(key: string, incoming: Incoming, use: Use<Result>) => Result | Promise<Result>
}

/** The service's calls, each one way through: key, contract, preferences and faults, handler. */
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
  const { body, text } = await sentTo(id, incoming, memory)
  // Another world than before, if it was reset meanwhile.
  return enter(key, incoming, (world) => {
    world.clock.catchUp()
    const preferred = preferredAnswer(id, preferences)
    if (preferred) return preferred
    const fault = faultStatus(world, id)
    if (fault !== undefined) return injectedFault(fault, setFault)
    // The router and the validators follow from the same contract as the types.
    const handler = handlers[id] as (call: Call<Id>) => AnyAnswer | Work<AnyAnswer>
    const said = handler({ params, body, text, world, incoming } as Call<Id>)
    return isWork(said) ? written(said) : outgoingOf(said)
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
  return takeNextAnswer(nextAnswers, id, tenantId, incoming, (status) => injectedFault(status, askedByTest))
}

/** What the handlers of all calls have in common. */
interface AnyAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

function* written(work: Work<AnyAnswer>): Work<Outgoing> {
  return outgoingOf(yield* work)
}

function outgoingOf({ status, body, headers }: AnyAnswer): Outgoing {
  return inJson(status, body, headers)
}
