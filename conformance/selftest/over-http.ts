import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerFunction } from './wrapper.ts'

/** Answers an HTTP request with a server function. Breaks the connection if the function throws. */
export async function serveOverHttp(
  fetch: ServerFunction,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    const { method = 'GET', url = '/', rawHeaders } = incoming
    const headers = new Headers()
    for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = method === 'GET' || method === 'HEAD' ? undefined : Buffer.concat(chunks)
    const request = new Request(`http://${incoming.headers.host}${url}`, { method, headers, ...(body && { body }) })
    const answer = await fetch(request)
    outgoing.writeHead(answer.status, [...answer.headers].flat())
    outgoing.end(Buffer.from(await answer.arrayBuffer()))
  } catch {
    incoming.socket.destroy()
  }
}
