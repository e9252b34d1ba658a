import { expect, test } from 'vitest'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { jsonOf, onCalls } from '../../conformance/selftest/wrapper.ts'
import { createMock } from '../../src/index.ts'

/** The reference with one section for all figures, which has a name that says nothing. */
const withPulse = (figuresOf: (metrics: Record<string, unknown>) => object) =>
  onCalls(['getWorkflow'], async (request, inner) => {
    const answer = await inner(request)
    const { execution_metrics: metrics, recent_executions: _, ...others } = (await jsonOf(answer)) ?? {}
    if (metrics === undefined) return answer
    return Response.json({ ...others, pulse: figuresOf(metrics as Record<string, unknown>) })
  })(createMock().fetch)

const metricsCheck = async (fetch: Parameters<typeof runOn>[0]) =>
  (await runOn(fetch)).checks.find(({ id }) => id === 'details.execution-metrics')

test('a proven count of executions is a metric, whatever its name', async () => {
  const fetch = withPulse(({ total, success_rate }) => ({ sum: total, success_rate, completion_time: null }))
  expect(await metricsCheck(fetch)).toMatchObject({ verdict: 'pass', message: 'The section is at /pulse/sum.' })
})

test('an unexplained figure beside analytics may be a metric, so nothing is accused', async () => {
  const fetch = withPulse(({ success_rate }) => ({ sum: 7, success_rate, completion_time: null }))
  const check = await metricsCheck(fetch)
  expect(check?.verdict).toBe('inconclusive')
  expect(check?.message).toContain('If they are at /pulse, set locators.execution_metrics in the profile.')
})

test('analytics alone are no metrics of executions', async () => {
  const fetch = withPulse(({ success_rate }) => ({ success_rate, completion_time: null }))
  expect(await metricsCheck(fetch)).toMatchObject({ verdict: 'fail' })
})

test('figures that appear only once an execution has ended are waited for', async () => {
  const reads = new Map<string, number>()
  const fetch = onCalls(['getWorkflow'], async (request, inner) => {
    const answer = await inner(request)
    const json = (await jsonOf(answer)) ?? {}
    const metrics = json.execution_metrics as { total?: number } | undefined
    if (metrics?.total) reads.set(request.url, (reads.get(request.url) ?? 0) + 1)
    if (metrics === undefined || (reads.get(request.url) ?? 0) > 3) return answer
    const { success_rate: _, completion_time: __, ...shown } = metrics as Record<string, unknown>
    return Response.json({ ...json, execution_metrics: shown })
  })(createMock().fetch)
  const { checks } = await runOn(fetch)
  const found = checks.filter(({ id }) => id.startsWith('analytics.'))
  expect(found.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass'])
})

/** The reference without some figures of executions. */
const withoutFigures = (...names: readonly string[]) =>
  onCalls(['getWorkflow'], async (request, inner) => {
    const answer = await inner(request)
    const json = (await jsonOf(answer)) ?? {}
    const metrics = json.execution_metrics as Record<string, unknown> | undefined
    if (metrics === undefined) return answer
    const shown = Object.entries(metrics).filter(([name]) => !names.includes(name))
    return Response.json({ ...json, execution_metrics: Object.fromEntries(shown) })
  })(createMock().fetch)

test('figures of ended executions may be absent while none has ended', async () => {
  const { checks } = await runOn(withoutFigures('success_rate', 'completion_time'))
  const found = checks.filter(({ id }) => id === 'analytics.success-rates' || id === 'analytics.completion-times')
  expect(found.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive'])
  expect(found[0]?.message).toContain('If they appear then, set settleSeconds in the profile.')
})

test('a success rate is absent if the completion time is there', async () => {
  const { checks } = await runOn(withoutFigures('success_rate'))
  expect(checks.find(({ id }) => id === 'analytics.success-rates')?.verdict).toBe('fail')
})
