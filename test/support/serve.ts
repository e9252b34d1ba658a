import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { onTestFinished } from 'vitest'

export interface Serving {
  readonly url: string
  close(): void
}

/** Serves a function over HTTP, for commands that need an address. */
export async function serve(fetch: (request: Request) => Promise<Response>, host = '127.0.0.1'): Promise<Serving> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = 'GET', headers, url } = incoming
    const request = new Request(`http://${headers.host}${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const response = await fetch(request)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (!response.body) return outgoing.end()
    const body = Readable.fromWeb(response.body as ReadableStream)
    body.on('error', () => outgoing.destroy())
    outgoing.on('close', () => body.destroy())
    body.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, close }
}

/** Serves a function until the current test ends. Returns its address. */
export async function addressOf(fetch: (request: Request) => Promise<Response>): Promise<string> {
  const { url, close } = await serve(fetch)
  onTestFinished(close)
  return url
}

/** Returns an address of this machine at which nothing listens. */
export async function deadAddress(): Promise<string> {
  const { url, close } = await serve(async () => new Response())
  close()
  return url
}
