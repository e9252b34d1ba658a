/** What is learned of lists: items of several kinds, pages, items that are left out, positions and opaque cursors. */
import { expect, test } from 'vitest'
import type { AnswerSample } from '../../../conformance/learning/sample.ts'
import type { Facts, Json } from '../../../src/profile/template.ts'
import { learned, written } from './templates.ts'

const now = '2026-03-01T09:00:00.000Z'

interface Known {
  readonly workflow_id: string
  readonly steps: readonly {
    readonly step_id: string
    readonly name: string
    readonly approvers: readonly object[]
    readonly estimate: number
    readonly done: number
  }[]
  readonly in_turn: readonly object[]
  readonly recent_executions: readonly { readonly execution_id: string; readonly status: string }[]
  readonly rate: number | null
}

/** Returns the contract's answer about a workflow. Each number stands for a step, and is the count of its approvers. */
function known(id: number, approvers: readonly number[], executions: readonly string[] = []): Known {
  const steps = approvers.map((count, index) => ({
    step_id: `s${id}x${index + 1}`,
    name: `Review ${index + 1} of ${id}`,
    approvers: Array.from({ length: count }, (_, number) => ({ email: `a${number}.${index}.${id}@example.com` })),
    estimate: (id * (index + 3)) % 37,
    done: executions.length,
  }))
  return {
    workflow_id: `wf-${id}`,
    steps,
    in_turn: [1, 2].includes(id % 4) ? steps : [],
    recent_executions: executions.map((status, index) => ({ execution_id: `run-${id}-${index}`, status })),
    rate: executions.includes('approved') ? 1 / executions.length : null,
  }
}

const lesson = [
  known(17, [1, 2]),
  known(23, [2, 1, 1], ['running']),
  known(31, [1]),
  known(46, [2, 2, 1, 2, 1], ['approved', 'running', 'running', 'running']),
  known(52, [1, 2, 1, 1]),
  known(53, [2, 1], ['rejected', 'approved']),
]
const unseen = [
  known(58, [1, 1, 2, 1]),
  known(67, [2], ['running', 'approved', 'approved']),
  known(89, [1, 2, 2, 1, 1, 2]),
]

const facts = (answer: Known): Facts => ({ now, answer })

/** Learns what a deployment answers, and expects the same of what it would answer to other calls. */
function expectLearned(answer: (known: Known) => unknown, more: readonly Known[] = []): Json {
  const samples = [...lesson, ...more].map((one, index): AnswerSample => {
    return { facts: facts(one), value: answer(one), items: [], thing: String(index), at: Date.parse(now) }
  })
  const { template, guesses } = learned(samples)
  expect(guesses).toEqual([])
  for (const one of [...lesson, ...unseen]) expect(written(template, facts(one))).toEqual(answer(one))
  return template
}

const stepResource = ({ workflow_id }: Known, { name }: Known['steps'][number], index: number) => ({
  type: 'steps',
  id: `${workflow_id}-${index + 1}`,
  attributes: { title: name },
})

test('objects of several kinds in one list are learned, and references to them', () => {
  expectLearned((one) => ({
    data: {
      id: one.workflow_id,
      steps: one.steps.map((step, index) => ({ type: 'steps', id: stepResource(one, step, index).id })),
    },
    included: [
      ...one.steps.map((step, index) => stepResource(one, step, index)),
      ...one.recent_executions.map(({ execution_id, status }) => ({
        type: 'runs',
        id: execution_id,
        attributes: { state: status, open: true },
      })),
    ],
  }))
})

test('the first page of a list is learned, and when there is another one', () => {
  expectLearned(({ steps }) => ({
    steps: steps.slice(0, 3).map(({ step_id }) => ({ step_id })),
    ...(steps.length > 3 && { next: 'page=2' }),
  }))
})

test('a list of those items that have only one of something is learned', () => {
  const advice = ({ name }: Known['steps'][number]) => ({ text: `"${name}" has one approver; add a deputy.` })
  expectLearned(({ steps }) => ({ advice: steps.filter(({ approvers }) => approvers.length === 1).map(advice) }))
  expectLearned(({ steps }) => ({ shared: steps.filter(({ approvers }) => approvers.length > 1).length }))
})

test('a list that is written as a text is learned, also within a longer text', () => {
  const addresses = ({ approvers }: Known['steps'][number]) => approvers.map((one) => Object.values(one)[0])
  expectLearned(({ steps }) => ({ path: steps.map(({ step_id }) => step_id).join(' → ') }))
  expectLearned(({ steps }) => steps.map((step) => [step.name, addresses(step).join(';')]))
  expectLearned(({ steps }) => steps.map((step) => `${step.name} [${step.step_id}]; ${addresses(step).join(', ')}`))
})

test('what is the same as a part of the contract is taken as a whole', () => {
  const template = expectLearned(({ workflow_id, steps }) => ({ id: workflow_id, phases: steps }))
  expect(template).toMatchObject({ phases: { $: '/answer/steps' } })
})

test('a value that few answers show late follows the fact that the others show', () => {
  const samples = lesson.map((one, index): AnswerSample => {
    const value = { latest: index === 3 ? 'none' : one.workflow_id }
    return { facts: facts(one), value, items: [], thing: String(index), at: Date.parse(now) + index }
  })
  const { template, guesses } = learned(samples)
  expect(template).toEqual({ latest: { $: '/answer/workflow_id' } })
  expect(guesses).toMatchObject([{ pointer: '/latest', why: 'it mostly shows /answer/workflow_id' }])
})

test('sentences about different things in one list are learned sentence by sentence', () => {
  expectLearned(({ steps, recent_executions }) => [
    ...steps.map(({ name }) => `Plan "${name}" in time.`),
    ...recent_executions.map(({ execution_id }) => `Look at ${execution_id}.`),
  ])
})

test('conditions of recommendations are learned, and the fallback without one', () => {
  const advice = ({ steps, in_turn }: Known) => {
    const [slowest] = steps.filter(({ done }) => done > 0).toSorted((a, b) => b.estimate - a.estimate)
    const [lone] = steps.filter(({ approvers }) => approvers.length === 1)
    const given = [
      ...(slowest ? [{ kind: 'slow', step: slowest.step_id, text: 'Relieve this step.' }] : []),
      ...(lone ? [{ kind: 'lone', step: lone.step_id, text: 'Name a deputy.' }] : []),
      ...(in_turn.length > 1 ? [{ kind: 'parallel', step: null, text: 'Let steps go on at the same time.' }] : []),
    ]
    return { advice: given.length > 0 ? given : [{ kind: 'none', step: null, text: 'Nothing to improve.' }] }
  }
  expectLearned(advice, [known(22, [2, 2]), known(27, [2, 2, 3]), known(24, [2, 3, 2]), known(28, [2])])
})

test('cursors that code the position of an item are learned', () => {
  const template = expectLearned(({ steps }) => ({
    edges: steps.map(({ step_id }, index) => ({ cursor: btoa(`c${index}`), node: { id: btoa(`Step:${step_id}`) } })),
  }))
  expect(JSON.stringify(template)).toContain('"as":"base64-text"')
})

test('a rate that is 0 before anything has ended is 0 then', () => {
  expectLearned(({ rate }) => ({ rate: rate ?? 0, percent: (rate ?? 0) * 100 }))
})
