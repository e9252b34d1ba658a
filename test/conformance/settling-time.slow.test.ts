import { expect, test } from 'vitest'
import { run } from '../../conformance/run/runner.ts'
import { mutants } from '../../conformance/selftest/mutants/index.ts'
import { parallelTime } from '../../conformance/selftest/parallel-time.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { changeAnswers, type Members, type ServerFunction, type Wrapper } from '../../conformance/selftest/wrapper.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { rotated } from '../support/sample.ts'

/** Runs the suite on a server, in a time that passes in parallel. */
async function runAt(server: ServerFunction, { time, fetch } = parallelTime(server)) {
  return { time, ...(await run({ url: 'http://selftest.test', apiKey: 'test_settling', fetch, time, gaps: false })) }
}

/** Mutants on which a run waits, one for each place where it can wait. */
const waited = [
  'never-readable',
  'read-wants-type',
  'confirm-refuses-key',
  'document-unknown',
  'executes-first',
  'starts-nothing',
  'unreadable-after-execution-404',
  'details-are-bare',
  'confirm-refuses-unusual-name',
  'total-stuck',
  'details-lack-bottlenecks',
  'started-stuck',
  'second-execution-lost',
  'gone-with-second-execution',
  'total-lost',
  'steps-always-in-order',
]

/** Mutants that together make a run wait at several places, one after the other. */
const waitedTwice = ['details-lack-bottlenecks', 'steps-in-order-for-ever']

const all: (readonly [string, readonly string[]])[] = [
  ...waited.map((id) => [id, [id]] as const),
  ['several faults', waitedTwice],
]

test.each(nonEmpty(rotated(all)))('three attempts at %s share the time to settle', async (_, ids) => {
  const faulty = ids.reduce<ServerFunction>((server, id) => {
    const mutant = mutants.find((one) => one.id === id)
    if (!mutant) throw new Error(`There is no mutant '${id}'.`)
    return mutant.wrapper(server)
  }, reference())
  const { time, verdict, exchanges } = await runAt(faulty)
  expect(verdict).toBe('nonconforming')
  expect(new Set(exchanges.map(({ label }) => label?.attempt))).toEqual(new Set([undefined, 1, 2, 3]))
  expect(time.now()).toBeGreaterThanOrEqual(10_000)
  expect(time.now()).toBeLessThanOrEqual(13_000)
})

/** Shows the identifier of the request and the number of requests in each answer. */
function numbersRequests(): Wrapper {
  let requests = 0
  return changeAnswers(['getWorkflow'], (body) => {
    requests += 1
    return { ...body, request_id: `req-${requests}`, served: requests }
  })
}

test.each([
  ['all answers alike', (server: ServerFunction) => server],
  ['answers that are numbered', numbersRequests()],
])('a run without movement waits two seconds for %s', async (_, wrapper) => {
  const { time, verdict } = await runAt(wrapper(reference()))
  expect(verdict).toBe('conforming')
  expect(time.now()).toBeGreaterThanOrEqual(2000)
  expect(time.now()).toBeLessThan(2100)
})

/** Decides the first step after 5 seconds, and the last after 15, and shows some figures only since then. */
const lateFigures = (now: () => number): Wrapper =>
  changeAnswers(['getWorkflow'], (body) => {
    const [decided, ended] = [now() > 5000, now() > 15_000]
    const { success_rate, completion_time, ...metrics } = (body.execution_metrics ?? {}) as Members
    const show = ({ steps, ...one }: Members) => ({
      ...one,
      status: ended ? 'approved' : one.status,
      steps: (steps as Members[]).map((step, index) =>
        ended || (decided && index === 0) ? { ...step, status: 'approved' } : step,
      ),
    })
    return {
      ...body,
      execution_metrics: ended ? { ...metrics, success_rate: 1, completion_time: 15 } : metrics,
      recent_executions: ((body.recent_executions ?? []) as Members[]).map(show),
    }
  })

test('a run waits longer for figures of an execution that moves', async () => {
  let now = () => 0
  const late = parallelTime(lateFigures(() => now())(reference()))
  now = () => late.time.now()
  const { time, checks } = await runAt(late.fetch, late)
  const rates = checks.find(({ id }) => id === 'analytics.success-rates')
  expect(rates?.verdict).toBe('pass')
  expect(time.now()).toBeGreaterThan(15_000)
})
