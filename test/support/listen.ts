import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'

/** A function as a server on a free port of this machine; `become` lets another function answer from then on. */
export async function listen(fetch: (request: Request) => Promise<Response>) {
  let current = fetch
  const server = createAdaptorServer({ fetch: (request) => current(request) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    become(other: typeof fetch): void {
      current = other
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
