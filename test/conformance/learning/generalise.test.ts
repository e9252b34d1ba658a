/** Examples of what templates are made from answers; `properties.slow.test.ts` has the rules that hold for all of them. */
import { expect, test } from 'vitest'
import { writeAs } from '../../../conformance/learning/bind.ts'
import { figureRole } from '../../../conformance/learning/figures.ts'
import { generalise } from '../../../conformance/learning/generalise.ts'
import type { Json } from '../../../src/profile/template.ts'
import { learned, now, samplesAt } from './templates.ts'

const minutes = '/answer/routing/expected_minutes'
const took = '/answer/elapsed_minutes'
const estimate = '/answer/estimate'
const runs = '/answer/recent_executions'
const split = { code: 'split' }

/** Answers that each show a value in one member. */
const membersAt = (pointer: string, facts: readonly unknown[], member: string, shown: readonly unknown[]) =>
  samplesAt(
    pointer,
    facts,
    shown.map((one) => ({ [member]: one })),
  )

/** Answers that each show a value in one member, beside a fact, and what is learned: a template, and perhaps a guess. */
test.each<
  [what: string, member: string, shown: unknown[], pointer: string, facts: unknown[], template: Json, guess?: 1]
>([
  ['minutes that are close to a fact', 'eta', [12.004, 30.02, 57.99], minutes, [12, 30, 58], { $: minutes }],
  ['seconds', 'eta', [720.1, 1800.5, 3479], minutes, [12, 30, 58], { $: minutes, as: 'minutes' }],
  ['milliseconds', 'eta', [720_012, 1_799_000, 3_480_900], minutes, [12, 30, 58], { $: minutes, as: 'millis' }],
  [
    'a text that is sometimes empty',
    'estimate',
    ['', '30', '45'],
    estimate,
    [0, 30, 45],
    { $if: estimate, present: { $: estimate, as: 'text' }, absent: '' },
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
  ['a number far from the fact', 'eta', [13, 31, 59], minutes, [12, 30, 58], 59, 1],
  ['a small number with another name', 'retries', [0.01, 0.03, 0.02], minutes, [0.012, 0.028, 0.022], 0.02, 1],
  ['a small number that counts', 'considered', [1, 2, 1], took, [0.004, 0.003, 0.0041], 1, 1],
  ['a status that follows nothing', 'status', [201, 202, 202, 202, 201], took, [], 202, 1],
  ['what is mostly null', 'left', [null, null, null, 7], took, [], null, 1],
  [
    'a value that one answer shows late',
    'id',
    ['wf-17', 'wf-23', 'wf-31', 'none', 'wf-52', 'wf-53'],
    '/answer/id',
    ['wf-17', 'wf-23', 'wf-31', 'wf-46', 'wf-52', 'wf-53'],
    { $: '/answer/id' },
    1,
  ],
  [
    'a list that nothing explains',
    'advice',
    [[], [split], [], [split, split]],
    runs,
    [[], [{}], [{}], [{}]],
    { $if: runs, present: [split], absent: [] },
    1,
  ],
])('%s: learned', (_, member, shown, pointer, facts, template, guess) => {
  const found = learned(membersAt(pointer, facts, member, shown))
  expect(found.template).toEqual({ [member]: template })
  expect(found.guesses.map(({ pointer }) => pointer)).toEqual(guess ? [`/${member}`] : [])
})

test('odd requests do not change a template', () => {
  const names = ['One', 'Two', 'Three', '', '']
  const samples = membersAt('/answer/name', names, 'title', ['One', 'Two', 'Three', '(unnamed)', ''])
  const found = learned(samples.map((sample, index) => ({ ...sample, isOdd: index > 2 })))
  expect(found.template).toEqual({ title: { $: '/answer/name' } })
  expect(found.guesses).toMatchObject([{ pointer: '/title', isForOdd: true }])
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

const person = (name: string) => ({ email: `${name}@example.com`, name })
const eachStep = (item: Json) => ({ tasks: { $each: '/answer/steps', item } })

/** An execution that names someone in each of its steps, which have these approvers; the first step is assigned to its first one. */
const naming = (names: readonly string[], ...approvers: readonly string[][]) => {
  const steps = approvers.map((all, index) => {
    const [first, ...others] = all.map(person)
    return { step_id: `step-${all}`, assignee: index === 0 ? first : null, step: { approvers: [first, ...others] } }
  })
  return [{ tasks: names.map((name) => ({ who: person(name).email })) }, { steps }] as const
}

/** An execution whose steps start after some milliseconds. */
const starting = (...starts: readonly number[]) => {
  const at = (ms = 0) => new Date(Date.parse(now) + ms).toISOString()
  const steps = starts.map((ms) => ({ step_id: `step-${ms}`, assigned_at: at(ms + 30) }))
  return [{ tasks: starts.map((ms) => ({ started_at: at(ms) })) }, { started_at: at(starts[0]), steps }] as const
}

/** An execution whose steps have these approvers beside the one who was chosen. */
const alternating = (...all: readonly string[][]) => {
  const assignee = person('cid')
  const steps = all.map((names) => {
    const others = names.map((name, samples) => ({ ...person(name), samples }))
    return { assignee, routing: { candidates: [...others, { ...assignee, samples: 9 }], others } }
  })
  const tasks = all.map((names) => ({ alternates: names.map((name) => person(name).email) }))
  return [{ tasks }, { steps }] as const
}

/** The shortest and the longest time, and a number that is always the same. */
const lasting = (fastest: number | null, slowest: number | null) =>
  [
    { durations: { fastest, slowest, retries_max: 3 } },
    { execution_metrics: { completion_time: fastest && { min_minutes: fastest, max_minutes: slowest } } },
  ] as const
const time = (name: string) => `/answer/execution_metrics/completion_time/${name}_minutes`
const figure = (name: string) => ({ $if: time('min'), present: { $: time(name) }, absent: null })

test.each([
  [
    'an approver of a step that is not assigned yet follows the approvers',
    answers(naming(['ann', 'cid'], ['ann'], ['bob', 'cid']), naming(['eve'], ['eve', 'dan'])),
    eachStep({ who: { $: '0/assignee/email', or: { $: '0/step/approvers/0/email' } } }),
  ],
  [
    'the start of a step does not follow that of its execution',
    answers(starting(0, 200), starting(9000, 9400, 9500)),
    eachStep({ started_at: { $: '0/assigned_at' } }),
  ],
  [
    'the approvers who were not chosen do not follow the one who was',
    answers(alternating(['bob']), alternating(['eve', 'ann']), alternating([], ['ann'])),
    eachStep({ alternates: { $each: '0/routing/others', item: { $: '0/email' } } }),
  ],
  [
    'the longest and the shortest time follow their own figures',
    answers(lasting(null, null), lasting(0.25, 0.25), lasting(0.5, 1.5)),
    { durations: { fastest: figure('min'), slowest: figure('max'), retries_max: 3 } },
  ],
])('%s', (_, samples, template) => {
  expect(learned(samples)).toEqual({ template, guesses: [] })
})

test('a person who is no approver does not follow the approvers', () => {
  const found = learned(answers(naming(['ann', 'zoe'], ['ann'], ['bob', 'cid']), naming(['eve'], ['eve', 'dan'])))
  expect(JSON.stringify(found.template)).not.toContain('approvers/0')
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

test('a constant that belongs to the session is a guess', () => {
  const guesses: string[] = []
  const guess = ({ pointer }: { pointer: string }) => guesses.push(pointer)
  const place = { pointer: '', name: '', depth: 0, guess, isOwn: (text: string) => text === 'lesson-7' }
  generalise(samplesAt('/answer', [{}, {}], [{ by: 'lesson-7' }, { by: 'lesson-7' }]), place)
  expect(guesses).toEqual(['/by'])
})
