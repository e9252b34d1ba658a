import { type Mutant, mutant } from '../mutant.ts'
import {
  bodyOf,
  changeAnswers,
  changeRequest,
  compose,
  onCalls,
  problem,
  refuseWhen,
  type Wrapper,
} from '../wrapper.ts'
import { keeps, shows, showsSequential, showsSteps, type WorkflowMembers } from './kept.ts'

const changeSequential = (change: (value: boolean | undefined) => unknown) =>
  keeps((body) => ({ ...body, isSequential: change(body.isSequential) }))

/** Accepts only steps whose lowest order is `first`. */
function wantsFirstOrder(first: number): Wrapper {
  return onCalls(['createWorkflow'], async (request, inner) => {
    const body = (await bodyOf(request)) as WorkflowMembers | undefined
    if (!body?.steps?.every(({ order }) => Number.isInteger(order))) return inner(request)
    if (Math.min(...body.steps.map(({ order }) => order)) !== first) return problem(400)
    const steps = body.steps.map((step) => ({ ...step, order: step.order - first + 1 }))
    return inner(await changeRequest(request, { json: { ...body, steps } }))
  })
}

const showsOrders = (change: (order: number) => number) => shows('order', (order) => change(Number(order)))

export const workflowRuleMutants: readonly Mutant[] = [
  ...(
    [
      [
        'default-false',
        'isSequential is false by default.',
        ['workflow.is-sequential-default-true'],
        () => changeSequential((value) => value ?? false),
      ],
      [
        'explicit-false-ignored',
        'isSequential is always true.',
        ['workflow.is-sequential'],
        () => changeSequential(() => true),
      ],
      [
        'explicit-true-ignored',
        'isSequential true is stored as false.',
        ['workflow.is-sequential'],
        () => changeSequential((value) => (value === undefined ? undefined : false)),
      ],
      [
        'sequential-inverted',
        'isSequential is stored inverted.',
        ['workflow.is-sequential', 'workflow.is-sequential-default-true'],
        () => changeSequential((value) => value === false),
      ],
      [
        'default-null',
        'isSequential is shown as null if it was omitted.',
        ['workflow.is-sequential-default-true'],
        showDefaultAsNull,
      ],
    ] as const
  ).map(([id, breaks, kills, create]) =>
    mutant(id, breaks, kills, create, { mayKill: ['execution.steps-side-by-side'], appliesTo: showsSequential }),
  ),
  mutant(
    'sequential-required',
    'A workflow without isSequential is refused.',
    ['workflow.is-sequential-default-true'],
    () => refuseWhen(['createWorkflow'], (_, { isSequential }) => isSequential === undefined),
  ),
  mutant('false-refused', 'isSequential false is refused.', ['workflow.is-sequential'], () =>
    refuseWhen(['createWorkflow'], (_, { isSequential }) => isSequential === false),
  ),
  mutant('orders-from-0', 'Orders must start at 0.', ['step.order-starts-at-1'], () => wantsFirstOrder(0), {
    mayKill: ['step.order'],
  }),
  mutant('orders-from-2', 'Orders must start at 2.', ['step.order-starts-at-1'], () => wantsFirstOrder(2), {
    mayKill: ['step.order'],
  }),
  mutant(
    'orders-shown-from-0',
    'Orders are shown from 0.',
    ['step.order-starts-at-1'],
    () => showsOrders((order) => order - 1),
    { mayKill: ['step.order'], appliesTo: showsSteps },
  ),
  mutant(
    'orders-in-tens',
    'Orders are shown multiplied by 10.',
    ['step.order'],
    () => showsOrders((order) => order * 10),
    { mayKill: ['step.order-starts-at-1'], appliesTo: showsSteps },
  ),
]

function showDefaultAsNull(): Wrapper {
  const left = new Set<unknown>()
  return compose(
    onCalls(['createWorkflow'], async (request, inner) => {
      const isLeft = (await bodyOf(request))?.isSequential === undefined
      const response = await inner(request)
      if (isLeft && response.ok) left.add((await response.clone().json()).workflow_id)
      return response
    }),
    changeAnswers(['createWorkflow', 'getWorkflow'], (body) =>
      left.has(body.workflow_id) ? { ...body, isSequential: null } : body,
    ),
  )
}
