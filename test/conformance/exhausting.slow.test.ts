import { expect, test } from 'vitest'
import { exhaustingServers } from '../../conformance/selftest/hostile.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { rotated } from '../support/sample.ts'

test.each(nonEmpty(rotated(exhaustingServers)))(
  'the run against $id ends within its limits and fails no check',
  async ({ create }) => {
    const { url, requests, checks, ...more } = await runOn(create())
    expect(url).toBe('http://selftest.test')
    expect(requests.sent).toBeLessThanOrEqual(200)
    expect(checks.filter(({ verdict }) => ['fail', 'harness-error'].includes(verdict))).toEqual([])
    const report = JSON.stringify({ checks, more })
    // At most 64 KiB of each body are kept.
    expect(report.length).toBeLessThan(10_000_000)
    // Signatures have this format, and none is shown.
    expect(report).not.toMatch(/sig=[0-9a-z]{12}/)
  },
)

test('answers with more signatures than the limit are withheld entirely', async () => {
  const server = exhaustingServers.find(({ id }) => id === '1500-signatures')?.create() ?? reference()
  const { exchanges } = await runOn(server, { selects: (id) => id === 'workflow.name' })
  const shown = exchanges.map(({ responseBody }) => responseBody).filter(({ length }) => length > 15)
  expect(nonEmpty(shown).filter((body) => !body.startsWith('[too many secrets: body withheld]'))).toEqual([])
})

test('time that passes without a request ends the run too', async () => {
  let now = 0
  // Each reading of the clock takes a second.
  const time = { now: () => (now += 1000), sleep: async () => {} }
  const { verdict, checks, requests } = await runOn(reference(), { time })
  expect(verdict).toBe('undecided')
  expect(requests.sent).toBeLessThan(60)
  expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  expect(checks.map(({ message }) => message).join()).toContain('the time for the run is over')
})

test('no wait exceeds the time of the run', async () => {
  const throttling = async () => new Response(null, { status: 429, headers: { 'Retry-After': '4' } })
  const time = virtualTime()
  await expect(runOn(throttling, { maxMs: 5000, time })).rejects.toThrow('asks to wait 4 s')
  expect(time.now()).toBe(4000)
})
