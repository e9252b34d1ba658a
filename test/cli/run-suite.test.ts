import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RunPlan } from '../../cli/plan.ts'
import { runSuite } from '../../cli/run-suite.ts'
import { checks } from '../../conformance/judging/checks.ts'
import type { RunProgress } from '../../conformance/run/runner.ts'
import { checkResult, exchange } from '../support/run-result.ts'

/** Starts a thread that replaces the run of the suite. */
function thread(code: string): Worker {
  return new Worker(
    new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'\n${code}`)}`),
  )
}

const plan: RunPlan = {
  url: 'https://approvals.example',
  apiKey: 'test_suite_9f8e7d6c',
  selected: checks.map(({ id }) => id),
  isReference: false,
  connection: {},
}

/** Runs the code of a thread instead of the suite. Its time limit passes as soon as it reports the end of a request. */
function suiteOf(code: string) {
  const onProgress = ({ exchange }: RunProgress) => {
    if (exchange) vi.advanceTimersByTime(1e9)
  }
  return runSuite(plan, { onProgress }, () => thread(code))
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const result = checkResult('workflow.name')
const sent = exchange()
const tellsResult = `
  parentPort.postMessage({ kind: 'begun', runId: '1234abcd' })
  parentPort.postMessage({ kind: 'progress', progress: { sent: 7 } })
  parentPort.postMessage({ kind: 'result', result: ${JSON.stringify(result)} })
  parentPort.postMessage({ kind: 'progress', progress: { sent: 7, exchange: ${JSON.stringify(sent)}, made: 'workflow a' } })
`

test.each([
  ['computes without end', 'for (;;);'],
  ['matches a text for ages', ";/^(a+)+$/.test('a'.repeat(50) + 'b')"],
  ['waits without end', 'setInterval(() => {}, 1e6)'],
])('a run that %s is stopped, and what it found is reported', async (_, code) => {
  const finished = await suiteOf(tellsResult + code)
  expect(finished).toMatchObject({ verdict: 'could-not-run', runId: '1234abcd', requests: { sent: 7 } })
  expect(finished).toMatchObject({ exchanges: [sent], leftBehind: ['workflow a'] })
  expect(finished.stopped).toMatch(
    /^The run was stopped by force after \d+ s, since .* 7 requests were sent, 1 of them/,
  )
  expect(finished.checks.map(({ id }) => id)).toEqual(checks.map(({ id }) => id))
  expect(finished.checks.filter(({ verdict }) => verdict === 'not-run').length).toBe(checks.length - 1)
})
