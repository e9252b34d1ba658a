/** What is learned of objects whose members are named by facts: a value that was sent, or some items of a list. */
import { expect, test } from 'vitest'
import type { AnswerSample } from '../../../conformance/learning/sample.ts'
import type { Facts, Json } from '../../../src/profile/template.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { learned, written } from './templates.ts'

const now = '2026-03-01T09:00:00.000Z'

const samplesOf = (all: readonly Partial<Facts>[], answer: (facts: Facts) => unknown): AnswerSample[] =>
  all.map((one, index) => {
    const facts = { now, ...one }
    return { facts, value: answer(facts), items: [], thing: String(index), at: Date.parse(now) }
  })

/** Learns what a deployment answers to some calls, and expects the same of what it would answer to others. */
function expectLearned<Known extends Partial<Facts>>(
  lesson: readonly Known[],
  unseen: readonly Known[],
  answer: (facts: Known) => unknown,
): Json {
  const { template, guesses } = learned(samplesOf(lesson, (facts) => answer(facts as unknown as Known)))
  expect(guesses).toEqual([])
  for (const one of nonEmpty([...lesson, ...unseen])) expect(written(template, { now, ...one })).toEqual(answer(one))
  return template
}

const uploaded = (file_name: string, id: number) => ({ request: { file_name }, answer: { key: `tenants/t/${id}` } })
const uploads = ['contract.pdf', 'offer 2.pdf', 'plan.docx'].map(uploaded)

test('an object with a member for the file that was sent is learned', () => {
  const template = expectLearned(uploads, [uploaded('a/b~c', 9), uploaded('__proto__', 8)], ({ request, answer }) => ({
    keys: Object.fromEntries([[request.file_name, answer.key]]),
  }))
  const keys = { $entries: '/request/file_name', key: { $: '0' }, value: { $: '/answer/key' } }
  expect(template).toEqual({ keys })
})

test('a member is named after the sent file, even if all files have the same name', () => {
  const lesson = [uploaded('contract-7.pdf', 1), uploaded('contract-7.pdf', 2)]
  expectLearned(lesson, uploads, ({ request, answer }) => ({ keys: { [request.file_name]: answer.key } }))
})

test('a member that is always there stays a plain member', () => {
  const lesson = [1, 2].map((key) => ({ request: { kind: 'file' }, answer: { key } }))
  expect(expectLearned(lesson, [], ({ answer }) => ({ file: answer.key }))).toEqual({ file: { $: '/answer/key' } })
})

test('a list of files explains one file in each answer too', () => {
  const confirmed = (...names: string[]) => ({
    request: { completed_files: names.map((file_name) => ({ file_name })) },
  })
  const template = expectLearned(
    [confirmed('a1.pdf'), confirmed('b2.pdf'), confirmed('c3.pdf')],
    [confirmed('d4.pdf', 'e5.pdf'), confirmed()],
    ({ request }) => ({ states: Object.fromEntries(request.completed_files.map((file) => [file.file_name, 'ok'])) }),
  )
  expect(JSON.stringify(template)).toContain('"$entries":"/request/completed_files"')
})

test('an object with a member for a value that may be missing is empty without it', () => {
  const assigned = (email: string | null, name: string) => ({ answer: { email, name } })
  expectLearned(
    [assigned('ann@example.com', 'Ann'), assigned(null, 'None'), assigned('bob@example.com', 'Bob')],
    [assigned('cid@example.com', 'Cid'), assigned(null, '')],
    ({ answer }) => ({ who: answer.email === null ? {} : { [answer.email]: answer.name } }),
  )
})

test('an object that is empty for another reason than a missing value is learned', () => {
  const running = (id: string, status: string) => ({ answer: { id, status } })
  expectLearned(
    [running('r8857', 'open'), running('r9120', 'done'), running('r9344', 'open'), running('r9471', 'done')],
    [running('r9502', 'done'), running('r9613', 'open')],
    ({ answer }) => ({ open: answer.status === 'open' ? { [answer.id]: 1 } : {} }),
  )
})

const tip = (step_id: string | null, message: string) => ({ step_id, message })
const advised = (...optimization_recommendations: readonly ReturnType<typeof tip>[]) => ({
  answer: { steps: ['s1', 's2', 's3'].map((step_id) => ({ step_id })), optimization_recommendations },
})

test('the last of several items with one name is learned', () => {
  expectLearned(
    [
      advised(tip('s1', 'Add a deputy.'), tip('s1', 'Ask sooner.')),
      advised(tip('s3', 'Split the step.')),
      advised(),
      advised(tip('s2', 'Ask later.'), tip('s1', 'Ask sooner.'), tip('s2', 'Add a deputy.')),
    ],
    [advised(tip('s2', 'Ask.'), tip('s2', 'Split.'), tip('s3', 'Wait.'))],
    ({ answer }) => ({
      tips: Object.fromEntries(answer.optimization_recommendations.map(({ step_id, message }) => [step_id, message])),
    }),
  )
})

/** A refusal of a request, by the pointers to what is wrong in it. */
const refused = (code: string, ...pointers: readonly string[]) => ({
  problem: { code, errors: pointers.map((pointer) => ({ pointer, rule: 'required', message: `${pointer} is bad.` })) },
})

const bracketed = (pointer: string) =>
  pointer
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')

const refusals = [
  refused('invalid', '/name'),
  refused('invalid', '/steps/1/approvers', '/name'),
  refused('invalid', '/steps/0/order'),
  refused('unreadable'),
  refused('invalid', '/description', '/steps/2/name', '/steps/0/type'),
]

test('errors by the place of the first field are learned beside those without a field', () => {
  expectLearned(refusals, [refused('invalid', '/steps/3/approvers/1/email', '/name')], ({ problem }) => {
    const [first] = problem.errors
    return { error: { on: first ? { [bracketed(first.pointer)]: first.message } : { body: 'No JSON.', line: 1 } } }
  })
})

test('a place that facts explain in most answers is shown in all', () => {
  const odd = refused('invalid', '/steps')
  const samples = samplesOf([...refusals.slice(0, 3), odd], ({ problem }) => {
    const { errors } = problem as (typeof odd)['problem']
    const { pointer } = errors[0] ?? { pointer: '' }
    return { on: pointer === '/steps' ? { steps: 'Bad.', hint: 'More.' } : { [bracketed(pointer)]: 'Bad.' } }
  })
  const { template } = learned(samples)
  expect(written(template, { now, ...refused('invalid', '/steps/4/name') })).toEqual({
    on: { 'steps[4].name': 'Bad.' },
  })
})

test('members for some of the steps that nothing explains are left out', () => {
  const steps = (id: number) => ({ answer: { steps: [1, 2, 3].map((step) => ({ step_id: `s${id}${step}` })) } })
  const samples = samplesOf([steps(4), steps(5), steps(6)], ({ answer }) => {
    const [first, second, third] = (answer as ReturnType<typeof steps>['answer']).steps.map(({ step_id }) => step_id)
    const named = first === 's41' ? [first, third] : first === 's51' ? [second] : [third]
    return { tips: Object.fromEntries(named.map((name) => [name, 'Ask sooner.'])) }
  })
  const { template, guesses } = learned(samples)
  expect(template).toEqual({ tips: {} })
  expect(guesses.map(({ pointer, why }) => [pointer, why])).toEqual([
    ['/tips', 'its members are named after some of /answer/steps, and no fact explains which'],
  ])
})

const measured = (...ids: readonly string[]) => ({
  answer: { steps: ids.map((step_id, index) => ({ step_id, order: index + 1, estimated_duration: 7 * index + 3 })) },
})
const workflows = [measured('a-11', 'a-12'), measured('b-21', 'b-22', 'b-23'), measured('c-31')]
const unseen = [measured('d-41', 'd-41.x', 'd'), measured('__proto__', 'd-52')]

test('names of a step and constant text are learned, beside those that stay', () => {
  const template = expectLearned(workflows, unseen, ({ answer }) => ({
    figures: Object.fromEntries([
      ['Steps', answer.steps.length],
      ...answer.steps.flatMap(({ step_id, order, estimated_duration }) => [
        [`${step_id}.Order`, order],
        [`est[${step_id}]`, estimated_duration],
      ]),
    ]),
  }))
  const key = { $: '0/step_id' }
  expect(template).toEqual({
    figures: {
      $concat: [
        { Steps: { $count: '/answer/steps' } },
        {
          $entries: '/answer/steps',
          key: { $text: [key, '.Order'] },
          value: { $: '0/order' },
          also: [{ key: { $text: ['est[', key, ']'] }, value: { $: '0/estimated_duration' } }],
        },
      ],
    },
  })
})

test('a figure that only some steps have is learned with its condition', () => {
  const template = expectLearned(
    [measured('a-11', 'a-12'), measured('b-21', 'b-22', 'b-23'), measured('c-31')].map(({ answer }) => ({
      answer: {
        steps: answer.steps.map((step, index) => ({ ...step, assignee: index === 0 ? 'a@example.com' : null })),
      },
    })),
    [],
    ({ answer }) =>
      Object.fromEntries(
        answer.steps.flatMap(({ step_id, order, assignee }) => [
          [`${step_id}/order`, order],
          ...(assignee === null ? [] : [[`${step_id}/open`, true]]),
        ]),
      ),
  )
  expect(JSON.stringify(template)).toContain('{"$if":"0/assignee","present":true}')
})

test('a member that is named after the first step of an order is learned', () => {
  const shuffled = [measured('a-11', 'a-12'), measured('b-21', 'b-22', 'b-23')].map(({ answer }) => ({
    answer: { steps: answer.steps.toReversed() },
  }))
  expectLearned([...workflows, ...shuffled], [measured('d-41', 'd-42')], ({ answer }) => {
    const [first] = answer.steps.toSorted((a, b) => a.order - b.order)
    return { slow: { [first?.step_id ?? '']: first?.estimated_duration } }
  })
})
