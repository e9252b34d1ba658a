import { expect, test } from 'vitest'
import { progressIn } from '../../../conformance/learning/courses.ts'
import type { Introduced } from '../../../conformance/learning/roles.ts'
import { exchangeOf } from '../../support/exchange.ts'

const start = Date.UTC(2026, 2, 1, 9)
const time = (seconds: number) => new Date(start + seconds * 1000).toISOString()

const call = (call: Introduced['call'], seconds: number, json: unknown, more: object = {}): Introduced => ({
  exchange: exchangeOf({}, { json, at: start + seconds * 1000, ...more }),
  ...{ call, isSuccess: true, workflowId: 'w1', roles: {} },
  ...(call === 'createWorkflow' && { roles: { workflow: 'w1' } }),
  ...(call === 'executeWorkflow' && { roles: { execution: 'run-4c81' } }),
})
const executed = (json: unknown, seconds = 1) => call('executeWorkflow', seconds, json)
const read = (seconds: number, json: unknown) => call('getWorkflow', seconds, json)
const run = (more: object) => ({ id: 'run-4c81', ...more })

/** What answers show of an execution, by the second: the first one to executing it, the others to reading its workflow. */
const shown = (answers: Record<number, string | object>) =>
  Object.entries(answers).map(([seconds, state], index) => {
    const json = run(typeof state === 'string' ? { state } : state)
    return index === 0 ? executed(json, Number(seconds)) : read(Number(seconds), { runs: [json] })
  })
const open = { 1: 'RUNNING', 2: 'RUNNING' }
const ended = shown({ ...open, 9: 'COMPLETED' })

const steps = ['legal', 'finance', 'board'].map((step_id) => ({
  step_id,
  name: `Review by ${step_id}`,
  approvers: ['ann', 'bob'].map((name) => ({ email: `${name}@${step_id}.example.com` })),
}))

/** The creation of the workflow, with three steps or whatever was sent. */
const created = (sent: object = { steps }) => call('createWorkflow', 0, {}, { sent: JSON.stringify(sent) })

/** Returns how executions went on, with all times in seconds. */
function seen(session: readonly Introduced[]) {
  const { courses, moving, unclear, ...progress } = progressIn(session)
  const secondsOf = (at: number) => (at - start) / 1000
  const timesOf = (exchanges: typeof moving) => [...exchanges].map(({ at }) => secondsOf(at))
  const inSeconds = courses.map(({ decisions, approvers, ...course }) => ({
    ...course,
    approvers: Object.fromEntries(approvers),
    decisions: decisions.map(({ at, after, ...rest }) => ({
      ...{ at: secondsOf(at), ...rest },
      ...(after !== undefined && { after: secondsOf(after) }),
    })),
  }))
  return { courses: inSeconds, moving: timesOf(moving), unclear: timesOf(unclear), ...progress }
}

const stays = { courses: [], goesOn: false, endsAtOnce: false }
const endsAtOnce = { ...stays, endsAtOnce: true }
const ends = { goesOn: true, courses: [{ hasEnded: true }] }
const decided = (...decisions: object[]) => ({ goesOn: true, courses: [{ decisions }], unclear: [] })
const approved = (at: number, more: object = {}) => ({ at, decision: 'approved', ...more })

const figures = (seconds: number, finished: number) => read(seconds, { stats: { total: 1, finished } })
const counted = (before: number, after: number) => [figures(1, before), executed({}, 2), figures(3, after)]
const nested = (code: string, state: string) => [
  executed({ data: { execution: { state: { code }, steps: [{ state }] } } }),
  read(2, {}),
]

const began = { state: 'RUNNING', since: time(1) }
const times = (...all: readonly (number | null)[]) => ({
  ...began,
  steps: all.map((one) => ({ at: one === null ? null : time(one) })),
})
const late = { 9: { ...times(3, 6), state: 'COMPLETED' } }
const local = (seconds: number) => time(seconds - 6 * 3600).replace(/T(.*)\..*/, ' $1')
const locally = (until: string | null) => ({ state: 'RUNNING', since: local(1), until })
const count = (done: number, state = 'RUNNING') => ({ state, done, until: null })
const trail = (...states: readonly string[]) => ({
  state: 'LOOPT',
  trail: states.map((state, index) => ({ step: steps[index]?.step_id, state })),
})

/** Details with the state of the execution, and the state and the end of each of its steps, such as `open` or `approved 3`. */
const stepsAt = (seconds: number, state: string, ...items: readonly string[]) => {
  const tasks = items.map((item, index) => {
    const { step_id, approvers } = steps[index] ?? {}
    const [state, end] = item.split(' ')
    return { step_id, state, closed: end ? time(Number(end)) : null, by: approvers?.[1]?.email, candidates: approvers }
  })
  return read(seconds, { runs: [run({ state, tasks })] })
}

/** Details whose only task is beside the execution. */
const taskAt = (seconds: number, state: string, task: string) =>
  read(seconds, { runs: [run({ state })], tasks: [{ run: 'run-4c81', step: 'legal', state: task }] })

/** A log of events, each of which names the execution and a step. */
const log = [
  ...[['begun'], ['asked', 'legal'], ['signed', 'legal'], ['asked', 'finance'], ['signed', 'finance']],
  ...[['asked', 'board'], ['signed', 'board'], ['done']],
].map(([what, step], index) => ({ run: 'run-4c81', what, step, at: time([1, 1, 3, 3, 5, 5, 7, 7][index] ?? 0) }))
const logged = [1, 2, 4, 6, 8].map((seconds) => read(seconds, { log: log.filter(({ at }) => at <= time(seconds)) }))

/** The same events within the execution, without its identifier. */
const inRun = (one: Introduced): Introduced => {
  const { log: events } = one.exchange.json as { log: typeof log }
  const history = events.map(({ run: _, ...event }) => event)
  return { ...one, exchange: { ...one.exchange, json: { runs: [run({ history })] } } }
}

/** The same with the identifier of the execution in its key. */
const keyed = (one: Introduced): Introduced => {
  const { runs } = one.exchange.json as { runs: { id: string; history: object[] }[] }
  const json = {
    runs: runs.map(({ id, history }) => ({ key: { process: 'approval-7', id }, history: { events: history } })),
  }
  return { ...one, exchange: { ...one.exchange, json } }
}

/** An execution that was rejected in its second step, with numbers for states. */
const codes = {
  code: 4,
  tasks: steps.map(({ step_id: step }, index) => ({
    ...{ step, code: [3, 4, 0][index] },
    ...(index < 2 && { from: time(1.5 + index / 4), to: time(1.75 + index / 4) }),
  })),
}

test.each<[what: string, progress: object, session: Introduced[]]>([
  [
    'with other changes than progress stays open',
    stays,
    [
      ...shown(open),
      read(3, { runs: [run({ state: 'RUNNING', age: 1 })], request: 'a1', age: 1 }),
      read(9, { runs: [run({ state: 'RUNNING', age: 8 })], request: 'b7', age: 2 }),
    ],
  ],
  ['that has ended in its first answer ends at once', endsAtOnce, shown({ 1: 'approved', 2: 'approved' })],
  ['that has ended at any depth ends at once', endsAtOnce, nested('APPROVED', 'open')],
  ['whose step has ended stays open', stays, nested('RUNNING', 'approved')],
  ['that the next figures count as ended ends at once', endsAtOnce, counted(0, 1)],
  ['that no figures count as ended stays open', stays, counted(0, 0)],
  ['beside older ones that have ended stays open', stays, counted(4, 5)],
  [
    'is read from its own object, not from a reference to it',
    ends,
    [
      executed(run({ state: 'RUNNING' })),
      ...['RUNNING', 'COMPLETED'].map((state, index) =>
        read(2 + index, { data: { runs: [run({})] }, included: [run({ state, mode: 'fast' })] }),
      ),
    ],
  ],
  ...[[], [null], [{ step_id: 'legal' }], 'steps', [{ ...steps[0], approvers: [null] }]].map(
    (odd): [string, object, Introduced[]] => [
      `with the steps ${JSON.stringify(odd).slice(0, 24)} is followed as a whole`,
      ends,
      [created({ steps: odd }), ...ended],
    ],
  ),
  [
    'that ends later ends at the times that are shown',
    {
      ...{ goesOn: true, endsAtOnce: false, moving: [4], unclear: [4] },
      courses: [{ decisions: [approved(3), approved(6)], hasEnded: true, exchange: { at: start + 1000 } }],
    },
    shown({ 1: began, 2: times(null, null), 4: times(3, null), ...late }),
  ],
  [
    'is decided when the reads show it',
    { courses: [{ decisions: [{ at: 4.001 }, { at: 6 }] }] },
    shown({ 1: began, 4: times(null, null), ...late }),
  ],
  [
    'without a time ends when it is seen to have ended',
    decided({ at: 9, after: 2 }),
    shown({ 1: 'open', 2: 'open', 9: 'approved' }),
  ],
  [
    'ends when it has filled in its last time, whatever its words',
    decided({ at: 8, decision: 'rejected' }),
    [
      created(),
      ...shown({
        1: { verdict: 'looking', wrapped: null, now: 'legal' },
        2: { verdict: 'looking', wrapped: null, now: 'legal' },
        9: { verdict: 'kicked', wrapped: time(8), now: '' },
      }),
    ],
  ],
  [
    'may have times in a zone that they do not name',
    decided(approved(4)),
    shown({ 1: locally(null), 2: locally(null), 9: { ...locally(local(4)), state: 'COMPLETED' } }),
  ],
  [
    'may have a counter of its steps',
    decided(approved(4, { after: 2 }), approved(8, { after: 4 }), approved(8)),
    [created(), ...shown({ 1: count(0), 2: count(0), 4: count(1), 9: { ...count(3, 'APPROVED'), until: time(8) } })],
  ],
  [
    'that is rejected has a rejection at last',
    decided({ decision: 'approved' }, { decision: 'rejected' }),
    [created(), ...shown({ 1: count(0), 2: count(0), 9: count(2, 'REJECTED') })],
  ],
  ['may be rejected without a counter', decided({ decision: 'rejected' }), shown({ ...open, 9: 'REJECTED' })],
  [
    'may list its steps once they have begun',
    decided({ stepId: 'legal', after: 2 }),
    [created(), ...shown({ 1: 'LOOPT', 2: trail('bezig'), 4: trail('gedaan', 'bezig') })],
  ],
  [
    'may show the time and the state of each step',
    {
      ...decided(approved(3, { stepId: 'finance' }), approved(5, { stepId: 'legal' }), {
        ...{ at: 7, stepId: 'board', decision: 'rejected' },
      }),
      moving: [4],
    },
    [
      ...[created(), executed(run({ state: 'RUNNING' })), stepsAt(2, 'RUNNING', 'open', 'open', 'waiting')],
      stepsAt(4, 'RUNNING', 'open', 'approved 3', 'waiting'),
      stepsAt(9, 'DECLINED', 'approved 5', 'approved 3', 'declined 7'),
    ],
  ],
  [
    'that still moves has the stages and the approver of each step',
    {
      ...{ goesOn: true, moving: [2, 4], unclear: [2] },
      courses: [
        {
          decisions: [{ at: 4, after: 2, stepId: 'legal' }],
          ...{ hasEnded: false, stages: [['legal'], ['finance'], ['board']] },
          approvers: { legal: 'bob@legal.example.com' },
        },
      ],
    },
    [
      ...[created(), executed(run({ state: 'RUNNING' })), stepsAt(2, 'QUEUED')],
      stepsAt(4, 'RUNNING', 'approved', 'open', 'waiting'),
    ],
  ],
  [
    'may have states in an unknown language, and one word at last',
    { ...decided({ at: 4, stepId: 'legal' }, { at: 9, stepId: 'finance' }, { at: 9, stepId: 'board' }), moving: [4] },
    [
      ...[created(), executed(run({ state: 'LOOPT' })), stepsAt(2, 'LOOPT', 'bezig', 'wacht', 'wacht')],
      stepsAt(4, 'LOOPT', 'gedaan', 'bezig', 'wacht'),
      stepsAt(9, 'KLAAR', 'gedaan', 'gedaan', 'gedaan'),
    ],
  ],
  [
    'may be rejected in a word that no other execution has',
    { ...decided({ at: 9, stepId: 'legal', decision: 'rejected' }) },
    [
      ...[created(), executed(run({ state: 'LOOPT' })), stepsAt(2, 'LOOPT', 'bezig', 'wacht', 'wacht')],
      stepsAt(9, 'GESTOPT', 'geweigerd', 'wacht', 'wacht'),
    ],
  ],
  [
    'may have a single row in the list of all tasks',
    { ...decided({ at: 9, stepId: 'legal', decision: 'rejected' }) },
    [...[created(), executed(run({ state: 'LOOPT' })), taskAt(2, 'LOOPT', 'bezig')], taskAt(9, 'GESTOPT', 'geweigerd')],
  ],
  [
    'may have several identifiers in an object of its own',
    { courses: [{ decisions: steps.map(({ step_id: stepId }, index) => approved(3 + 2 * index, { stepId })) }] },
    [created(), executed({ id: 'run-4c81' }), ...logged.map(inRun).map(keyed)],
  ],
  [
    'may be logged as events that name it and a step',
    { courses: [{ decisions: steps.map(({ step_id: stepId }, index) => approved(3 + 2 * index, { stepId })) }] },
    [created(), executed({ id: 'run-4c81' }), ...logged],
  ],
  [
    'may list its own events, several of each step',
    { courses: [{ decisions: steps.map(({ step_id: stepId }, index) => approved(3 + 2 * index, { stepId })) }] },
    [created(), executed({ id: 'run-4c81' }), ...logged.map(inRun)],
  ],
  [
    'whose steps have ended in its first answer ends at once',
    { goesOn: false, endsAtOnce: true, courses: [{ decisions: [{ decision: 'approved' }, { decision: 'rejected' }] }] },
    [created(), ...shown({ 1: codes, 2: codes, 9: codes })],
  ],
  ...[
    { what: 'are side by side', isSequential: false, stages: [['legal', 'finance', 'board']] },
    { what: 'have orders', isSequential: true, orders: [2, 1, 2], stages: [['finance'], ['legal', 'board']] },
  ].map(({ what, isSequential, orders = [], stages }): [string, object, Introduced[]] => {
    const sent = steps.map((step, index) => ({ ...step, order: orders[index] }))
    return [
      `has stages of steps that ${what}`,
      { courses: [{ stages }] },
      [created({ steps: sent, isSequential }), ...ended],
    ]
  }),
])('an execution %s', (_, progress, session) => {
  expect(seen(session)).toMatchObject(progress)
})

test('executions that only figures show end after the average that is shown', () => {
  const stats = (finished: number, averageSeconds: number | null) => ({ stats: { total: 2, finished, averageSeconds } })
  const session = [executed({}), executed({}, 2), read(2.5, stats(0, null)), read(9, stats(2, 4.2))]
  const courses = [5.2, 6.2].map((at) => ({ decisions: [{ at }] }))
  expect(seen(session)).toMatchObject({ goesOn: true, courses })
})
