import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveOverHttp } from '../../conformance/selftest/over-http.ts'
import type { ServerFunction } from '../../conformance/selftest/wrapper.ts'

/** Serves a function on a free port of this machine. `become` replaces the function. */
export async function listen(fetch: ServerFunction) {
  let current = fetch
  const server = createServer((request, response) => serveOverHttp(current, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    become(other: ServerFunction): void {
      current = other
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
