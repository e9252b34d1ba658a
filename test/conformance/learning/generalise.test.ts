/** Examples of what templates are made from answers; `properties.test.ts` has the rules that hold for all of them. */
import { expect, test } from 'vitest'
import { writeAs } from '../../../conformance/learning/bind.ts'
import { figureRole } from '../../../conformance/learning/figures.ts'
import { generalise } from '../../../conformance/learning/generalise.ts'
import type { AnswerSample } from '../../../conformance/learning/sample.ts'
import { compile, type Facts } from '../../../src/profile/template.ts'
import { learned } from './templates.ts'

const now = '2026-03-01T09:00:00.000Z'

/** Answers, each with what the contract answers to the same call. */
const answers = (...pairs: readonly (readonly [theirs: unknown, answer: unknown])[]): AnswerSample[] =>
  pairs.map(([value, answer], index) => {
    const facts: Facts = { now, answer }
    return { facts, value, items: [], thing: String(index), at: Date.parse(now) }
  })

const approver = (name: string) => ({ email: `${name}@example.com`, name })

/** Steps of an execution, the first of them assigned. */
const steps = (...approvers: readonly string[][]) =>
  approvers.map((names, index) => ({
    step_id: `step-${names.join('-')}`,
    assignee: index === 0 ? approver(names[0] ?? '') : null,
    step: { approvers: names.map(approver) },
  }))

test('an approver who is named before the step is assigned is bound to the step', () => {
  const { template, guesses } = learned(
    answers(
      [{ tasks: [{ who: 'ann@example.com' }, { who: 'cid@example.com' }] }, { steps: steps(['ann'], ['bob', 'cid']) }],
      [{ tasks: [{ who: 'eve@example.com' }] }, { steps: steps(['eve', 'dan']) }],
    ),
  )
  const who = { $: '0/assignee/email', or: { $: '0/step/approvers/0/email' } }
  expect(template).toEqual({ tasks: { $each: '/answer/steps', item: { who } } })
  expect(guesses).toEqual([])
})

test('an address that is not among the approvers of a step is not bound to them', () => {
  const { template } = learned(
    answers(
      [{ tasks: [{ who: 'ann@example.com' }, { who: 'zoe@example.com' }] }, { steps: steps(['ann'], ['bob', 'cid']) }],
      [{ tasks: [{ who: 'eve@example.com' }] }, { steps: steps(['eve', 'dan']) }],
    ),
  )
  expect(JSON.stringify(template)).not.toContain('approvers/0')
})

const routed = (minutes: number) => ({ routing: { expected_minutes: minutes } })

test.each([
  ['minutes', [12.004, 30.02, 57.99], undefined],
  ['seconds', [720.1, 1800.5, 3479], 'minutes'],
  ['milliseconds', [720_012, 1_799_000, 3_480_900], 'millis'],
])('a duration in %s that is close to a fact follows it', (_, [a, b, c], as) => {
  const { template, guesses } = learned(
    answers([{ eta: a }, routed(12)], [{ eta: b }, routed(30)], [{ eta: c }, routed(58)]),
  )
  expect(template).toEqual({ eta: { $: '/answer/routing/expected_minutes', ...(as && { as }) } })
  expect(guesses).toEqual([])
})

test.each([
  ['is far from the fact', 'eta', [13, 31, 59]],
  ['is small and has another name', 'retries', [0.01, 0.03, 0.02]],
])('a number that %s does not follow it', (_, name, numbers) => {
  const minutes = name === 'eta' ? [12, 30, 58] : [0.012, 0.028, 0.022]
  const { template, guesses } = learned(
    answers(...numbers.map((number, index) => [{ [name]: number }, routed(minutes[index] ?? 0)] as const)),
  )
  expect(template).toEqual({ [name]: numbers.at(-1) })
  expect(guesses.map(({ pointer }) => pointer)).toEqual([`/${name}`])
})

test('a size follows the stored bytes, and an echo what was sent, after one sample', () => {
  const facts = { now: '2026-03-01T09:00:00.000Z', object: { size: 739 }, problem: { errors: [{ sent: 7 }] } }
  const value = { bytes: 739, version: 2, input: 7 }
  const { template } = learned([{ facts, value, items: [], thing: '', at: 0 }])
  expect(template).toEqual({ bytes: { $: '/object/size' }, version: 2, input: { $: '/problem/errors/0/sent' } })
})

/** Figures of one workflow that are a read late, in the order of the reads. */
const lateReads = [0, 1, 2, 2].map((total, index): AnswerSample => {
  const shown = [0, 0, 1, 2][index]
  const metrics = { total, approved: 0, success_rate: total === 2 ? 1 : null }
  const facts: Facts = { now, answer: { execution_metrics: metrics } }
  const value = { CasesCount: shown, SuccessPercent: index === 3 ? 100 : null }
  return { facts, value, items: [], thing: 'wf-1', at: Date.parse(now) + index }
})

test('figures that are late follow those of the contract with the same role', () => {
  const { template, guesses } = learned(lateReads)
  expect(template).toEqual({
    CasesCount: { $: '/answer/execution_metrics/total' },
    SuccessPercent: { $: '/answer/execution_metrics/success_rate', as: 'percent', or: null },
  })
  expect(guesses).toEqual([])
})

test('the name of a figure says whether it counts or measures', () => {
  const names = ['times-completed', 'completion_time', 'CompletedCount', 'success_ratio', 'estimated_duration', 'total']
  expect(names.map((name) => figureRole(name))).toEqual(['ended', 'mean', 'ended', 'rate', undefined, 'total'])
})

test('the longest and the shortest time follow their own figures', () => {
  const at = (times: readonly [number, number] | null) => ({
    execution_metrics: { completion_time: times && { min_minutes: times[0], max_minutes: times[1] } },
  })
  const shown = ([fastest, slowest]: readonly [number, number] | readonly [null, null]) => ({
    durations: { fastest, slowest, retries_max: 3 },
  })
  const pairs = [null, [0.25, 0.25], [0.25, 1.5]] as const
  const { template } = learned(answers(...pairs.map((pair) => [shown(pair ?? [null, null]), at(pair)] as const)))
  const figure = (name: string) => ({ $: `/answer/execution_metrics/completion_time/${name}_minutes`, or: null })
  expect(template).toEqual({ durations: { fastest: figure('min'), slowest: figure('max'), retries_max: 3 } })
})

test('min at the end of a longer name stands for minutes', () => {
  const names = ['min', 'minDuration', 'duration_min', 'average_min', 'longest_duration_min']
  const roles = names.map((name) => figureRole(name, 'completion_time'))
  expect(roles).toEqual(['least', 'least', undefined, 'mean', 'most'])
})

test('a text that is sometimes empty follows the fact that tells when', () => {
  const { template, guesses } = learned(
    answers(['', { estimate: 0 }], ['30', { estimate: 30 }], ['45', { estimate: 45 }], ['', { estimate: 0 }]),
  )
  expect(template).toEqual({
    $if: '/answer/estimate',
    present: { $: '/answer/estimate', as: 'text' },
    absent: '',
  })
  expect(guesses).toEqual([])
})

test('the start of a step does not follow that of its execution', () => {
  const at = (ms: number) => new Date(Date.parse(now) + ms).toISOString()
  const execution = (start: number, ...lengths: number[]) => {
    const starts = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, ms) => sum + ms, start))
    const theirs = { tasks: starts.map((ms, index) => ({ id: `step-${start}-${index}`, started_at: at(ms) })) }
    const steps = starts.map((ms, index) => ({ step_id: `step-${start}-${index}`, assigned_at: at(ms + 30) }))
    return [theirs, { started_at: at(start), steps }] as const
  }
  const { template } = learned(answers(execution(0, 200, 300), execution(9000, 400, 100, 250)))
  expect(template).toMatchObject({
    tasks: { $each: '/answer/steps', item: { started_at: { $: '0/assigned_at' } } },
  })
})

test('odd requests change no template of the usual ones that facts explain', () => {
  const of = (name: string, id: string, shown = name) => [{ title: shown }, { name, id }] as const
  const samples = answers(
    of('One', 'a1'),
    of('Two', 'b2'),
    of('Three', 'c3'),
    of('', 'd4', 'd4 (unnamed)'),
    of('', 'e5'),
  )
  const marked = samples.map((sample, index) => ({ ...sample, isOdd: index > 2 }))
  const { template, guesses } = learned(marked)
  expect(template).toEqual({ title: { $: '/answer/name' } })
  expect(guesses.map(({ pointer }) => pointer)).toEqual(['/title'])
})

test('a duration of ISO 8601 follows a fact in minutes', () => {
  const took = (minutes: number | null) => ({ elapsed_minutes: minutes })
  const samples = answers(
    [{ elapsed: 'PT0.25S' }, took(0.25 / 60)],
    [{ elapsed: 'PT1H30M' }, took(90)],
    [{ elapsed: 'PT2M5S' }, took(125 / 60)],
    [{ elapsed: null }, took(null)],
  )
  const { template, guesses } = learned(samples)
  const present = { $: '/answer/elapsed_minutes', as: 'iso-duration' }
  expect(template).toMatchObject({ elapsed: { $if: '/answer/elapsed_minutes', present } })
  expect(guesses).toEqual([])
  const written = [0, 0.25 / 60, 90, 125 / 60, 60, -1].map((minutes) => writeAs(minutes, 'iso-duration'))
  expect(written).toEqual(['PT0S', 'PT0.25S', 'PT1H30M', 'PT2M5S', 'PT1H', undefined])
})

test('a constant that belongs to the session is a guess', () => {
  const samples = answers([{ by: 'lesson-7' }, {}], [{ by: 'lesson-7' }, {}])
  const guesses: string[] = []
  const guess = ({ pointer }: { pointer: string }) => guesses.push(pointer)
  generalise(samples, { pointer: '', name: '', depth: 0, guess, isOwn: (text) => text === 'lesson-7' })
  expect(guesses).toEqual(['/by'])
})

test('a figure that is written as text follows the figure of the contract', () => {
  const at = (minutes: number) => ({ execution_metrics: { completion_time: { mean_minutes: minutes } } })
  const shown = (mean: string) => ({ meanMillis: mean })
  const { template, guesses } = learned(
    answers([shown('15000.5'), at(0.25)], [shown('90000'), at(1.5)], [shown('240000'), at(4)]),
  )
  const mean = { $: '/answer/execution_metrics/completion_time/mean_minutes', as: 'millis' }
  expect(template).toEqual({ meanMillis: { $text: [mean] } })
  expect(guesses).toEqual([])
})

test('a list that nothing explains stays empty where a list of facts is', () => {
  const executed = (count: number) => ({ recent_executions: Array.from({ length: count }, () => ({ status: 'x' })) })
  const { template, guesses } = learned(
    answers(
      [{ advice: [] }, executed(0)],
      [{ advice: [{ code: 'split' }] }, executed(1)],
      [{ advice: [] }, executed(1)],
      [{ advice: [{ code: 'split' }, { code: 'split' }] }, executed(1)],
    ),
  )
  expect(template).toEqual({
    advice: { $if: '/answer/recent_executions', present: [{ code: 'split' }], absent: [] },
  })
  expect(guesses.map(({ pointer }) => pointer)).toEqual(['/advice'])
})

test('the approvers who were not chosen do not follow the one who was', () => {
  const step = (assignee: string, ...emails: string[]) => {
    const candidates = emails.map((email, index) => ({ email, samples: index }))
    const others = candidates.filter(({ email }) => email !== assignee)
    return { assignee: { email: assignee }, routing: { candidates, others } }
  }
  const [ann, bob, cid] = ['ann@a.test', 'bob@a.test', 'cid@a.test'] as const
  const samples = answers(
    [{ tasks: [{ alternates: [bob] }] }, { steps: [step(ann, ann, bob)] }],
    [{ tasks: [{ alternates: [cid, ann] }] }, { steps: [step(bob, cid, bob, ann)] }],
    [{ tasks: [{ alternates: [] }, { alternates: [ann] }] }, { steps: [step(cid, cid), step(cid, ann, cid)] }],
  )
  expect(learned(samples).template).toEqual({
    tasks: {
      $each: '/answer/steps',
      item: { alternates: { $each: '0/routing/others', item: { $: '0/email' } } },
    },
  })
})

test('a number as text follows the request if only odd requests differ', () => {
  const of = (size: unknown, shown: string) => [{ size: shown }, { file_size: size }] as const
  const samples = answers(of(725, '725'), of(732, '732'), of(99, '99'), of(undefined, '400'))
  const marked = samples.map((sample, index) => ({ ...sample, isOdd: index > 2 }))
  expect(learned(marked).template).toEqual({ size: { $: '/answer/file_size', as: 'text' } })
})

test('a duration as .NET writes it follows a fact in minutes', () => {
  const took = (minutes: number) => ({ elapsed_minutes: minutes })
  const samples = answers(
    [{ elapsed: '00:00:00.2500000' }, took(0.25 / 60)],
    [{ elapsed: '01:30:00' }, took(90)],
    [{ elapsed: '00:02:05' }, took(125 / 60)],
  )
  expect(learned(samples).template).toEqual({ elapsed: { $: '/answer/elapsed_minutes', as: 'timespan' } })
  const written = [0.25 / 60, 90, 125 / 60].map((minutes) => writeAs(minutes, 'timespan'))
  expect(written).toEqual(samples.map(({ value }) => (value as { elapsed: string }).elapsed))
})

test('a figure as text keeps its number of decimals', () => {
  const rate = (share: number) => ({ execution_metrics: { success_rate: share } })
  const of = (shown: string, share: number) => [{ success_rate: shown }, rate(share)] as const
  const { template } = learned(answers(of('0.0', 0), of('100.0', 1), of('50.0', 0.5)))
  expect(JSON.stringify(template)).toContain('"as":"fixed-1"')
  const render = (share: number) => compile(template).render({ now, answer: rate(share) }, { draw: () => () => 0 })
  expect(render(0.25)).toEqual({ success_rate: '25.0' })
})

test('a small number that counts does not follow a duration', () => {
  const of = (considered: number, minutes: number) => [{ considered }, { elapsed_minutes: minutes }] as const
  const { template } = learned(answers(of(1, 0.004), of(2, 0.003), of(1, 0.0041)))
  expect(JSON.stringify(template)).not.toContain('elapsed_minutes')
})

test('a status that follows nothing repeats the most frequent one', () => {
  const statuses = [201, 202, 202, 202, 201]
  const { template, guesses } = learned(answers(...statuses.map((status) => [status, {}] as const)))
  expect(template).toBe(202)
  expect(guesses).toHaveLength(1)
})
