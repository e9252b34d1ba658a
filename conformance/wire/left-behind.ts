import { decodePercent, identifierCandidates } from '../reading/locate.ts'
import { type Exchange, sentJson, succeeded } from './exchange.ts'

/** Describes the object that a request created on the deployment, so that it can be removed; undefined if it created none. */
export function describeCreated(exchange: Exchange): string | undefined {
  const { request, status, json } = exchange
  const { origin, pathname } = new URL(request.url)
  if (request.method === 'PUT') return status >= 200 && status <= 299 ? `object ${origin}${pathname}` : undefined
  if (request.method !== 'POST' || !succeeded(exchange)) return undefined
  const body = sentJson(exchange) as Sent | undefined
  const [, call = '', workflow = ''] =
    pathname.match(/\/(workflows|workflows\/([^/]+)\/execute|upload\/confirm)\/?$/) ?? []
  if (call === 'workflows') return `workflow ${body?.name}${identified(json, 'workflow')}`
  if (call === 'upload/confirm') {
    const files = [body?.completed_files].flat().map((file) => file?.file_name)
    return `document ${files.join(', ')}${identified(json, 'document')}`
  }
  if (!call) return undefined
  const [id] = identifierCandidates(json, 'execution')
  return `execution ${id?.value ?? 'without an identifier'} of workflow ${decodePercent(workflow)} for document ${body?.document_id}`
}

/** Returns the identifier that an answer gives to what was created, in brackets, or an empty text. */
function identified(json: unknown, what: string): string {
  const [id] = identifierCandidates(json, what)
  return id ? ` (${id.value})` : ''
}

/** The members of the suite's own requests that are read here. */
interface Sent {
  readonly name?: string
  readonly document_id?: string
  /** Anything, in a body that breaks a rule. */
  readonly completed_files?: readonly { readonly file_name?: string }[]
}
