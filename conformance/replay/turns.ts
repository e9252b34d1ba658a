/** Shows the calls of a session as JSON values, so that their data can be followed. */
import type { Turn } from '../../src/session/data-flow.ts'
import { membersOf } from '../reading/locate.ts'
import { type CallName, callIn, type TimedExchange } from '../session/calls.ts'
import { type Exchange, parseJson, plainText } from '../wire/exchange.ts'

/** A call of a session. */
export interface SessionCall {
  readonly name: string
  readonly call: CallName | 'other call'
  readonly exchange: TimedExchange
  readonly turn: Turn
}

/** The kinds of identifiers in requests, by their places. */
export type ThingRole = 'workflow' | 'session' | 'key' | 'document' | 'uploadUrl'

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
  return exchanges.map((exchange) => {
    const { url } = exchange.request
    const isUpload = !/\/api\/v1\/(workflows|upload)(\/|$)/.test(new URL(url).pathname) || shown.has(url)
    const { call = 'other call', workflowId } = callIn(exchange.request, () => isUpload)
    const asked = isUpload
      ? { url: shown.get(url) ?? url }
      : { path: workflowId === undefined ? {} : { workflow_id: workflowId } }
    for (const { value } of membersOf(exchange.json)) {
      if (typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value))
        shown.set(new URL(value).href, value)
    }
    const turn: Turn = {
      kind: call,
      asked: { ...asked, ...askedIn(exchange, isUpload) },
      answered: answeredIn(exchange),
    }
    return { name: exchange.name, call, exchange, turn }
  })
}

/** Request headers that are sent again. All others belong to the client, the connection or the key. */
const keptHeaders =
  /^(accept|content-type|content-md5|content-encoding|if-(none-)?match|prefer|range|idempotency-key|x-amz-(checksum|sdk|content|meta).*)$/

function askedIn({ request, sent }: Exchange, isUpload: boolean): object {
  const headers = Object.fromEntries(
    [...request.headers].filter(([name, value]) => keptHeaders.test(name) && !value.includes('***')),
  )
  if (isUpload) return { headers }
  const query = Object.fromEntries(new URL(request.url).searchParams)
  const json = sent === undefined ? undefined : parseJson(new TextEncoder().encode(sent))
  return { query, headers, ...(sent !== undefined && { body: json ?? sent }) }
}

/** Answer headers that no later request uses. */
const passingHeaders = /^(date|server|connection|keep-alive|transfer-encoding|vary|set-cookie|access-control-.*)$/

/** Returns an answer as a JSON value: its headers and its body. */
export function answeredIn(exchange: Exchange): object {
  const headers = Object.fromEntries([...exchange.headers].filter(([name]) => !passingHeaders.test(name)))
  return { headers, body: exchange.json ?? plainText(exchange) }
}
