import { expect, test } from 'vitest'
import { followIdentifiers } from '../../../conformance/learning/roles.ts'
import type { TimedExchange } from '../../../conformance/session/calls.ts'

function answered(method: string, url: string, sent: object | undefined, json?: object): TimedExchange {
  const bytes = new TextEncoder().encode(json === undefined ? '' : JSON.stringify(json))
  const request = { method, url, headers: new Headers() }
  const body = sent === undefined ? {} : { sent: JSON.stringify(sent) }
  return { request, ...body, status: 200, headers: new Headers(), bytes, json, durationMs: 1, at: 0 }
}

test('a PUT belongs to its own upload if addresses differ in their query alone', () => {
  const urls = ['a', 'b', 'c'].map((name) => `http://storage.test/put?key=tenants%2Ft%2F${name}.pdf&sig=1`)
  const requested = urls.map((upload_url, index) => {
    const sent = { file_name: `${'abc'[index]}.pdf`, content_type: 'application/pdf', file_size: 1 }
    return answered('POST', 'http://there.test/api/v1/upload/', sent, { upload_url, session_id: `session-${index}` })
  })
  const puts = urls.map((url) => answered('PUT', url, undefined))
  const roles = followIdentifiers([...requested, ...puts]).map(({ roles }) => roles.session)
  expect(roles).toEqual(['session-0', 'session-1', 'session-2', 'session-0', 'session-1', 'session-2'])
})
