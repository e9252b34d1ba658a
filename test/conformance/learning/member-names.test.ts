/** What is learned of objects whose members are named by facts: a value that was sent, or some items of a list. */
import { expect, test } from 'vitest'
import { bracketed, expectLearned, learned, now, sampleOf, written } from './templates.ts'

const uploaded = (file_name: string, id = 1) => ({ request: { file_name }, answer: { key: `tenants/t/${id}` } })

test.each([
  [['contract-7.pdf', 'contract-7.pdf'], ['offer.pdf']],
  [
    ['contract.pdf', 'offer 2.pdf', 'plan.docx'],
    ['a/b~c', '__proto__'],
  ],
])('an object with a member for the file that was sent is learned: case %#', (seen, unseen) => {
  const template = expectLearned(seen.map(uploaded), unseen.map(uploaded), ({ request, answer }) => ({
    keys: Object.fromEntries([[request.file_name, answer.key]]),
  }))
  expect(template).toEqual({
    keys: { $entries: '/request/file_name', key: { $: '0' }, value: { $: '/answer/key' } },
  })
})

test('a list of files explains one file in each answer too', () => {
  const confirmed = (...names: string[]) => ({
    request: { completed_files: names.map((file_name) => ({ file_name })) },
  })
  const template = expectLearned(
    ['a1.pdf', 'b2.pdf', 'c3.pdf'].map((name) => confirmed(name)),
    [confirmed('d4.pdf', 'e5.pdf'), confirmed()],
    ({ request }) => ({ states: Object.fromEntries(request.completed_files.map((file) => [file.file_name, 'ok'])) }),
  )
  expect(JSON.stringify(template)).toContain('"$entries":"/request/completed_files"')
})

test('an object with a member for a value that may be missing is empty without it', () => {
  const assigned = ([email = null, name]: (string | null)[]) => ({ answer: { email, name } })
  expectLearned(
    [
      ['ann@example.com', 'Ann'],
      [null, 'None'],
      ['bob@example.com', 'Bob'],
    ].map(assigned),
    [
      ['cid@example.com', 'Cid'],
      [null, ''],
    ].map(assigned),
    ({ answer: { email, name } }) => ({ who: email ? { [email]: name } : {} }),
  )
})

test('an object that is empty for another reason than a missing value is learned', () => {
  const running = (text: string) => ({ answer: { id: text.slice(0, 5), status: text.slice(6) } })
  expectLearned(
    ['r8857 open', 'r9120 done', 'r9344 open', 'r9471 done'].map(running),
    ['r9502 done', 'r9613 open'].map(running),
    ({ answer: { id, status } }) => ({ open: status === 'open' ? { [id]: 1 } : {} }),
  )
})

test('the last of several items with one name is learned', () => {
  const advised = (...tips: readonly string[]) => {
    const optimization_recommendations = tips.map((tip) => ({ step_id: tip.slice(0, 2), message: tip.slice(3) }))
    return { answer: { steps: ['s1', 's2', 's3'].map((step_id) => ({ step_id })), optimization_recommendations } }
  }
  expectLearned(
    [
      ...[advised('s1 Add a deputy.', 's1 Ask sooner.'), advised('s3 Split the step.'), advised()],
      advised('s2 Ask later.', 's1 Ask sooner.', 's2 Add a deputy.'),
    ],
    [advised('s2 Ask.', 's2 Split.', 's3 Wait.')],
    ({ answer }) => ({
      tips: Object.fromEntries(answer.optimization_recommendations.map(({ step_id, message }) => [step_id, message])),
    }),
  )
})

/** A refusal of a request, by the pointers to what is wrong in it. */
const refused = (...pointers: readonly string[]) => ({
  problem: { errors: pointers.map((pointer) => ({ pointer, rule: 'required', message: `${pointer} is bad.` })) },
})
const refusals = [refused('/name'), refused('/steps/1/approvers', '/name'), refused('/steps/0/order')]

test('errors by the place of the first field are learned beside those without a field', () => {
  expectLearned(
    [...refusals, refused(), refused('/description', '/steps/2/name', '/steps/0/type')],
    [refused('/steps/3/approvers/1/email', '/name')],
    ({ problem }) => {
      const [first] = problem.errors
      return { error: { on: first ? { [bracketed(first.pointer)]: first.message } : { body: 'No JSON.', line: 1 } } }
    },
  )
})

test('a place that facts explain in most answers is shown in all', () => {
  const samples = [...refusals, refused('/steps')].map((facts) => {
    const place = bracketed(facts.problem.errors[0]?.pointer ?? '')
    return sampleOf(facts, { on: { [place]: 'Bad.', ...(place === 'steps' && { hint: 'More.' }) } })
  })
  expect(written(learned(samples).template, { now, ...refused('/steps/4/name') })).toEqual({
    on: { 'steps[4].name': 'Bad.' },
  })
})

test('members for some of the steps that nothing explains are left out', () => {
  const named = ['s41 s43', 's52', 's63'].map((names, index) => {
    const steps = [1, 2, 3].map((step) => ({ step_id: `s${index + 4}${step}` }))
    const tips = Object.fromEntries(names.split(' ').map((name) => [name, 'Ask sooner.']))
    return sampleOf({ answer: { steps } }, { tips }, { thing: names })
  })
  const { template, guesses } = learned(named)
  expect(template).toEqual({ tips: {} })
  expect(guesses).toContainEqual(expect.objectContaining({ pointer: '/tips/s41' }))
})

const measured = (...ids: readonly string[]) => ({
  answer: {
    steps: ids.map((step_id, index) => ({
      ...{ step_id, order: index + 1, estimated_duration: 7 * index + 3 },
      assignee: index === 0 ? 'a@example.com' : null,
    })),
  },
})
const workflows = [measured('a-11', 'a-12'), measured('b-21', 'b-22', 'b-23'), measured('c-31')]

test('names of a step and constant text are learned, beside those that stay', () => {
  const unseen = [measured('d-41', 'd-41.x', 'd'), measured('__proto__', 'd-52')]
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
  const also = [{ key: { $text: ['est[', key, ']'] }, value: { $: '0/estimated_duration' } }]
  const entries = { $entries: '/answer/steps', key: { $text: [key, '.Order'] }, value: { $: '0/order' }, also }
  expect(template).toEqual({ figures: { $concat: [{ Steps: { $count: '/answer/steps' } }, entries] } })
})

test('a figure that only some steps have is learned with its condition', () => {
  const template = expectLearned(workflows, [], ({ answer }) =>
    Object.fromEntries(
      answer.steps.flatMap(({ step_id, order, assignee }) => [
        [`${step_id}/order`, order],
        ...(assignee === null ? [] : [[`${step_id}/open`, true]]),
      ]),
    ),
  )
  expect(JSON.stringify(template)).toContain('{"$if":"0/assignee","present":true}')
})
