import { expect, test } from 'vitest'
import { admin } from '../support/admin.ts'
import { service } from '../support/service.ts'

test.each<readonly [string, Record<string, string>]>([
  ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ...[
    ...['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil.example:4010', '0.0.0.0', '127.1'],
    ...['localhost:4010@evil.example', '2130706433', 'localhost.', '[::ffff:127.0.0.1]', '', 'xn--lcalhost-54a'],
    'localhost, evil.example',
  ].map((Host) => [`the Host "${Host}"`, { Host }] as const),
  ...[
    ...['http://evil.example', 'null', 'http://localhost:3000', 'file://', 'https://localhost.evil.example'],
    'http://127.0.0.1',
  ].map((Origin) => [`a page on ${Origin}`, { Origin }] as const),
])('%s may not call the admin API', async (_, headers) => {
  const { status, json } = await admin().steer('POST', '/reset', undefined, headers)
  expect([status, json.code]).toEqual([403, 'admin-forbidden'])
})

test.each(['localhost', 'LOCALHOST:4010', '127.0.0.1:80', '127.9.9.9', '[::1]:4010'])(
  'the Host %j is this machine',
  async (Host) => {
    expect((await admin().steer('GET', '/health', undefined, { Host })).status).toBe(200)
  },
)

test('a preflight for the admin API allows no other origin', async () => {
  const { mock } = admin()
  const headers = { Host: 'localhost', Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' }
  const response = await mock.fetch(new Request('http://localhost/__admin/reset', { method: 'OPTIONS', headers }))
  expect(response.status).toBe(403)
  expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
})

test('the program that created the mock may call its admin API under any host name', async () => {
  const { mock } = service({ admin: {} })
  expect((await mock.fetch('http://any.example/__admin/health')).status).toBe(200)
})

test('with a token, the token decides and not the name', async () => {
  const { steer } = admin({ admin: { token: 'open sesame' } })
  expect((await steer('GET', '/health', undefined, { Host: 'mock.lan' })).status).toBe(403)
  expect((await steer('GET', '/health', undefined, { 'X-Admin-Token': 'open sesamE' })).status).toBe(403)
  const right = { Host: 'mock.lan', 'X-Admin-Token': 'open sesame' }
  expect((await steer('GET', '/health', undefined, right)).status).toBe(200)
})

test('an empty token is refused', async () => {
  const { steer } = admin({ admin: { token: '' } })
  expect((await steer('GET', '/health')).status).toBe(403)
  expect((await steer('GET', '/health', undefined, { 'X-Admin-Token': '' })).status).toBe(403)
})
