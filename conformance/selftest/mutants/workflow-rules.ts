import type { Body } from '../../../src/contract/operations.ts'
import { mutantsOf, showsSequential, showsSteps } from '../mutant.ts'
import {
  bodyOf,
  changeBody,
  changeByPast,
  changeRequest,
  createdAs,
  onCalls,
  problem,
  refuseWhen,
  type Wrapper,
} from '../wrapper.ts'
import { shows } from './kept.ts'

const changeSequential = (change: (value: boolean | undefined) => unknown) =>
  changeBody('createWorkflow', (body) => ({ ...body, isSequential: change(body.isSequential) }))

/** Shows isSequential as null if it was omitted. */
const showsDefaultAsNull = changeByPast(['createWorkflow', 'getWorkflow'], (body, past) => {
  const sent = createdAs(body, past)
  return sent && sent.isSequential === undefined ? { ...body, isSequential: null } : body
})

/** Accepts only steps whose lowest order is `first`. */
function wantsFirstOrder(first: number): Wrapper {
  return onCalls(['createWorkflow'], async (request, inner) => {
    const body = (await bodyOf(request)) as Body<'createWorkflow'> | undefined
    if (!body?.steps?.every(({ order }) => Number.isInteger(order))) return inner(request)
    if (Math.min(...body.steps.map(({ order }) => order)) !== first) return problem(400)
    const steps = body.steps.map((step) => ({ ...step, order: step.order - first + 1 }))
    return inner(await changeRequest(request, { json: { ...body, steps } }))
  })
}

const sequential = { mayKill: ['execution.steps-side-by-side'], appliesTo: showsSequential } as const

export const workflowRuleMutants = mutantsOf([
  [
    'default-false',
    'isSequential is false by default.',
    'workflow.is-sequential-default-true',
    changeSequential((value) => value ?? false),
    sequential,
  ],
  [
    'explicit-false-ignored',
    'isSequential is always true.',
    'workflow.is-sequential',
    changeSequential(() => true),
    sequential,
  ],
  [
    'explicit-true-ignored',
    'isSequential true is stored as false.',
    'workflow.is-sequential',
    changeSequential((value) => (value === undefined ? value : false)),
    sequential,
  ],
  [
    'sequential-inverted',
    'isSequential is stored inverted.',
    ['workflow.is-sequential', 'workflow.is-sequential-default-true'],
    changeSequential((value) => value === false),
    sequential,
  ],
  [
    'default-null',
    'isSequential is shown as null if it was omitted.',
    'workflow.is-sequential-default-true',
    showsDefaultAsNull,
    sequential,
  ],
  [
    'sequential-required',
    'A workflow without isSequential is refused.',
    'workflow.is-sequential-default-true',
    refuseWhen(['createWorkflow'], (_, { isSequential }) => isSequential === undefined),
  ],
  [
    'false-refused',
    'isSequential false is refused.',
    'workflow.is-sequential',
    refuseWhen(['createWorkflow'], (_, { isSequential }) => isSequential === false),
  ],
  [
    'orders-from-0',
    'Orders must start at 0.',
    'step.order-starts-at-1',
    wantsFirstOrder(0),
    { mayKill: ['step.order'] },
  ],
  [
    'orders-from-2',
    'Orders must start at 2.',
    'step.order-starts-at-1',
    wantsFirstOrder(2),
    { mayKill: ['step.order'] },
  ],
  [
    'orders-shown-from-0',
    'Orders are shown from 0.',
    'step.order-starts-at-1',
    shows('order', (order) => Number(order) - 1),
    { mayKill: ['step.order'], appliesTo: showsSteps },
  ],
  [
    'orders-in-tens',
    'Orders are shown multiplied by 10.',
    'step.order',
    shows('order', (order) => Number(order) * 10),
    { mayKill: ['step.order-starts-at-1'], appliesTo: showsSteps },
  ],
])
