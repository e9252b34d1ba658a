/** Examples of what templates are made from answers; `properties.slow.test.ts` has the rules that hold for all of them. */
import { expect, test } from 'vitest'
import { writeAs } from '../../../conformance/learning/bind.ts'
import { figureRole } from '../../../conformance/learning/figures.ts'
import { generalise } from '../../../conformance/learning/generalise.ts'
import type { Json } from '../../../src/profile/template.ts'
import { learned, now, sampleOf, samplesAt } from './templates.ts'

const minutes = '/answer/routing/expected_minutes'
const figure = (name: string) => `/answer/execution_metrics/${name}`
const took = '/answer/elapsed_minutes'
const runs = '/answer/recent_executions'
const split = { code: 'split' }

/** The member that all answers have, its values, a fact beside each of them, and the template. */
type Row = [what: string, member: string, shown: unknown[], pointer: string, facts: unknown[], template: Json]

/** Answers that each show a value in one member. */
const membersAt = (pointer: string, facts: readonly unknown[], member: string, shown: readonly unknown[]) =>
  samplesAt(
    pointer,
    facts,
    shown.map((one) => ({ [member]: one })),
  )

test.each<Row>([
  ['minutes that are close to a fact', 'eta', [12.004, 30.02, 57.99], minutes, [12, 30, 58], { $: minutes }],
  ['seconds', 'eta', [720.1, 1800.5, 3479], minutes, [12, 30, 58], { $: minutes, as: 'minutes' }],
  ['milliseconds', 'eta', [720_012, 1_799_000, 3_480_900], minutes, [12, 30, 58], { $: minutes, as: 'millis' }],
  [
    'a text that is sometimes empty',
    'estimate',
    ['', '30', '45', ''],
    '/answer/estimate',
    [0, 30, 45, 0],
    { $if: '/answer/estimate', present: { $: '/answer/estimate', as: 'text' }, absent: '' },
  ],
  [
    'a duration of ISO 8601',
    'elapsed',
    ['PT0.25S', 'PT1H30M', 'PT2M5S', null],
    took,
    [0.25 / 60, 90, 125 / 60, null],
    { $if: took, present: { $: took, as: 'iso-duration' }, absent: { $: took, or: null } },
  ],
  [
    'a duration as .NET writes it',
    'elapsed',
    ['00:00:00.2500000', '01:30:00', '00:02:05'],
    took,
    [0.25 / 60, 90, 125 / 60],
    { $: took, as: 'timespan' },
  ],
  ['the size of the stored bytes, after one sample', 'bytes', [739], '/object/size', [739], { $: '/object/size' }],
  ['an echo, after one sample', 'input', [7], '/problem/errors/0/sent', [7], { $: '/problem/errors/0/sent' }],
  ['a number that says nothing, after one sample', 'version', [2], '/object/size', [739], 2],
])('%s: learned', (_, member, shown, pointer, facts, template) => {
  expect(learned(membersAt(pointer, facts, member, shown))).toEqual({ template: { [member]: template }, guesses: [] })
})

test.each<Row>([
  ['a number far from the fact', 'eta', [13, 31, 59], minutes, [12, 30, 58], 59],
  ['a small number with another name', 'retries', [0.01, 0.03, 0.02], minutes, [0.012, 0.028, 0.022], 0.02],
  ['a small number that counts', 'considered', [1, 2, 1], took, [0.004, 0.003, 0.0041], 1],
  ['a status that follows nothing', 'status', [201, 202, 202, 202, 201], took, [], 202],
  [
    'a value that one answer shows late',
    'id',
    ['wf-17', 'wf-23', 'wf-31', 'none', 'wf-52', 'wf-53'],
    '/answer/id',
    ['wf-17', 'wf-23', 'wf-31', 'wf-46', 'wf-52', 'wf-53'],
    { $: '/answer/id' },
  ],
  [
    'a list that nothing explains',
    'advice',
    [[], [split], [], [split, split]],
    runs,
    [[], [{}], [{}], [{}]],
    { $if: runs, present: [split], absent: [] },
  ],
])('%s: guessed', (_, member, shown, pointer, facts, template) => {
  const found = learned(membersAt(pointer, facts, member, shown))
  expect(found.template).toEqual({ [member]: template })
  expect(found.guesses.map(({ pointer }) => pointer)).toEqual([`/${member}`])
})

test.each<Row>([
  [
    'a title',
    'title',
    ['One', 'Two', 'Three', '(unnamed)', ''],
    '/answer/name',
    ['One', 'Two', 'Three', '', ''],
    { $: '/answer/name' },
  ],
])('odd requests do not change the template of %s', (_, member, shown, pointer, facts, template) => {
  const samples = membersAt(pointer, facts, member, shown)
  const found = learned(samples.map((sample, index) => ({ ...sample, isOdd: index > 2 })))
  expect(found.template).toEqual({ [member]: template })
  expect(found.guesses.map(({ pointer, isForOdd }) => [pointer, isForOdd])).toEqual([[`/${member}`, true]])
})

// The tables above have the other durations.
test('minutes are written as durations of ISO 8601, unless they are negative', () => {
  expect([0, 60, -1].map((minutes) => writeAs(minutes, 'iso-duration'))).toEqual(['PT0S', 'PT1H', undefined])
})

/** Answers about several workflows, each beside what the contract answers. */
const answers = (...pairs: readonly (readonly [theirs: unknown, answer: unknown])[]) =>
  samplesAt(
    '/answer',
    pairs.map(([, answer]) => answer),
    pairs.map(([theirs]) => theirs),
  )

/** Steps of an execution, the first of them assigned. */
const steps = (...approvers: readonly string[][]) =>
  approvers.map((names, index) => {
    const [first, ...others] = names.map((name) => ({ email: `${name}@example.com`, name }))
    return { step_id: `step-${names}`, assignee: index === 0 ? first : null, step: { approvers: [first, ...others] } }
  })

test.each([
  ['an approver', 'cid', { $: '0/assignee/email', or: { $: '0/step/approvers/0/email' } }],
  ['a person who is no approver', 'zoe', undefined],
])('a step that is not assigned yet and names %s', (_, name, who) => {
  const tasks = (...names: readonly string[]) => ({ tasks: names.map((one) => ({ who: `${one}@example.com` })) })
  const found = learned(
    answers(
      [tasks('ann', name), { steps: steps(['ann'], ['bob', 'cid']) }],
      [tasks('eve'), { steps: steps(['eve', 'dan']) }],
    ),
  )
  const template = { tasks: { $each: '/answer/steps', item: { who } } }
  if (who) expect(found).toEqual({ template, guesses: [] })
  else expect(JSON.stringify(found.template)).not.toContain('approvers/0')
})

test('what is mostly null is null, and the members around it are learned', () => {
  const { template } = learned([null, null, null, 7].map((left) => sampleOf({}, { left, kind: 'x' })))
  expect(template).toMatchObject({ left: null, kind: 'x' })
})

test('the longest and the shortest time follow their own figures', () => {
  const times = [
    [null, null],
    [0.25, 0.25],
    [0.5, 1.5],
  ] as const
  const shown = times.map(([fastest, slowest]) => ({ durations: { fastest, slowest, retries_max: 3 } }))
  const facts = times.map(([min, max]) => min && { min_minutes: min, max_minutes: max })
  const { template } = learned(samplesAt(figure('completion_time'), facts, shown))
  const time = (name: string) => `${figure('completion_time')}/${name}_minutes`
  const follows = (name: string) => ({ $if: time('min'), present: { $: time(name) }, absent: null })
  expect(template).toEqual({ durations: { fastest: follows('min'), slowest: follows('max'), retries_max: 3 } })
})

test.each([
  ['times-completed', 'ended'],
  ['completion_time', 'mean'],
  ['CompletedCount', 'ended'],
  ['success_ratio', 'rate'],
  ['estimated_duration', undefined],
  ['total', 'total'],
  ['completion_time/min', 'least'],
  ['completion_time/minDuration', 'least'],
  // At the end of a longer name, it stands for minutes.
  ['completion_time/duration_min', undefined],
  ['completion_time/average_min', 'mean'],
  ['completion_time/longest_duration_min', 'most'],
])('the name %s says that a figure is the %s', (path, role) => {
  const [name = '', holder] = path.split('/').toReversed()
  expect(figureRole(name, holder)).toBe(role)
})

test('the start of a step does not follow that of its execution', () => {
  const at = (ms: number) => new Date(Date.parse(now) + ms).toISOString()
  const execution = (...starts: readonly number[]) => {
    const steps = starts.map((ms) => ({ step_id: `step-${ms}`, assigned_at: at(ms + 30) }))
    const tasks = starts.map((ms) => ({ id: `step-${ms}`, started_at: at(ms) }))
    return [{ tasks }, { started_at: at(starts[0] ?? 0), steps }] as const
  }
  expect(learned(answers(execution(0, 200), execution(9000, 9400, 9500))).template).toMatchObject({
    tasks: { $each: '/answer/steps', item: { started_at: { $: '0/assigned_at' } } },
  })
})

test('a constant that belongs to the session is a guess', () => {
  const guesses: string[] = []
  const guess = ({ pointer }: { pointer: string }) => guesses.push(pointer)
  const place = { pointer: '', name: '', depth: 0, guess, isOwn: (text: string) => text === 'lesson-7' }
  generalise(samplesAt('/answer', [{}, {}], [{ by: 'lesson-7' }, { by: 'lesson-7' }]), place)
  expect(guesses).toEqual(['/by'])
})

test('the approvers who were not chosen do not follow the one who was', () => {
  const cid = { email: 'cid@a.test' }
  const execution = (...all: readonly string[][]) => {
    const steps = all.map((emails) => {
      const others = emails.map((email, samples) => ({ email, samples }))
      return { assignee: cid, routing: { candidates: [...others, { ...cid, samples: 9 }], others } }
    })
    return [{ tasks: all.map((alternates) => ({ alternates })) }, { steps }] as const
  }
  const samples = answers(
    execution(['bob@a.test']),
    execution(['eve@a.test', 'ann@a.test']),
    execution([], ['ann@a.test']),
  )
  expect(learned(samples).template).toEqual({
    tasks: { $each: '/answer/steps', item: { alternates: { $each: '0/routing/others', item: { $: '0/email' } } } },
  })
})
