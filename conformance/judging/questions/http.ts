/** Open questions about keys, errors and the edges of HTTP: interface.md sections 4, 5, 7 and 8. */
import { findNamed } from '../../reading/locate.ts'
import { cut } from '../../report/inert.ts'
import { type Observer, outcome } from './observer.ts'

export const httpObservers: readonly Observer[] = [
  {
    id: 'gap.auth-scheme',
    ours: 'ApiKey',
    async observe(flow) {
      const { headers } = await flow.target.getWorkflow('conformance', { headers: {} })
      return headers.get('WWW-Authenticate')?.split(' ')[0] ?? 'no challenge'
    },
  },
  {
    id: 'gap.error-codes',
    ours: 'workflow-not-found',
    async observe(flow) {
      const { json } = await flow.target.getWorkflow(crypto.randomUUID())
      const code = findNamed(json, 'code', 'error_code', 'type')?.value
      return typeof code === 'string' || typeof code === 'number' ? cut(String(code), 60) : 'no code'
    },
  },
  {
    id: 'gap.unsupported-media-type',
    ours: 'JSON as text/plain: status 415',
    async observe({ target, samples }) {
      const answer = await target.post('/api/v1/workflows', JSON.stringify(samples.workflow()), 'text/plain')
      return `JSON as text/plain: ${outcome(answer)}`
    },
  },
  {
    id: 'gap.unknown-path',
    ours: 'status 404',
    observe: async ({ target }) =>
      outcome(await target.send(new Request(`${target.url}/api/v1/conformance-nowhere`, { headers: target.auth }))),
  },
  {
    id: 'gap.cors',
    ours: 'a page on another origin may call',
    async observe({ target }) {
      const headers = {
        Origin: 'https://conformance.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      }
      const answer = await target.send(new Request(`${target.url}/api/v1/workflows`, { method: 'OPTIONS', headers }))
      const allowed = answer.headers.get('Access-Control-Allow-Origin')
      return allowed ? 'a page on another origin may call' : 'a page on another origin may not call'
    },
  },
  {
    id: 'gap.rate-limits',
    ours: 'none was met',
    async observe({ target }) {
      const { throttled } = target.transport
      return throttled > 0 ? `429 was answered ${throttled} times` : 'none was met'
    },
  },
]
