import { expect, test } from 'vitest'
import { progressIn } from '../../../conformance/learning/courses.ts'
import type { Introduced } from '../../../conformance/learning/roles.ts'
import { exchangeOf } from '../../support/exchange.ts'

const start = Date.UTC(2026, 2, 1, 9)
const time = (seconds: number) => new Date(start + seconds * 1000).toISOString()

function call(name: 'executeWorkflow' | 'getWorkflow', seconds: number, json: unknown): Introduced {
  return {
    exchange: exchangeOf({}, { json, at: start + seconds * 1000 }),
    call: name,
    isSuccess: true,
    workflowId: 'w1',
    roles: name === 'executeWorkflow' ? { execution: 'run-4c81' } : {},
  }
}

const run = (state: string, more: object = {}) => ({ id: 'run-4c81', state, ...more })
const executed = (json: unknown, seconds = 1) => call('executeWorkflow', seconds, json)
const read = (seconds: number, json: unknown) => call('getWorkflow', seconds, json)

/** What answers show of an execution at some seconds: the first one to executing it, the others to reading its workflow. */
const shown = (...answers: readonly (readonly [seconds: number, state: string, more?: object])[]) =>
  answers.map(([seconds, state, more], index) =>
    index === 0 ? executed(run(state, more), seconds) : read(seconds, { runs: [run(state, more)] }),
  )

const steps = ['legal', 'finance', 'board'].map((step_id) => ({
  step_id,
  name: `Review by ${step_id}`,
  approvers: ['ann', 'bob'].map((name) => ({ email: `${name}@${step_id}.example.com` })),
}))

/** The creation of the workflow, with three steps or whatever was sent. */
function created(sent: object = { steps }): Introduced {
  const one = read(0, {})
  const exchange = { ...one.exchange, sent: JSON.stringify(sent) }
  return { ...one, exchange, call: 'createWorkflow', roles: { workflow: 'w1' } }
}

/** Returns what the decisions of the only course are, in milliseconds since the start. */
const decisionsIn = (session: readonly Introduced[]) =>
  progressIn(session).courses[0]?.decisions.map(({ at, after, ...rest }) => ({
    at: at - start,
    ...(after !== undefined && { after: after - start }),
    ...rest,
  }))

const timesOf = (exchanges: ReadonlySet<{ readonly at: number }>) => [...exchanges].map(({ at }) => at - start)

const stays = { courses: [], goesOn: false, endsAtOnce: false }
const ends = { goesOn: true, courses: [{ hasEnded: true }] }
const endsAtOnce = { courses: [], goesOn: false, endsAtOnce: true }
const figures = (seconds: number, finished: number) => read(seconds, { stats: { total: 1, finished } })
const nested = (code: string, state: string) => [
  executed({ data: { execution: { state: { code }, steps: [{ state }] } } }),
  read(2, {}),
]

test.each([
  ['whose details do not change stays open', stays, shown([1, 'RUNNING'], [2, 'RUNNING'], [9, 'RUNNING'])],
  [
    'with other changes than progress stays open',
    stays,
    [
      ...shown([1, 'RUNNING'], [2, 'RUNNING']),
      read(3, { runs: [run('RUNNING', { age: 1 })], request: 'a1', age: 1 }),
      read(9, { runs: [run('RUNNING', { age: 8 })], request: 'b7', age: 2 }),
    ],
  ],
  ['that has ended in its first answer ends at once', endsAtOnce, shown([1, 'approved'], [2, 'approved'])],
  ['that has ended at any depth ends at once', endsAtOnce, nested('APPROVED', 'open')],
  ['whose step has ended stays open', stays, nested('RUNNING', 'approved')],
  ['that the next figures count as ended ends at once', endsAtOnce, [figures(1, 0), executed({}, 2), figures(3, 1)]],
  ['that no figures count as ended stays open', stays, [figures(1, 0), executed({}, 2), figures(3, 0)]],
  ['beside older ones that have ended stays open', stays, [figures(1, 4), executed({}, 2), figures(3, 5)]],
  [
    'is read from its own object, not from a reference to it',
    ends,
    [
      executed(run('RUNNING')),
      ...['RUNNING', 'COMPLETED'].map((state, index) =>
        read(2 + index, { data: { runs: [{ id: 'run-4c81' }] }, included: [run(state, { mode: 'fast' })] }),
      ),
    ],
  ],
  ...[[], [null], [{ step_id: 'legal' }], 'steps', [{ ...steps[0], approvers: [null] }]].map(
    (odd) =>
      [
        `with the steps ${JSON.stringify(odd).slice(0, 24)} is followed as a whole`,
        ends,
        [created({ steps: odd }), ...shown([1, 'RUNNING'], [2, 'RUNNING'], [9, 'COMPLETED'])],
      ] as const,
  ),
] as const)('an execution %s', (_, progress, session) => {
  expect(progressIn(session)).toMatchObject(progress)
})

test('an execution that ends later ends at the times that are shown', () => {
  const at = (...times: readonly (number | null)[]) => ({
    since: time(1),
    steps: times.map((one) => ({ at: one === null ? null : time(one) })),
  })
  const began = [1, 'RUNNING', { since: time(1) }] as const
  const session = shown(began, [2, 'RUNNING', at(null, null)], [4, 'RUNNING', at(3, null)], [9, 'COMPLETED', at(3, 6)])
  const { moving, unclear, ...progress } = progressIn(session)
  const decisions = [3000, 6000].map((ms) => ({ at: start + ms, decision: 'approved' }))
  const course = { exchange: session[0]?.exchange, decisions, hasEnded: true }
  expect(progress).toMatchObject({ courses: [course], goesOn: true, endsAtOnce: false })
  expect([timesOf(moving), timesOf(unclear)]).toEqual([[4000], [4000]])
  // A decision counts from when the reads show it.
  const late = shown(began, [4, 'RUNNING', at(null, null)], [9, 'COMPLETED', at(3, 6)])
  expect(decisionsIn(late)?.map(({ at }) => at)).toEqual([4001, 6000])
})

const local = (seconds: number) =>
  time(seconds - 6 * 3600)
    .slice(0, 19)
    .replace('T', ' ')
const locally = (until: string | null) => ({ since: local(1), until })
const trail = (...states: readonly string[]) => ({
  trail: states.map((state, index) => ({ step: steps[index]?.step_id, state })),
})
const counted = (done: number, until: string | null = null) => ({ done, until })

test.each([
  [
    'without a time: when it is seen to have ended',
    shown([1, 'open'], [2, 'open'], [9, 'approved']),
    [{ at: 9000, after: 2000 }],
  ],
  [
    'with times in a zone that they do not name',
    shown([1, 'RUNNING', locally(null)], [2, 'RUNNING', locally(null)], [9, 'COMPLETED', locally(local(4))]),
    [{ at: 4000, decision: 'approved' }],
  ],
  [
    'with a counter of its steps',
    [
      created(),
      ...shown(
        [1, 'RUNNING', counted(0)],
        [2, 'RUNNING', counted(0)],
        [4, 'RUNNING', counted(1)],
        [9, 'APPROVED', counted(3, time(8))],
      ),
    ],
    [
      { at: 4000, after: 2000, decision: 'approved' },
      { at: 8000, after: 4000, decision: 'approved' },
      { at: 8000, decision: 'approved' },
    ],
  ],
  [
    'rejected: the last one is a rejection',
    [created(), ...shown([1, 'RUNNING', { done: 0 }], [2, 'RUNNING', { done: 0 }], [9, 'REJECTED', { done: 2 }])],
    [{ decision: 'approved' }, { decision: 'rejected' }],
  ],
  ['rejected, without a counter', shown([1, 'RUNNING'], [2, 'RUNNING'], [9, 'REJECTED']), [{ decision: 'rejected' }]],
  [
    'with steps that are listed once they have begun',
    [created(), ...shown([1, 'LOOPT'], [2, 'LOOPT', trail('bezig')], [4, 'LOOPT', trail('gedaan', 'bezig')])],
    [{ stepId: 'legal', after: 2000 }],
  ],
])('the decisions of an execution %s', (_, session, decisions) => {
  const { courses, unclear } = progressIn(session)
  expect(decisionsIn(session)).toMatchObject(decisions)
  expect([courses.length, unclear.size]).toEqual([1, 0])
})

test('executions that only figures show end after the average that is shown', () => {
  const stats = (finished: number, averageSeconds: number | null) => ({ stats: { total: 2, finished, averageSeconds } })
  const session = [executed({}), executed({}, 2), read(2.5, stats(0, null)), read(9, stats(2, 4.2))]
  const { courses, goesOn } = progressIn(session)
  expect(goesOn).toBe(true)
  expect(courses.map(({ decisions }) => decisions.map(({ at }) => at - start))).toEqual([[5200], [6200]])
})

/** Details with the state of the execution, and the state and the end of each of its steps. */
const stepsAt = (seconds: number, state: string, ...items: readonly (readonly [string, number?])[]) =>
  read(seconds, {
    runs: [
      run(state, {
        tasks: items.map(([state, end], index) => {
          const { step_id, approvers } = steps[index] ?? {}
          const closed = end === undefined ? null : time(end)
          return { step_id, state, closed, by: approvers?.[1]?.email, candidates: approvers }
        }),
      }),
    ],
  })

test.each([
  [
    'when its own time says so, and as its own state says',
    [
      executed(run('RUNNING')),
      stepsAt(2, 'RUNNING', ['open'], ['open'], ['waiting']),
      stepsAt(4, 'RUNNING', ['open'], ['approved', 3], ['waiting']),
      stepsAt(9, 'DECLINED', ['approved', 5], ['approved', 3], ['declined', 7]),
    ],
    [
      { at: 3000, stepId: 'finance', decision: 'approved' },
      { at: 5000, stepId: 'legal', decision: 'approved' },
      { at: 7000, stepId: 'board', decision: 'rejected' },
    ],
    { hasEnded: true, moving: [4000], unclear: [] },
  ],
  [
    'while its execution still moves',
    [executed(run('RUNNING')), stepsAt(2, 'QUEUED'), stepsAt(4, 'RUNNING', ['approved'], ['open'], ['waiting'])],
    [{ at: 4000, after: 2000, stepId: 'legal' }],
    { hasEnded: false, moving: [2000, 4000], unclear: [2000] },
  ],
  [
    'in an unknown language, with the word that all have at last',
    [
      executed(run('LOOPT')),
      stepsAt(2, 'LOOPT', ['bezig'], ['wacht'], ['wacht']),
      stepsAt(4, 'LOOPT', ['gedaan'], ['bezig'], ['wacht']),
      stepsAt(9, 'KLAAR', ['gedaan'], ['gedaan'], ['gedaan']),
    ],
    [
      { at: 4000, stepId: 'legal' },
      { at: 9000, stepId: 'finance' },
      { at: 9000, stepId: 'board' },
    ],
    { hasEnded: true, moving: [4000], unclear: [] },
  ],
])('a step is decided %s', (_, calls, decisions, { hasEnded, ...times }) => {
  const session = [created(), ...calls]
  const { courses, moving, unclear, goesOn } = progressIn(session)
  expect(decisionsIn(session)).toMatchObject(decisions)
  expect({ moving: timesOf(moving), unclear: timesOf(unclear) }).toEqual(times)
  expect([courses[0]?.hasEnded, goesOn]).toEqual([hasEnded, true])
})

test('a log of events that name the execution and a step shows its decisions', () => {
  const event = (seconds: number, what: string, step?: string) => ({ run: 'run-4c81', what, step, at: time(seconds) })
  const log = [
    event(1, 'begun'),
    ...steps.flatMap(({ step_id }, index) => [
      event(1 + 2 * index, 'asked', step_id),
      event(3 + 2 * index, 'signed', step_id),
    ]),
    event(7, 'done'),
  ]
  const reads = [1, 2, 4, 6, 8].map((seconds) =>
    read(seconds, { log: log.filter(({ at }) => Date.parse(at) <= start + seconds * 1000) }),
  )
  const decided = decisionsIn([created(), executed({ id: 'run-4c81' }), ...reads])
  expect(decided).toEqual(
    [3, 5, 7].map((seconds, index) => ({
      ...{ at: seconds * 1000, stepId: steps[index]?.step_id, decision: 'approved' },
    })),
  )
})

test('a course has its stages, and the approver of each step', () => {
  const [course] = progressIn([
    created(),
    executed(run('RUNNING')),
    stepsAt(2, 'QUEUED'),
    stepsAt(4, 'RUNNING', ['approved'], ['open'], ['waiting']),
  ]).courses
  expect(course?.stages).toEqual([['legal'], ['finance'], ['board']])
  expect(course?.approvers.get('legal')).toBe('bob@legal.example.com')
})

test.each([
  ['are side by side', { isSequential: false }, [], [['legal', 'finance', 'board']]],
  ['have orders', { isSequential: true }, [2, 1, 2], [['finance'], ['legal', 'board']]],
  ['follow each other', {}, [], [['legal'], ['finance'], ['board']]],
])('the stages of a workflow whose steps %s', (_, more, orders: readonly number[], stages) => {
  const sent = { steps: steps.map((step, index) => ({ ...step, order: orders[index] })), ...more }
  const session = [created(sent), ...shown([1, 'RUNNING'], [2, 'RUNNING'], [9, 'COMPLETED'])]
  expect(progressIn(session).courses).toMatchObject([{ stages }])
})
