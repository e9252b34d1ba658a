import { expect, test } from 'vitest'
import { admin, follow, until } from '../support/admin.ts'
import { workflow } from '../support/service.ts'

test('a reader that was slow learns how many events and requests it has missed', async () => {
  const { mock, world, call } = admin()
  const next = await follow(mock, world.tenantId)
  await next()
  for (let count = 0; count < 2100; count += 1) await call('POST', '/api/v1/workflows', workflow())
  let [lost, events, requests] = [0, 0, 0]
  await until(next, (message) => {
    lost += message.lost
    events += message.events.length
    requests += message.requests.length
    return lost + events + requests === 4200
  })
  expect(lost).toBeGreaterThan(0)
  expect(requests).toBeLessThan(2100)
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
