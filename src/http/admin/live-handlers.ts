import type { App, Incoming } from '../../wire/exchange.ts'
import type { RequestSelection } from '../../wire/exchanges.ts'
import { Problem } from '../../wire/problem.ts'
import type { AdminHandlers } from './admin-calls.ts'
import { requestTo } from './admin-values.ts'
import { type ChangesOptions, changesAfter, streamOfChanges } from './change-stream.ts'
import { limitOf, wholeNumberIn } from './page-of.ts'
import { answerSeen, requestFor, uploadFor } from './sent-call.ts'
import { shownContent } from './shown-capture.ts'

export interface LiveState extends ChangesOptions {
  /** Answers the calls that the admin API sends for a tenant. */
  readonly app: App
  /** Returns the address of storage for the client of a request. */
  readonly storageUrl: (incoming: Incoming) => string
}

/** The handlers that show requests, and send them. */
type LiveHandlers = Pick<
  AdminHandlers,
  'getRequests' | 'readRequest' | 'streamChanges' | 'readChanges' | 'sendCall' | 'writeObject'
>

/** Creates the handlers that show requests, and send them. */
export function liveHandlers(state: LiveState): LiveHandlers {
  const { tenants, exchanges, app, storageUrl } = state
  const sent = async (request: Incoming, tenantId: string) => ({
    status: 200 as const,
    body: answerSeen(await app(request, tenantId)),
  })
  return {
    getRequests: ({ tenantId, query }) => ({
      status: 200,
      body: { requests: exchanges.read(limitOf(query), selectionOf(tenantId, query)).map(requestTo) },
    }),

    async readRequest({ params: { request_id: requestId } }) {
      if (!/^\d{1,15}$/.test(requestId)) throw malformedRequestId
      const found = exchanges.find(Number(requestId))
      if (!found) throw unknownRequest(requestId)
      const { request, content } = found
      // The table is large, and only this call needs it.
      const { touchedBy } = await import('./citations.ts')
      const body = { request: requestTo(request), ...(await shownContent(content)), ...touchedBy(request) }
      return { status: 200, body }
    },

    async readChanges({ tenantId, query }) {
      const selection = selectionOf(tenantId, query)
      // A reset has closed the world.
      if (tenantId !== undefined && !tenants.findWorld(tenantId)) await tenants.withWorld(tenantId, () => {})
      const known = { event: wholeNumberIn(query, 'after_event', 0), request: wholeNumberIn(query, 'after_request', 0) }
      return { status: 200, body: changesAfter(state, selection, known) }
    },

    streamChanges({ tenantId, query }) {
      const selection = selectionOf(tenantId, query)
      return { status: 200, headers: streamHeaders, stream: streamOfChanges(state, selection) }
    },

    sendCall: ({ tenantId, body, incoming }) => sent(requestFor(body, incoming), tenantId),

    async writeObject({ tenantId, params, incoming }) {
      const sessionId = params.session_id.toLowerCase()
      const url = storageUrl(incoming)
      const request = await tenants.withWorld(tenantId, (world) =>
        uploadFor(world.upload(sessionId), world, incoming, url),
      )
      return sent(request, tenantId)
    },
  }
}

/** Reads which requests a call is about. Throws a problem if it asks for others. */
function selectionOf(tenantId: string | undefined, query: URLSearchParams): RequestSelection {
  const also = query.get('also')
  if (also !== null && also !== 'unassigned') throw malformedAlso
  return { tenantId, unassigned: also !== null }
}

const malformedAlso = new Problem('invalid-parameter', "also is not 'unassigned'. Send that, or leave also out.")

const streamHeaders = [
  ['Content-Type', 'text/event-stream'],
  ['Cache-Control', 'no-store'],
  // nginx would collect the messages.
  ['X-Accel-Buffering', 'no'],
] as const

const malformedRequestId = new Problem(
  'invalid-parameter',
  'The number of the request is not a number. Use a request_id that GET /__admin/requests returns.',
)

function unknownRequest(requestId: string): Problem {
  const detail = `The log has no request ${requestId}. Use a request_id that GET /__admin/requests returns.`
  return new Problem('unknown-request', detail)
}
