import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'

test('a recording is bounded, and says what it left out', async () => {
  const mock = createMock({ record: true })
  const body = new Uint8Array(250_000).fill(97)
  for (let sent = 0; sent < 140; sent += 1) {
    const headers = { Authorization: 'test_bounds_1a2b3c' }
    await mock.fetch('http://mock.test/api/v1/workflows', { method: 'POST', headers, body })
  }
  const { log } = await mock.recording.read()
  expect(log.entries.length).toBeLessThan(140)
  expect(log).toMatchObject({
    comment: `${140 - log.entries.length} later calls were left out, since the recording was full.`,
  })
})
