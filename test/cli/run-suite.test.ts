import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checks } from '../../conformance/judging/checks.ts'
import type { CheckResult, RunResult } from '../../conformance/report/result.ts'
import type { RunPlan } from '../../src/cli/run-options.ts'
import { runSuite } from '../../src/cli/run-suite.ts'
import { checkResult } from '../support/run-result.ts'

/** Returns the code of a thread that replaces the run of the suite. */
function thread(code: string): URL {
  return new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'\n${code}`)}`,
  )
}

const plan: RunPlan = {
  url: 'https://approvals.example',
  apiKey: 'test_suite_9f8e7d6c',
  selected: checks.map(({ id }) => id),
  isReference: false,
}

/** Runs the code of a thread instead of the suite. Its time is over as soon as it reports a result. */
async function suiteOf(code: string) {
  let finished: RunResult | undefined
  const told: CheckResult[] = []
  const reporting = {
    onResult(result: CheckResult) {
      told.push(result)
      vi.advanceTimersByTime(1e9)
    },
    async finish(run: RunResult) {
      finished = run
      return run.verdict
    },
  }
  const outcome = await runSuite(plan, reporting, thread(code)).catch((error: Error) => error)
  return { outcome, finished, told }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const result = checkResult('workflow.name')
const tellsResult = `
  parentPort.postMessage({ kind: 'sending', count: 7 })
  parentPort.postMessage({ kind: 'result', result: ${JSON.stringify(result)} })
`

test.each([
  ['computes without end', 'for (;;);'],
  ['matches a text for ages', ";/^(a+)+$/.test('a'.repeat(50) + 'b')"],
  ['waits without end', 'setInterval(() => {}, 1e6)'],
])('a run that %s is stopped, and what it found is reported', async (_, code) => {
  const { outcome, finished, told } = await suiteOf(tellsResult + code)
  expect(outcome).toBeInstanceOf(Error)
  expect(String(outcome)).toContain('stopped after 130 s, while it was busy with an answer: 7 requests were sent')
  expect(String(outcome)).toMatch(/1 of \d+ checks had a result, the latest workflow\.name\. Look at/)
  expect(told).toEqual([result])
  expect(finished).toMatchObject({ verdict: 'could-not-run', requests: { sent: 7 } })
  expect(finished?.checks.map(({ id }) => id)).toEqual(checks.map(({ id }) => id))
  expect(finished?.checks.filter(({ verdict }) => verdict === 'not-run').length).toBe(checks.length - 1)
})

test.each([
  ['throws', "throw new TypeError('our fault')", 'our fault'],
  ['ends without a result', '', 'The run ended without a result. Report this as a fault of the suite.'],
  [
    'reaches nothing',
    "parentPort.postMessage({ kind: 'unreachable', reason: 'ECONNREFUSED' })",
    'https://approvals.example cannot be reached (ECONNREFUSED). Check the address, and that the deployment runs.',
  ],
])('a run that %s has no verdict', async (_, code, message) => {
  const { outcome, finished } = await suiteOf(code)
  expect(outcome).toMatchObject({ message })
  expect(finished).toBeUndefined()
})
