import { expect, test } from 'vitest'
import { admin } from '../support/admin.ts'
import { mustAnswer } from '../support/must-answer.ts'

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
  await mustAnswer(admin().steer('POST', '/reset', undefined, headers), 403, 'admin-forbidden')
})

test.each(['localhost', 'LOCALHOST:4010', '127.0.0.1:80', '127.9.9.9', '[::1]:4010'])(
  'the Host %j is this machine',
  async (Host) => {
    expect((await admin().steer('GET', '/health', undefined, { Host })).status).toBe(200)
  },
)

test('a preflight for the admin API allows no other origin', async () => {
  const { steer } = admin()
  const headers = { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' }
  const answer = await steer('OPTIONS', '/reset', undefined, headers)
  expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([403, null])
})

test('the program that created the mock may call its admin API under any host name', async () => {
  expect((await admin().mock.fetch('http://any.example/__admin/health')).status).toBe(200)
})

test.each<[string, Record<string, string>, number]>([
  ['open sesame', { Host: 'mock.lan' }, 403],
  ['open sesame', { 'X-Admin-Token': 'open sesamE' }, 403],
  ['open sesame', { Host: 'mock.lan', 'X-Admin-Token': 'open sesame' }, 200],
  ['', {}, 403],
  ['', { 'X-Admin-Token': '' }, 403],
])('%#: with the token "%s" the token decides and not the name', async (token, headers, status) => {
  expect((await admin({ admin: { token } }).steer('GET', '/health', undefined, headers)).status).toBe(status)
})
