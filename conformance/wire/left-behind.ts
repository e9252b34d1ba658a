import { decoded, identifierCandidates } from '../reading/locate.ts'
import { type Exchange, sentJson, succeeded } from './exchange.ts'

/** What a request has made on the deployment, by its answer, for whoever wants to remove it; nothing where it made nothing. */
export function madeBy(exchange: Exchange): string | undefined {
  const { request, status, json } = exchange
  const { origin, pathname } = new URL(request.url)
  if (request.method === 'PUT') return status >= 200 && status <= 299 ? `object ${origin}${pathname}` : undefined
  if (request.method !== 'POST' || !succeeded(exchange)) return undefined
  const body = sentJson(exchange) as Sent | undefined
  const [, call = '', workflow = ''] =
    pathname.match(/\/(workflows|workflows\/([^/]+)\/execute|upload\/confirm)\/?$/) ?? []
  if (call === 'workflows') return `workflow ${body?.name}${identified(json, 'workflow')}`
  if (call === 'upload/confirm') {
    return `document ${body?.completed_files?.map((file) => file.file_name).join(', ')}${identified(json, 'document')}`
  }
  if (!call) return undefined
  const [id] = identifierCandidates(json, 'execution')
  return `execution ${id?.value ?? 'without an identifier'} of workflow ${decoded(workflow)} for document ${body?.document_id}`
}

/** The identifier that an answer gives to what it made, if it shows one. */
function identified(json: unknown, what: string): string {
  const [id] = identifierCandidates(json, what)
  return id ? ` (${id.value})` : ''
}

/** As much of what the suite itself sends as is looked at. */
interface Sent {
  readonly name?: string
  readonly document_id?: string
  readonly completed_files?: readonly { readonly file_name: string }[]
}
