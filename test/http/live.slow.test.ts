import { expect, test } from 'vitest'
import { admin } from '../support/admin.ts'
import { clientOf } from '../support/service.ts'

test('a reader that was slow learns how many events and requests it has missed', async () => {
  const { mock, key, read } = admin()
  const { create } = clientOf(mock, key)
  for (let count = 0; count < 2100; count += 1) await create()
  let [lost, events, requests, event, request] = [0, 0, 0, 0, 0]
  do {
    const changes = await read(`/changes?after_event=${event}&after_request=${request}`)
    lost += changes.lost
    events += changes.events.length
    requests += changes.requests.length
    event = changes.events.at(-1).seq
    request = changes.last_request
  } while (event < 2100)
  expect(lost + events + requests).toBe(4200)
  expect([events, requests < 2100]).toEqual([2000, true])
})
