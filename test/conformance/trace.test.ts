import { expect, test } from 'vitest'
import { run } from '../../conformance/run/runner.ts'
import { traceOf } from '../../conformance/wire/trace.ts'
import { createMock } from '../../src/index.ts'
import { nonEmpty } from '../support/non-empty.ts'

test('all requests of a run share a trace, and each has a span of its own', () => {
  const trace = traceOf('1a2b3c4d')
  const [one, other] = [trace({ step: 'create workflow 1', attempt: 1 }), trace()]
  expect(one.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(one.tracestate).toBe('countersign=1a2b3c4d/create-workflow-1')
  expect(other.tracestate).toBe('countersign=1a2b3c4d')
  expect(other.traceparent.slice(0, 35)).toBe(one.traceparent.slice(0, 35))
  expect(other.traceparent).not.toBe(one.traceparent)
})

test('each call of the service has the trace of its run, and storage gets none', async () => {
  const { exchanges, runId } = await run({
    url: 'http://reference.test',
    apiKey: 'test_trace',
    fetch: createMock().fetch,
    gaps: false,
    selects: (id) => id === 'storage.signature-is-verified',
  })
  const traced = exchanges.filter(({ requestHeaders }) => requestHeaders.traceparent !== undefined)
  expect(traced).toEqual(exchanges.filter(({ method }) => method !== 'PUT'))
  for (const { requestHeaders } of nonEmpty(traced)) expect(requestHeaders.tracestate).toContain(`countersign=${runId}`)
})
