/** What is learned of lists: items of several kinds, items that are left out, positions and opaque cursors. */
import { expect, test } from 'vitest'
import { expectLearned } from './templates.ts'

/** Returns the contract's answer about a workflow. Each number stands for a step, and is the count of its approvers. */
function known(id: number, approvers: readonly number[], executions: readonly string[] = []) {
  const steps = approvers.map((count, index) => ({
    step_id: `s${id}x${index + 1}`,
    name: `Review ${index + 1} of ${id}`,
    approvers: Array.from({ length: count }, (_, number) => ({ email: `a${number}.${index}.${id}@example.com` })),
    estimate: (id * (index + 3)) % 37,
    done: executions.length,
  }))
  const answer = {
    workflow_id: `wf-${id}`,
    steps,
    in_turn: [1, 2].includes(id % 4) ? steps : [],
    recent_executions: executions.map((status, index) => ({ execution_id: `run-${id}-${index}`, status })),
    rate: executions.includes('approved') ? 1 / executions.length : null,
  }
  return { answer }
}

type Known = ReturnType<typeof known>['answer']
type Step = Known['steps'][number]

const lesson = [
  known(17, [1, 2]),
  known(23, [2, 1, 1], ['running']),
  known(31, [1]),
  known(46, [2, 2, 1, 2, 1], ['approved', 'running', 'running', 'running']),
  known(52, [1, 2, 1, 1]),
  known(53, [2, 1], ['rejected', 'approved']),
  // These tell apart what the steps need.
  known(22, [2, 2]),
  known(27, [2, 2, 3]),
  known(24, [2, 3, 2]),
  known(28, [2]),
]
const unseen = [
  known(58, [1, 1, 2, 1]),
  known(67, [2], ['running', 'approved', 'approved']),
  known(89, [1, 2, 2, 1, 1, 2]),
]

const stepResource = ({ workflow_id }: Known, { name }: Step, index: number) => ({
  type: 'steps',
  id: `${workflow_id}-${index + 1}`,
  attributes: { title: name },
})
const isLone = ({ approvers }: Step) => approvers.length === 1

test.each<[what: string, answer: (one: Known) => unknown, part?: string]>([
  [
    'objects of several kinds, and references',
    (one) => ({
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
    }),
  ],
  [
    'those items that have only one of something',
    ({ steps }) => ({ advice: steps.filter(isLone).map(({ name }) => ({ text: `"${name}" has one approver.` })) }),
  ],
  ['the number of some items', ({ steps }) => ({ shared: steps.filter((step) => !isLone(step)).length })],
  [
    'sentences about different things',
    ({ steps, recent_executions }) => [
      ...steps.map(({ name }) => `Plan "${name}" in time.`),
      ...recent_executions.map(({ execution_id }) => `Look at ${execution_id}.`),
    ],
  ],
  [
    'advice under conditions, with a fallback',
    ({ steps, in_turn }) => {
      const given = [
        ...steps
          .filter(({ done }) => done > 0)
          .map((step) => ({ kind: 'slow', step: step.step_id, text: 'Relieve it.' })),
        ...steps.filter(isLone).map((step) => ({ kind: 'lone', step: step.step_id, text: 'Name a deputy.' })),
        ...(in_turn.length > 1 ? [{ kind: 'parallel', step: null, text: 'Let steps go on at the same time.' }] : []),
      ]
      return { advice: given.length > 0 ? given : [{ kind: 'none', step: null, text: 'Nothing to improve.' }] }
    },
  ],
  [
    'a log whose kinds come in several orders, between two others',
    ({ workflow_id: id, steps }) => ({
      log: [
        { type: 'begun', id },
        ...steps.map((step) => ({ type: isLone(step) ? 'lone' : 'shared', id: step.step_id })),
        { type: 'done', id },
      ],
    }),
  ],
  ['a rate that is 0 before anything has ended', ({ rate }) => ({ rate: rate ?? 0, percent: (rate ?? 0) * 100 })],
  [
    'a part of the contract under another name',
    ({ workflow_id: id, steps: phases }) => ({ id, phases }),
    '"phases":{"$":"/answer/steps"}',
  ],
  [
    'cursors that code the position of an item',
    ({ steps }) => ({
      edges: steps.map(({ step_id }, index) => ({ cursor: btoa(`c${index}`), node: { id: btoa(`Step:${step_id}`) } })),
    }),
    '"as":"base64-text"',
  ],
])('%s: learned', (_, answer, part = '') => {
  expect(JSON.stringify(expectLearned(lesson, unseen, (one) => answer(one.answer)))).toContain(part)
})
