import { type Body, operations, type ServiceOperationId } from '../../contract/operations.ts'
import { validators } from '../../contract/validators.gen.js'
import { apiKeyOf } from '../../wire/auth.ts'
import type { DeploymentWays } from '../../wire/deployment.ts'
import type { Endpoint, Incoming, Outgoing } from '../../wire/exchange.ts'
import type { Call, ServiceHandlers } from '../../wire/handlers.ts'
import { receiveBody } from '../../wire/valid-body.ts'
import { isWork, type Work } from '../../world/slices.ts'
import type { Tenants } from '../../world/tenants.ts'
import type { World } from '../../world/world.ts'
import { furtherRoutes } from './further-calls.ts'
import { type Identifiers, ownIdentifiers } from './identifiers.ts'
import type { ObjectStore } from './object-store.ts'
import { type UploadHandlerOptions, uploadHandlers } from './uploads.ts'
import { workflowHandlers } from './workflows.ts'

export interface ServiceOptions extends UploadHandlerOptions {
  readonly tenants: Tenants
  /** The keys that are accepted. @default every test key */
  readonly keys?: readonly string[]
  /** @default ownIdentifiers */
  readonly identifiers?: Identifiers
  readonly deployment: DeploymentWays
}

/** Returns the rows of the service's calls: those of the contract, and those that only a deployment has. */
export function serviceRoutes(options: ServiceOptions): Endpoint[] {
  const { tenants, identifiers = ownIdentifiers, deployment, store } = options
  const handlers: ServiceHandlers = {
    ...workflowHandlers(identifiers, deployment),
    ...uploadHandlers(options, identifiers, deployment),
  }
  const keys = options.keys && new Set(options.keys)
  const tenantOf = (request: Incoming) => tenants.idOf(apiKeyOf(request, keys, deployment.accepts('key-with-scheme')))
  const service = { part: 'service' as const, tenantOf }
  const calls = (Object.keys(handlers) as ServiceOperationId[]).map(
    (id): Endpoint => ({
      ...{ ...service, ...operations[id], id },
      async validate(context) {
        context.body = await receiveBody(id, validators, context, tenants.memory, deployment)
        const { params, body, tenantId = '' } = context
        return {
          ...(store &&
            id === 'confirmUpload' && {
              async receive() {
                const { session_id } = body as Body<'confirmUpload'>
                await noteStored(session_id.toLowerCase(), store, (use) => tenants.withWorld(tenantId, use))
              },
            }),
          handle(world) {
            // The casts are safe: router, validators and types are generated from the same contract.
            const handler = handlers[id] as unknown as (call: Call<ServiceOperationId>) => AnyAnswer | Work<AnyAnswer>
            const answer = handler({ params, body, world, context } as Call<ServiceOperationId>)
            return isWork(answer) ? finish(answer) : outgoingOf(answer)
          },
        }
      },
    }),
  )
  return [...calls, ...furtherRoutes(service, deployment)]
}

/** Looks for the file of a session that is about to be confirmed, and records it if the store has it. */
async function noteStored(
  sessionId: string,
  store: ObjectStore,
  enter: <Result>(use: (world: World) => Result) => Result | Promise<Result>,
): Promise<void> {
  const waiting = (world: World) => {
    const upload = world.hasUpload(sessionId) ? world.upload(sessionId) : undefined
    return upload?.status === 'requested' ? upload : undefined
  }
  const upload = await enter(waiting)
  if (!upload || !(await store.holds(upload))) return
  await enter((world) => {
    // Another call may have been faster, or a reset.
    if (waiting(world)?.key === upload.key) world.handle({ type: 'StoreObject', sessionId })
  })
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

/** Returns an answer whose body is yet to be written. */
const outgoingOf = ({ status, body, headers = {} }: AnyAnswer): Outgoing => ({
  status,
  headers: Object.entries(headers),
  value: body,
})
