import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pass } from '../../conformance/selftest/over-http.ts'
import type { Fetch } from '../../conformance/selftest/wrapper.ts'

/** A function as a server on a free port of this machine; `become` lets another function answer from then on. */
export async function listen(fetch: Fetch) {
  let current = fetch
  const server = createServer((request, response) => pass(current, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    become(other: Fetch): void {
      current = other
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
