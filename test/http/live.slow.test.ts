import { expect, test } from 'vitest'
import { admin, follow } from '../support/admin.ts'
import { workflow } from '../support/service.ts'

test('a reader that was slow learns how many events and requests it has missed', async () => {
  const { world, call, steer } = admin()
  for (let count = 0; count < 2100; count += 1) await call('POST', '/api/v1/workflows', workflow())
  let [lost, events, requests, event, request] = [0, 0, 0, 0, 0]
  do {
    const known = `tenant_id=${world.tenantId}&after_event=${event}&after_request=${request}`
    const { json } = await steer('GET', `/changes?${known}`)
    lost += json.lost
    events += json.events.length
    requests += json.requests.length
    event = json.events.at(-1).seq
    request = json.last_request
  } while (event < 2100)
  expect(lost + events + requests).toBe(4200)
  expect([events, requests < 2100]).toEqual([2000, true])
})

test('a long body is cut, and the last ones take the room of the first', async () => {
  const { mock, call, steer } = admin()
  await (await follow(mock))()
  const body = JSON.stringify({ ...workflow(), description: 'x'.repeat(70_000) })
  for (let count = 0; count < 300; count += 1) await call('POST', '/api/v1/workflows', body)
  const { request_body } = (await steer('GET', '/requests/300')).json
  expect(request_body).toMatchObject({ size: body.length, is_cut: true })
  expect(request_body.text.length).toBeLessThanOrEqual(64 * 1024)
  expect((await steer('GET', '/requests/1')).json.request_body).toBeNull()
})
