import type { StartOptions } from '../../src/node/index.ts'
import { passOnTo, type UpstreamOptions } from '../../src/node/upstream.ts'
import type { LoggedRequest } from '../../src/wire/exchanges.ts'
import { started } from './started.ts'

/** The key of the deployments behind these mocks. */
export const apiKey = 'test_upstream_5e4d3c2b1a0f'

/** Starts a mock that passes calls on to a deployment, with a client of the mock, and what it has sent and logged. */
export async function passing(select: Partial<UpstreamOptions> & { url: string }, options: StartOptions = {}) {
  const [lines, sent] = [[] as LoggedRequest[], [] as Request[]]
  const send = (request: Request) => {
    sent.push(request)
    return fetch(request)
  }
  const passOn = passOnTo({ apiKey, fetch: send, ...select }, options.like)
  const onRequest = (line: LoggedRequest) => lines.push(line)
  return { lines, sent, ...(await started({ record: true, passOn, onRequest, ...options })) }
}
