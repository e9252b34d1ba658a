import { expect, onTestFinished } from 'vitest'
import type { Mock } from '../../src/index.ts'
import { readContract } from './contract.ts'
import { service } from './service.ts'

const contract = readContract('src/contract/admin.yaml')

/** Creates a mock with an admin API, called as from the same machine. */
export function admin(options = {}, key?: string) {
  const mine = service({ admin: {}, ...options }, key)
  async function steer(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const init = {
      method,
      headers: { Host: 'localhost', ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const response = await mine.mock.fetch(new Request(`http://localhost/__admin${path}`, init))
    await contract.mustBeKept(method, `/__admin${path.split('?')[0]}`, response)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: text ? JSON.parse(text) : undefined }
  }
  const own = { Authorization: mine.key }
  /** Makes a call about the tenant of the key. */
  const steerOwn = (method: string, path: string, body?: unknown) => steer(method, path, body, own)
  const read = async (path: string) => (await steerOwn('GET', path)).json
  return { ...mine, steer, steerOwn, read, mine: own, id: mine.mock.tenants.idOf(mine.key) }
}

/** Opens the stream of a mock, and returns a function that waits for its next message and reads what has changed, and closes it. */
export async function follow(mock: Mock, tenantId?: string) {
  const query = tenantId === undefined ? '' : `?tenant_id=${tenantId}`
  const response = await mock.fetch(`http://localhost/__admin/stream${query}`)
  expect(response.headers.get('Content-Type')).toBe('text/event-stream')
  const reader = (response.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader()
  const close = () => void reader.cancel()
  onTestFinished(close)
  let after: Record<string, string> = {}
  const next = async () => {
    const { value = '', done } = await reader.read()
    if (done) return undefined
    expect(value).toBe('event: changed\ndata: {}\n\n')
    const known = new URLSearchParams({ ...(tenantId && { tenant_id: tenantId }), ...after })
    const changes = await (await mock.fetch(`http://localhost/__admin/changes?${known}`)).json()
    const { events, last_event, last_request } = changes
    after = { after_event: String(events.at(-1)?.seq ?? last_event), after_request: String(last_request) }
    return changes
  }
  return Object.assign(next, { close })
}
