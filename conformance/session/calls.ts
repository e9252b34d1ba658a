/** The documented calls in the requests of a session. */
import { operations } from '../../src/contract/operations.ts'
import { decodePercent } from '../reading/locate.ts'
import type { Exchange } from '../wire/exchange.ts'

/** An exchange with the time when it was sent, in milliseconds since 1970. */
export type TimedExchange = Exchange & {
  readonly at: number
  /** The binary request body itself, if the recording has it. */
  readonly sentBody?: Uint8Array
  /** True if its answer is too large to learn from. Only its beginning is kept then. */
  readonly isOversized?: true
}

export type CallName =
  | 'createWorkflow'
  | 'executeWorkflow'
  | 'getWorkflow'
  | 'requestUpload'
  | 'confirmUpload'
  | 'putObject'

/** The paths of the documented calls. */
export const servicePath = /\/api\/v1\/(?:(workflows)(?:\/([^/]+)(\/execute)?)?|(upload)\/(confirm)?)$/

/** Returns the documented call of an exchange with a deployment, of which every PUT goes to storage. */
export const callOfExchange = ({ request }: Pick<TimedExchange, 'request'>) =>
  callIn(request, () => request.method === operations.putObject.method).call

/** Returns the documented call of a request to a service; `isUploadUrl` tells of storage addresses. */
export function callIn(
  { method, url }: { readonly method: string; readonly url: string },
  isUploadUrl: (url: string) => boolean,
): { call: CallName | undefined; workflowId?: string } {
  if (isUploadUrl(url)) return { call: method === operations.putObject.method ? 'putObject' : undefined }
  const found = servicePath.exec(new URL(url).pathname)
  if (!found) return { call: undefined }
  const [, , id, execute, upload, confirm] = found
  if (upload) return { call: method === 'POST' ? (confirm ? 'confirmUpload' : 'requestUpload') : undefined }
  if (id === undefined) return { call: method === 'POST' ? 'createWorkflow' : undefined }
  const workflowId = decodePercent(id)
  if (execute) return { call: method === 'POST' ? 'executeWorkflow' : undefined, workflowId }
  return { call: method === 'GET' ? 'getWorkflow' : undefined, workflowId }
}

/** Returns true for a request for the list of workflows, which the document does not have and many deployments do. */
export function asksForList({ method, url }: { readonly method: string; readonly url: string }): boolean {
  return method === 'GET' && new URL(url).pathname.endsWith('/api/v1/workflows')
}

/** Returns the base URL of the service in the URL of one of its calls, without a trailing slash. */
export function baseUrlOf(url: string): string {
  const { origin, pathname } = new URL(url)
  const at = pathname.search(/\/api\/v1\/(workflows|upload)(?=$|\/)/)
  return at < 0 ? origin : origin + pathname.slice(0, at)
}
