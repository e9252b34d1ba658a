import { workflowBody } from './sample-bodies.ts'
import { confirmationBody, executionBody, key } from './service-client.ts'

const origin = 'http://mock.test'
const bytes = new Uint8Array(1024)

type Fetch = (request: Request) => Promise<Response>

/** Creates `count` workflows, one after the other. */
export async function createWorkflows(fetch: Fetch, count: number): Promise<void> {
  const headers = { Authorization: key, 'Content-Type': 'application/json' }
  const body = JSON.stringify(workflowBody)
  for (let created = 0; created < count; created += 1) {
    await fetch(new Request(`${origin}/api/v1/workflows`, { method: 'POST', headers, body }))
  }
}

/** Sends at least `count` requests of every kind, valid and refused, one after the other. */
export async function sendMixedRequests(fetch: Fetch, count: number): Promise<void> {
  let sent = 0
  const send = async (method: string, url: string, body?: unknown, headers: Record<string, string> = {}) => {
    sent += 1
    const json = { Authorization: key, 'Content-Type': 'application/json', ...headers }
    const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    const init = { method, headers: json, ...(text !== undefined && { body: text as BodyInit }) }
    const answer = await fetch(new Request(url.startsWith('http') ? url : origin + url, init))
    if (answer.status !== 200 && answer.status !== 201) return undefined
    // Storage answers a PUT without a body.
    const shown = await answer.text()
    return shown === '' ? undefined : JSON.parse(shown)
  }
  while (sent < count) {
    const { workflow_id } = await send('POST', '/api/v1/workflows', workflowBody)
    const file = { file_name: 'a.bin', content_type: 'application/octet-stream', file_size: bytes.byteLength }
    const upload = await send('POST', '/api/v1/upload/', file)
    const plain = new Request(upload.upload_url, { method: 'PUT', headers: upload.headers, body: bytes })
    await (await fetch(plain)).text()
    const { document_id } = await send('POST', '/api/v1/upload/confirm', confirmationBody(upload, 'a.bin'))
    for (let times = 0; times < 3; times += 1) {
      await send('POST', `/api/v1/workflows/${workflow_id}/execute`, executionBody(document_id))
      await send('GET', `/api/v1/workflows/${workflow_id}`)
    }
    await send('POST', '/api/v1/workflows', '{')
    await send('POST', '/api/v1/workflows', { name: 1 })
    await send('GET', `/api/v1/workflows/wf_${sent}`)
    await send('DELETE', '/api/v1/workflows')
    await send('GET', `/nowhere/${sent}`)
    await send('PUT', upload.upload_url.slice(0, -1), 'x')
    await send('GET', `/api/v1/workflows/${workflow_id}`, undefined, { Prefer: 'code=404' })
    await send('GET', `/api/v1/workflows/${workflow_id}`, undefined, { Authorization: `Bearer ${sent}` })
  }
}
