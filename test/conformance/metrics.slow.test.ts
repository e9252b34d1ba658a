import { expect, test } from 'vitest'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { jsonOf, onCalls } from '../../conformance/selftest/wrapper.ts'
import { createMock } from '../../src/index.ts'

type Metrics = Record<string, unknown>

/** The reference with other figures of executions. */
const withMetrics = (change: (metrics: Metrics, request: Request) => object) =>
  onCalls(['getWorkflow'], async (request, inner) => {
    const answer = await inner(request)
    const { execution_metrics: metrics, ...others } = (await jsonOf(answer)) ?? {}
    return metrics === undefined ? answer : Response.json({ ...others, ...change(metrics as Metrics, request) })
  })(createMock().fetch)

/** The reference with one section for all figures, which has a name that says nothing. */
const withPulse = (figuresOf: (metrics: Metrics) => object) =>
  withMetrics((metrics) => ({ pulse: figuresOf(metrics), recent_executions: undefined }))

test.each([
  [
    'a proven count is a metric, whatever its name',
    ({ total }: Metrics) => ({ sum: total }),
    'pass',
    /^The section is at \/pulse\.$/,
  ],
  [
    'an unexplained figure may be a metric',
    () => ({ sum: 7 }),
    'inconclusive',
    /If they are at \/pulse, set locators\.execution_metrics in the profile\./,
  ],
  ['analytics alone are no metrics', () => ({}), 'fail', /./],
])('of executions, %s', async (_, more, verdict, message) => {
  const fetch = withPulse((metrics) => ({
    ...more(metrics),
    success_rate: metrics.success_rate,
    completion_time: null,
  }))
  const check = (await runOn(fetch)).checks.find(({ id }) => id === 'details.execution-metrics')
  expect([check?.verdict, check?.message]).toEqual([verdict, expect.stringMatching(message)])
})

test('figures that appear only once an execution has ended are waited for', async () => {
  const reads = new Map<string, number>()
  const fetch = withMetrics(({ success_rate, completion_time, ...shown }, { url }) => {
    const count = (reads.get(url) ?? 0) + Math.min(1, Number(shown.total))
    reads.set(url, count)
    return { execution_metrics: { ...shown, ...(count > 3 && { success_rate, completion_time }) } }
  })
  const { checks } = await runOn(fetch)
  const found = checks.filter(({ id }) => id.startsWith('analytics.'))
  expect(found.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass'])
})

test('figures of ended executions may be absent while none has ended', async () => {
  const fetch = withMetrics(({ success_rate: _, completion_time: __, ...shown }) => ({ execution_metrics: shown }))
  const { checks } = await runOn(fetch)
  const found = checks.filter(({ id }) => id === 'analytics.success-rates' || id === 'analytics.completion-times')
  expect(found.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive'])
  expect(found[0]?.message).toContain('If they appear then, set settleSeconds in the profile.')
})

test('a success rate is absent if the completion time is there', async () => {
  const { checks } = await runOn(withMetrics(({ success_rate: _, ...shown }) => ({ execution_metrics: shown })))
  expect(checks.find(({ id }) => id === 'analytics.success-rates')?.verdict).toBe('fail')
})
