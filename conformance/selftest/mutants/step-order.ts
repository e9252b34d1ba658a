/** Executions that work on their steps in another order than the workflow states: interface.md section 2. */
import { mapMembers, mapNamed } from '../json.ts'
import { type Choice, type Mutant, mutant } from '../mutant.ts'
import {
  bodyOf,
  changeRequest,
  changeResponse,
  compose,
  isCall,
  jsonOf,
  type Members,
  type Wrapper,
  wrap,
} from '../wrapper.ts'
import { executesDocumentsOnce } from './inherited-rules.ts'

interface Workflow extends Members {
  readonly isSequential?: boolean
  readonly steps: readonly { readonly step_id: string; readonly order: number }[]
}

/** Works on each workflow as if another one had been sent, and shows the sent one. */
function worksOnAnother(
  change: (sent: Workflow) => Members,
  show: (answer: Members, sent: Workflow) => unknown,
): Wrapper {
  const sent = new Map<string, Workflow>()
  return wrap(async (request, inner) => {
    const body = isCall(request, 'createWorkflow') ? ((await bodyOf(request)) as Workflow | undefined) : undefined
    const isWhole = Array.isArray(body?.steps)
    const response = await inner(isWhole ? await changeRequest(request, { json: change(body as Workflow) }) : request)
    const answer = response.ok ? await jsonOf(response) : undefined
    const id = String(answer?.workflow_id)
    if (isWhole) sent.set(id, body as Workflow)
    const own = sent.get(id)
    return answer && own ? changeResponse(response, show(answer, own)) : response
  })
}

const byPlace = () =>
  worksOnAnother(
    ({ steps, ...rest }) => ({ ...rest, steps: steps.map((step, index) => ({ ...step, order: index + 1 })) }),
    restoreOrders,
  )

const restoreOrders = (answer: Members, { steps }: Workflow) =>
  mapSteps(answer, (step) => ({ ...step, order: steps.find(({ step_id }) => step_id === step.step_id)?.order }))

/** Changes every object of an answer that describes a step with an order. */
function mapSteps(json: unknown, change: (step: Members) => Members): unknown {
  return mapMembers(json, (name, value) => [
    name,
    Array.isArray(value) ? value.map((item) => (isStep(item) ? change(item) : item)) : value,
  ])
}

const isStep = (item: unknown): item is Members =>
  item !== null && typeof item === 'object' && 'step_id' in item && 'order' in item

const alwaysInOrder = () =>
  worksOnAnother(
    (body) => ({ ...body, isSequential: true }),
    (answer, { isSequential = true }) => mapNamed(answer, 'isSequential', () => isSequential),
  )

/** Works on the steps by other orders, but shows those that were sent. */
const ordersBy = (orderOf: (order: number, count: number) => number) =>
  worksOnAnother(
    ({ steps, ...rest }) => ({
      ...rest,
      steps: steps.map((step) => ({ ...step, order: orderOf(step.order, steps.length) })),
    }),
    restoreOrders,
  )

const togetherUnlessSent = () =>
  worksOnAnother(
    (body) => ({ isSequential: false, ...body }),
    (answer, { isSequential = true }) => mapNamed(answer, 'isSequential', () => isSequential),
  )

/** Returns true if an answer shows the steps of an execution. */
const showsExecution = ({ echo = '', timing = '' }: Choice) => echo !== 'none' && timing !== 'execution-queued'

export const stepOrderMutants: readonly Mutant[] = [
  mutant(
    'steps-by-place',
    'Executions work on the steps in the sequence in which they were sent, and not by their order.',
    ['execution.steps-in-order'],
    byPlace,
    { appliesTo: showsExecution },
  ),
  mutant(
    'steps-by-place-of-documents-once',
    'Executions work on the steps in the sequence in which they were sent, and each document is accepted only once.',
    ['execution.steps-in-order'],
    () => compose(byPlace(), executesDocumentsOnce()),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'steps-last-first',
    'Executions begin with the step of the highest order.',
    ['execution.steps-in-order'],
    () => ordersBy((order, count) => count + 1 - order),
    { appliesTo: showsExecution },
  ),
  mutant(
    'side-by-side-by-default',
    'Executions work on all steps at once if isSequential was omitted, which is shown as true.',
    ['workflow.is-sequential-default-true'],
    togetherUnlessSent,
    { appliesTo: showsExecution },
  ),
  mutant(
    'steps-always-in-order',
    'Executions work on one step after the other, also if isSequential is false.',
    ['execution.steps-side-by-side'],
    alwaysInOrder,
    { appliesTo: showsExecution },
  ),
]
