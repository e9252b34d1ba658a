import { expect, test } from 'vitest'
import { progressIn } from '../../../conformance/learning/courses.ts'
import type { Introduced } from '../../../conformance/learning/roles.ts'

const start = Date.UTC(2026, 2, 1, 9)
const time = (seconds: number) => new Date(start + seconds * 1000).toISOString()

function call(name: 'executeWorkflow' | 'getWorkflow', seconds: number, json: unknown): Introduced {
  const request = { method: 'GET', url: 'http://there.test/api/v1/workflows/w1', headers: new Headers() }
  const at = start + seconds * 1000
  return {
    exchange: { request, status: 200, headers: new Headers(), bytes: new Uint8Array(), json, durationMs: 1, at },
    call: name,
    isSuccess: true,
    workflowId: 'w1',
    roles: name === 'executeWorkflow' ? { execution: 'run-4c81' } : {},
  }
}

const run = (state: string, more: object = {}) => ({ id: 'run-4c81', state, ...more })
const read = (seconds: number, one: object, more: object = {}) => call('getWorkflow', seconds, { runs: [one], ...more })

test('an execution whose details do not change stays open', () => {
  const session = [call('executeWorkflow', 1, run('RUNNING')), read(2, run('RUNNING')), read(9, run('RUNNING'))]
  expect(progressIn(session)).toMatchObject({ courses: [], goesOn: false, endsAtOnce: false })
})

test('an execution that has ended in its first answer ends at once', () => {
  const session = [call('executeWorkflow', 1, run('approved')), read(2, run('approved'))]
  expect(progressIn(session)).toMatchObject({ courses: [], goesOn: false, endsAtOnce: true })
})

test('the end of an execution is read at any depth, but not from its steps', () => {
  const answer = { data: { execution: { state: { code: 'APPROVED' }, steps: [{ state: 'open' }] } } }
  expect(progressIn([call('executeWorkflow', 1, answer), read(2, {})])).toMatchObject({ endsAtOnce: true })
  const open = { data: { execution: { state: { code: 'RUNNING' }, steps: [{ state: 'approved' }] } } }
  expect(progressIn([call('executeWorkflow', 1, open), read(2, {})])).toMatchObject({ endsAtOnce: false })
})

test('executions end at once if the next figures count them as ended', () => {
  const figures = (seconds: number, finished: number) => call('getWorkflow', seconds, { stats: { total: 1, finished } })
  const executed = call('executeWorkflow', 2, { ok: true })
  expect(progressIn([figures(1, 0), executed, figures(3, 1)])).toMatchObject({ goesOn: false, endsAtOnce: true })
  expect(progressIn([figures(1, 0), executed, figures(3, 0)])).toMatchObject({ endsAtOnce: false })
  expect(progressIn([figures(1, 4), executed, figures(3, 5)])).toMatchObject({ endsAtOnce: false })
})

test('an execution that ends later ends at the times that are shown', () => {
  const started = call('executeWorkflow', 1, run('RUNNING', { since: time(1) }))
  const begin = read(2, run('RUNNING', { since: time(1), steps: [{ at: null }, { at: null }] }))
  const middle = read(4, run('RUNNING', { since: time(1), steps: [{ at: time(3) }, { at: null }] }))
  const end = read(9, run('COMPLETED', { since: time(1), steps: [{ at: time(3) }, { at: time(6) }] }))
  const { courses, goesOn, endsAtOnce, moving, unclear } = progressIn([started, begin, middle, end])
  expect([goesOn, endsAtOnce]).toEqual([true, false])
  const approved = [3000, 6000].map((ms) => ({ at: start + ms, decision: 'approved' }))
  expect(courses).toMatchObject([{ exchange: started.exchange, decisions: approved, hasEnded: true }])
  expect([[...moving], [...unclear]]).toEqual([[middle.exchange], [middle.exchange]])
})

test('a decision counts from when the reads show it', () => {
  const started = call('executeWorkflow', 1, run('RUNNING', { since: time(1) }))
  const shown = (state: string, ...times: (string | null)[]) =>
    run(state, { since: time(1), steps: times.map((at) => ({ at })) })
  const late = [read(4, shown('RUNNING', null, null)), read(9, shown('COMPLETED', time(3), time(6)))]
  const { courses } = progressIn([started, ...late])
  expect(courses.flatMap(({ decisions }) => decisions.map(({ at }) => at - start))).toEqual([4001, 6000])
})

test('without a time that is shown, an execution ends when it is seen to have ended', () => {
  const started = call('executeWorkflow', 1, run('open'))
  const session = [started, read(2, run('open')), read(9, run('approved'))]
  expect(progressIn(session).courses).toMatchObject([{ decisions: [{ at: start + 9000, after: start + 2000 }] }])
})

test('figures and identifiers of requests that change are no progress', () => {
  const started = call('executeWorkflow', 1, run('RUNNING'))
  const session = [started, read(2, run('RUNNING'), { request: 'a1', age: 1 }), read(9, run('RUNNING', { age: 8 }))]
  expect(progressIn(session)).toMatchObject({ courses: [], goesOn: false })
})

test('an execution is read from its own object, and not from a reference to it', () => {
  const included = (state: string) => ({
    data: { runs: [{ id: 'run-4c81' }] },
    included: [run(state, { mode: 'fast' })],
  })
  const started = call('executeWorkflow', 1, run('RUNNING'))
  const session = [started, call('getWorkflow', 2, included('RUNNING')), call('getWorkflow', 9, included('COMPLETED'))]
  expect(progressIn(session)).toMatchObject({ courses: [{ exchange: started.exchange }], goesOn: true })
})

test('executions that only figures show end after the average that is shown', () => {
  const figures = (seconds: number, finished: number, averageSeconds: number | null) =>
    call('getWorkflow', seconds, { stats: { total: 2, finished, averageSeconds } })
  const [one, other] = [call('executeWorkflow', 1, { ok: true }), call('executeWorkflow', 2, { ok: true })]
  const reads = [figures(2.5, 0, null), figures(9, 2, 4.2)]
  const { courses, goesOn } = progressIn([one, other, ...reads])
  expect(goesOn).toBe(true)
  expect(courses.map(({ decisions }) => decisions.map(({ at }) => at - start))).toEqual([[5200], [6200]])
})

test('times in a zone that they do not name are read in it', () => {
  const local = (seconds: number) =>
    time(seconds - 6 * 3600)
      .slice(0, 19)
      .replace('T', ' ')
  const started = call('executeWorkflow', 1, run('RUNNING', { since: local(1), until: null }))
  const begin = read(2, run('RUNNING', { since: local(1), until: null }))
  const end = read(9, run('COMPLETED', { since: local(1), until: local(4) }))
  expect(progressIn([started, begin, end]).courses).toMatchObject([
    { decisions: [{ at: start + 4000, decision: 'approved' }] },
  ])
})

const created: Introduced = {
  ...call('getWorkflow', 0, {}),
  call: 'createWorkflow',
  roles: { workflow: 'w1' },
}
const steps = ['legal', 'finance', 'board'].map((step_id) => ({
  step_id,
  name: `Review by ${step_id}`,
  approvers: ['ann', 'bob'].map((name) => ({ email: `${name}@${step_id}.example.com` })),
}))
const sent = JSON.stringify({ steps })
const createdWithSteps = { ...created, exchange: { ...created.exchange, sent } }

/** Details with the state and the end of each step of the execution. */
const stepsAt = (seconds: number, state: string, ...items: readonly (readonly [string, number | null])[]) =>
  read(
    seconds,
    run(state, {
      tasks: items.map(([one, end], index) => {
        const { step_id, approvers } = steps[index] ?? {}
        const candidates = approvers?.map(({ email }) => ({ email }))
        return { step_id, state: one, closed: end === null ? null : time(end), by: approvers?.[1]?.email, candidates }
      }),
    }),
  )

test('each step is decided when its own time says so, and as its own state says', () => {
  const started = call('executeWorkflow', 1, run('RUNNING'))
  const session = [
    createdWithSteps,
    started,
    stepsAt(2, 'RUNNING', ['open', null], ['open', null], ['waiting', null]),
    stepsAt(4, 'RUNNING', ['open', null], ['approved', 3], ['waiting', null]),
    stepsAt(9, 'DECLINED', ['approved', 5], ['approved', 3], ['declined', 7]),
  ]
  const { courses, moving, unclear, goesOn } = progressIn(session)
  const [course] = courses
  expect(course?.decisions).toEqual([
    { at: start + 3000, stepId: 'finance', decision: 'approved' },
    { at: start + 5000, stepId: 'legal', decision: 'approved' },
    { at: start + 7000, stepId: 'board', decision: 'rejected' },
  ])
  expect(course).toMatchObject({ hasEnded: true, stages: [['legal'], ['finance'], ['board']] })
  expect(course?.approvers.get('board')).toBe('bob@board.example.com')
  expect([goesOn, [...moving].map(({ at }) => at - start), [...unclear]]).toEqual([true, [4000], []])
})

test('an execution that still moves has the decisions that were seen', () => {
  const started = call('executeWorkflow', 1, run('RUNNING'))
  const session = [
    createdWithSteps,
    started,
    stepsAt(2, 'QUEUED'),
    stepsAt(4, 'RUNNING', ['approved', null], ['open', null], ['waiting', null]),
  ]
  const { courses, moving, unclear } = progressIn(session)
  expect(courses).toMatchObject([
    { decisions: [{ at: start + 4000, after: start + 2000, stepId: 'legal' }], hasEnded: false },
  ])
  expect([...moving].map(({ at }) => at - start)).toEqual([2000, 4000])
  expect([...unclear].map(({ at }) => at - start)).toEqual([2000])
})

test('steps that are listed when they have begun are decided when the next one has', () => {
  const started = call('executeWorkflow', 1, run('LOOPT'))
  const begun = (...states: readonly string[]) =>
    run('LOOPT', { trail: states.map((state, index) => ({ step: steps[index]?.step_id, state })) })
  const session = [createdWithSteps, started, read(2, begun('bezig')), read(4, begun('gedaan', 'bezig'))]
  expect(progressIn(session).courses[0]?.decisions).toMatchObject([{ stepId: 'legal', after: start + 2000 }])
})

test('in an unknown language, steps end with the word that all have at last', () => {
  const started = call('executeWorkflow', 1, run('LOOPT'))
  const session = [
    createdWithSteps,
    started,
    stepsAt(2, 'LOOPT', ['bezig', null], ['wacht', null], ['wacht', null]),
    stepsAt(4, 'LOOPT', ['gedaan', null], ['bezig', null], ['wacht', null]),
    stepsAt(9, 'KLAAR', ['gedaan', null], ['gedaan', null], ['gedaan', null]),
  ]
  const { courses, moving, goesOn } = progressIn(session)
  expect(courses[0]?.decisions.map(({ at, stepId }) => [at - start, stepId])).toEqual([
    [4000, 'legal'],
    [9000, 'finance'],
    [9000, 'board'],
  ])
  expect([goesOn, courses[0]?.hasEnded, [...moving].map(({ at }) => at - start)]).toEqual([true, true, [4000]])
})

test('an execution of a workflow with odd steps is followed as a whole', () => {
  for (const odd of [[], [null], [{ step_id: 'legal' }], 'steps', [{ ...steps[0], approvers: [null] }]]) {
    const exchange = { ...created.exchange, sent: JSON.stringify({ steps: odd }) }
    const started = call('executeWorkflow', 1, run('RUNNING'))
    const session = [{ ...created, exchange }, started, read(2, run('RUNNING')), read(9, run('COMPLETED'))]
    expect(progressIn(session)).toMatchObject({ goesOn: true, courses: [{ hasEnded: true }] })
  }
})

test('the stages of a workflow are its orders, or all steps side by side', () => {
  const stagesOf = (more: object, orders: readonly number[] = []) => {
    const withOrder = steps.map((step, index) => ({ ...step, ...(orders[index] && { order: orders[index] }) }))
    const exchange = { ...created.exchange, sent: JSON.stringify({ steps: withOrder, ...more }) }
    const session = [
      { ...created, exchange },
      call('executeWorkflow', 1, run('RUNNING')),
      read(2, run('RUNNING')),
      read(9, run('COMPLETED')),
    ]
    return progressIn(session).courses[0]?.stages
  }
  expect(stagesOf({ isSequential: false })).toEqual([['legal', 'finance', 'board']])
  expect(stagesOf({ isSequential: true }, [2, 1, 2])).toEqual([['finance'], ['legal', 'board']])
  expect(stagesOf({})).toEqual([['legal'], ['finance'], ['board']])
})

test('each step is decided when a counter of the execution says so', () => {
  const started = call('executeWorkflow', 1, run('RUNNING', { done: 0, until: null }))
  const session = [
    createdWithSteps,
    started,
    read(2, run('RUNNING', { done: 0, until: null })),
    read(4, run('RUNNING', { done: 1, until: null })),
    read(9, run('APPROVED', { done: 3, until: time(8) })),
  ]
  const { courses, unclear } = progressIn(session)
  expect(courses[0]?.decisions).toEqual([
    { at: start + 4000, after: start + 2000, decision: 'approved' },
    { at: start + 8000, after: start + 4000, decision: 'approved' },
    { at: start + 8000, decision: 'approved' },
  ])
  expect([courses[0]?.hasEnded, unclear.size]).toEqual([true, 0])
})

test('the last decision of an execution that ends rejected is a rejection', () => {
  const started = call('executeWorkflow', 1, run('RUNNING', { done: 0 }))
  const counted = [
    createdWithSteps,
    started,
    read(2, run('RUNNING', { done: 0 })),
    read(9, run('REJECTED', { done: 2 })),
  ]
  const decisions = (session: readonly Introduced[]) =>
    progressIn(session).courses[0]?.decisions.map(({ decision }) => decision)
  expect(decisions(counted)).toEqual(['approved', 'rejected'])
  const uncounted = [call('executeWorkflow', 1, run('RUNNING')), read(2, run('RUNNING')), read(9, run('REJECTED'))]
  expect(decisions(uncounted)).toEqual(['rejected'])
})
