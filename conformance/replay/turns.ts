/** Shows the calls of a session as JSON values, so that their data can be followed. */
import { type DataUse, followData } from '../../src/session/data-flow.ts'
import { membersOf } from '../reading/locate.ts'
import { type CallName, callIn, type TimedExchange } from '../session/calls.ts'
import { type Exchange, plainText, sentJson } from '../wire/exchange.ts'
import type { ThingRole } from './deployment.ts'

/** A call of a session. */
export interface SessionCall {
  readonly index: number
  readonly name: string
  readonly call: CallName | 'other call'
  readonly exchange: TimedExchange
  readonly asked: Asked
  /** The values in the request that earlier answers introduced. */
  readonly uses: readonly DataUse[]
}

/** A request as a JSON value. */
export interface Asked {
  readonly path?: Readonly<Record<string, unknown>>
  readonly url?: unknown
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** Returns what the identifier at a place of a request stands for; undefined if the place has none. */
export function roleAt(kind: string, pointer: string): ThingRole | undefined {
  if (pointer === '/path/workflow_id') return 'workflow'
  if (kind === 'putObject' && pointer === '/url') return 'uploadUrl'
  if (kind === 'executeWorkflow' && pointer === '/body/document_id') return 'document'
  if (kind !== 'confirmUpload') return undefined
  if (pointer === '/body/session_id') return 'session'
  return /^\/body\/completed_files\/\d+\/key$/.test(pointer) ? 'key' : undefined
}

/** Returns the calls of a session with their requests and answers as JSON values. */
export function callsOf(exchanges: readonly (TimedExchange & { readonly name: string })[]): SessionCall[] {
  /** The upload URLs that were shown, by their normal form. */
  const shown = new Map<string, string>()
  const calls = exchanges.map((exchange, index): Omit<SessionCall, 'uses'> => {
    const { url } = exchange.request
    const isUpload = !/\/api\/v1\/(workflows|upload)(\/|$)/.test(new URL(url).pathname) || shown.has(url)
    const { call = 'other call', workflowId } = callIn(exchange.request, () => isUpload)
    const asked: Asked = {
      ...(isUpload
        ? { url: shown.get(url) ?? url }
        : { path: workflowId === undefined ? {} : { workflow_id: workflowId } }),
      ...askedIn(exchange, isUpload),
    }
    for (const { value } of membersOf(exchange.json)) {
      if (typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value))
        shown.set(new URL(value).href, value)
    }
    return { index, name: exchange.name, call, exchange, asked }
  })
  const turns = calls.map(({ call, asked, exchange }) => ({ kind: call, asked, answered: answeredIn(exchange) }))
  const uses = followData(turns, { isIdentifier: (kind, pointer) => roleAt(kind, pointer) !== undefined })
  return calls.map((call) => ({ ...call, uses: uses[call.index] ?? [] }))
}

/** Request headers that are sent again. All others belong to the client, the connection or the key. */
const keptHeaders =
  /^(accept|content-type|content-md5|content-encoding|if-(none-)?match|prefer|range|idempotency-key|x-amz-(checksum|sdk|content|meta).*)$/

function askedIn(exchange: Exchange, isUpload: boolean): Asked {
  const { request, sent } = exchange
  const headers = Object.fromEntries(
    [...request.headers].filter(([name, value]) => keptHeaders.test(name) && !value.includes('***')),
  )
  if (isUpload) return { headers }
  const query = Object.fromEntries(new URL(request.url).searchParams)
  return { query, headers, ...(sent !== undefined && { body: sentJson(exchange) ?? sent }) }
}

/** Answer headers that no later request uses. */
const passingHeaders = /^(date|server|connection|keep-alive|transfer-encoding|vary|set-cookie|access-control-.*)$/

/** Returns an answer as a JSON value: its headers and its body. */
export function answeredIn(exchange: Exchange): object {
  const headers = Object.fromEntries([...exchange.headers].filter(([name]) => !passingHeaders.test(name)))
  return { headers, body: exchange.json ?? plainText(exchange) }
}
