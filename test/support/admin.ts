import { readContract } from './contract.ts'
import { service } from './service.ts'

const contract = readContract('src/contract/admin.yaml')

/** Creates a mock with an admin API, called as from the same machine. */
export function admin(options = {}) {
  const mine = service({ admin: {}, ...options })
  async function steer(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const init = {
      method,
      headers: { Host: 'localhost', ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const response = await mine.mock.fetch(new Request(`http://localhost/__admin${path}`, init))
    await contract.mustBeKept(method, `/__admin${path.split('?')[0]}`, response)
    const text = await response.text()
    return { status: response.status, json: text ? JSON.parse(text) : undefined }
  }
  return { ...mine, steer, mine: { Authorization: mine.key } }
}
