/** Executions that work on their steps in another order than the workflow states: interface.md section 2. */
import { decides } from '../decisions.ts'
import { mapMembers, mapNamed } from '../json.ts'
import { type Choice, type Mutant, mutant } from '../mutant.ts'
import { countsFrom, type StepTimes, showsTimes, stepsInTurn } from '../step-times.ts'
import {
  bodyOf,
  changeAnswer,
  changeAnswers,
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

/** The number of reads of an execution after which its first step is shown as approved. */
const readsOfStep = 3

function alwaysInOrder(): Wrapper {
  const reads = new Map<Workflow, number>()
  return worksOnAnother(
    (body) => ({ ...body, isSequential: true }),
    (answer, sent) => {
      const { isSequential = true } = sent
      const shown = mapNamed(answer, 'isSequential', () => isSequential) as Members
      const isUnderWay = !isSequential && JSON.stringify(shown).includes('"waiting"')
      reads.set(sent, (reads.get(sent) ?? 0) + (isUnderWay ? 1 : 0))
      if ((reads.get(sent) ?? 0) <= readsOfStep) return shown
      const second = sent.steps.map(({ order }) => order).sort((a, b) => a - b)[1]
      return mapSteps(shown, ({ status, ...step }) => ({
        ...step,
        ...(status === 'assigned' && { status: 'approved' }),
        ...(status === 'waiting' && { status: step.order === second ? 'assigned' : status }),
      }))
    },
  )
}

/** Works on the steps by other orders, but shows those that were sent. */
const ordersBy = (orderOf: (order: number, count: number) => number) =>
  worksOnAnother(
    ({ steps, ...rest }) => ({
      ...rest,
      steps: steps.map((step) => ({ ...step, order: orderOf(step.order, steps.length) })),
    }),
    restoreOrders,
  )

/** Sorts the orders as texts: 10 comes before 2. */
const sortedAsTexts = () =>
  ordersBy((order, count) => {
    const orders = Array.from({ length: count }, (_, index) => String(index + 1)).toSorted()
    return orders.indexOf(String(order)) + 1
  })

/** Works on all steps at once, each shown as pending until it is decided, and the last decided first. */
const decidedBackwards = () =>
  compose(
    worksAlways(false),
    decides('last first'),
    changeAnswers(['executeWorkflow', 'getWorkflow'], (body) =>
      mapNamed(body, 'status', (status) => (status === 'assigned' ? 'pending' : status)),
    ),
  )

/** Begins with the step of the highest order. */
const lastFirst = () => ordersBy((order, count) => count + 1 - order)

/** Of the steps of executions, shows only a list of those that have begun. */
const onlyTrails = changeAnswers(['executeWorkflow', 'getWorkflow'], (body) => {
  const trailOf = ({ steps, ...execution }: Members) => ({
    ...execution,
    trail: (steps as Members[]).flatMap(({ step_id, assigned_at: at }) => (at ? [{ step_id, at }] : [])),
  })
  const { recent_executions: latest } = body
  return Array.isArray(latest) ? { ...body, recent_executions: latest.map(trailOf) } : trailOf(body)
})

/** Of the steps of executions, shows only the counts in the performance of each. */
const onlyCounts = changeAnswers(['executeWorkflow', 'getWorkflow'], (body) => {
  const { recent_executions: latest, steps, ...others } = body
  if (!Array.isArray(latest)) return others.execution_id === undefined ? body : others
  return { ...others, steps, executions: latest.map(({ steps: _, ...execution }: Members) => execution) }
})

/** Begins with the first two steps of sequential workflows. */
const firstTwoAtOnce = () => ordersBy((order) => Math.max(order, 2))

/** Begins with the first step, and then works on the last two at once. */
const lastTwoAtOnce = () =>
  compose(
    ordersBy((order, count) => Math.min(order, count - 1)),
    decides('only one'),
  )

/** Begins with the first two steps, and then works on the third, if `isSequential` is false. */
const inPairs = () =>
  worksOnAnother(
    ({ steps, isSequential = true, ...rest }) => ({
      ...rest,
      isSequential: true,
      steps: steps.map((step) => ({ ...step, order: isSequential ? step.order : Math.ceil(step.order / 2) })),
    }),
    (answer, sent) => restoreOrders(mapNamed(answer, 'isSequential', () => sent.isSequential ?? true) as Members, sent),
  )

/** Works on all workflows as if this had been sent as `isSequential`. */
const worksAlways = (isSequential: boolean) =>
  worksOnAnother(
    (body) => ({ ...body, isSequential }),
    (answer, { isSequential: sent = true }) => mapNamed(answer, 'isSequential', () => sent),
  )

const togetherUnlessSent = () =>
  worksOnAnother(
    (body) => ({ isSequential: false, ...body }),
    (answer, { isSequential = true }) => mapNamed(answer, 'isSequential', () => isSequential),
  )

/** Shows the last step of an approved execution as waiting. */
const skipsLast = () =>
  compose(
    decides('all at once'),
    changeAnswer('getWorkflow', (body) => {
      const { isSequential, recent_executions } = body as Members
      if (isSequential === false || !Array.isArray(recent_executions)) return body
      return { ...body, recent_executions: recent_executions.map((one) => withoutLast(one)) }
    }),
  )

/** Shows the last step of each ended execution as skipped, also if the steps need no order. */
const leavesOutLast = () =>
  compose(
    decides('all at once'),
    changeAnswer('getWorkflow', ({ recent_executions: recent, ...body }: Members) => ({
      ...body,
      recent_executions: Array.isArray(recent) ? recent.map((one) => withoutLast(one, 'skipped')) : recent,
    })),
  )

/** Times that begin with the last of at most ten steps. */
const backwards: StepTimes = (place, isSequential) =>
  isSequential ? stepsInTurn(9 - place, true) : stepsInTurn(place, false)

/** Times at which a step begins when half of the one before it is over. */
const early: StepTimes = (place, isSequential) => {
  const [start, end] = stepsInTurn(place, isSequential)
  return [start - (isSequential ? 20 * place : 0), end - (isSequential ? 20 * place : 0)]
}

/** Times at which the last of three steps begins with the second. */
const lastWithSecond: StepTimes = (place, isSequential) => {
  const [start, end] = stepsInTurn(place, isSequential)
  return [isSequential && place === 2 ? stepsInTurn(1, true)[0] : start, end]
}

/** Times at which the last of three steps begins with the execution. */
const lastAtOnce: StepTimes = (place, isSequential) => stepsInTurn(place, isSequential && place < 2)

const oneByOne: StepTimes = (place) => stepsInTurn(place, true)
const alwaysEarly: StepTimes = (place) => early(place, true)

/** Calls the times of steps the start and the end. */
const namesTimes = changeAnswers(['executeWorkflow', 'getWorkflow'], (body) =>
  mapMembers(body, (name, value) => [{ assigned_at: 'started_at', decided_at: 'ended_at' }[name] ?? name, value]),
)

/** Shows when steps ended, but not when they started. */
const hidesStarts = changeAnswers(['executeWorkflow', 'getWorkflow'], (body) =>
  mapMembers(body, (name, value) => [name, name === 'assigned_at' ? undefined : value]),
)

/** Calls the times of steps the start and the decision. */
const namesStarts = changeAnswers(['executeWorkflow', 'getWorkflow'], (body) =>
  mapMembers(body, (name, value) => [name === 'assigned_at' ? 'started_at' : name, value]),
)

/** Why no check tells that a step began early. */
const assignedAhead = 'A step may be assigned ahead of its turn, and only a name says that it has begun.'

const waits = { status: 'waiting', assignee: null, assigned_at: null, decided_at: null, routing: null }

function withoutLast({ status, steps, ...execution }: Members, as = 'waiting'): Members {
  const list = steps as readonly Workflow['steps'][number][]
  const last = Math.max(...list.map(({ order }) => order))
  const shown = list.map((step) => (step.order === last ? { ...step, ...waits, status: as } : step))
  return { ...execution, status, steps: status === 'approved' ? shown : steps }
}

/** Returns true if an answer shows the steps of an execution. */
const showsExecution = ({ echo = '', timing = '' }: Choice) => echo !== 'none' && timing !== 'execution-queued'

/** Returns true if answers show the steps of executions that have ended, with the mutant's own times. */
const showsTimesOf = (choice: Choice) =>
  showsExecution(choice) && choice.decisions === undefined && choice['step-times'] === undefined

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
    lastFirst,
    { appliesTo: showsExecution },
  ),
  ...Object.entries({ trails: onlyTrails, counts: onlyCounts }).map(([shown, shows]) =>
    mutant(
      `${shown}-last-first`,
      `Executions begin with the step of the highest order, and only ${shown} of the begun steps show it.`,
      ['execution.steps-in-order'],
      () => compose(decides('one by one'), lastFirst(), shows),
      { appliesTo: (choice) => Object.keys(choice).length === 0 },
    ),
  ),
  mutant(
    'steps-two-at-a-time',
    'Executions begin with the first two steps at once, also if isSequential is true.',
    ['execution.steps-in-order'],
    () =>
      compose(
        decides('one by one'),
        ordersBy((order) => Math.ceil(order / 2)),
      ),
    { appliesTo: showsExecution },
  ),
  mutant(
    'orders-sorted-as-texts',
    'Executions sort the orders of steps as texts, so that the tenth step comes before the second.',
    ['execution.steps-in-order'],
    () => compose(decides('one by one'), sortedAsTexts()),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'decided-backwards',
    'All steps are pending at once and decided from the last to the first, also if isSequential is true.',
    ['execution.steps-in-order'],
    decidedBackwards,
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'last-step-skipped',
    'Executions are approved although their last step still waits.',
    ['execution.steps-in-order'],
    skipsLast,
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
  mutant(
    'parallel-steps-in-pairs',
    'Executions begin with two steps only, also if isSequential is false and there are three.',
    ['execution.steps-side-by-side'],
    inPairs,
    { appliesTo: showsExecution },
  ),
  mutant(
    'steps-in-order-for-ever',
    'Executions choose an approver only for the first step, also if isSequential is false, and no step is ever decided.',
    ['execution.steps-side-by-side'],
    () => worksAlways(true),
    { appliesTo: showsExecution },
  ),
  mutant(
    'last-step-left-out',
    'Executions of all workflows are approved, and their last step is shown as skipped.',
    ['execution.steps-in-order'],
    leavesOutLast,
    { appliesTo: showsTimesOf },
  ),
  ...(
    [
      ['step-times-backwards', 'The times of steps show that the last one ended before the others began.', backwards],
      ['step-times-overlap', 'The times of steps show that each began before the end of the one before it.', early],
    ] as const
  ).map(([id, breaks, times]) =>
    mutant(id, breaks, ['execution.steps-in-order'], () => showsTimes(times), { appliesTo: showsTimesOf }),
  ),
  mutant(
    'step-ends-backwards',
    'The times of decisions show that the last step ended before the others, and no step shows its start.',
    ['execution.steps-in-order'],
    () => compose(showsTimes(backwards), hidesStarts),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'step-seconds-overlap',
    'The last step begins with the execution, as seconds since its start show.',
    ['execution.steps-in-order'],
    () => compose(showsTimes(lastAtOnce), countsFrom('execution')),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'last-step-begins-with-second',
    'The starts and ends of steps show that the last one began with the second.',
    [],
    () => compose(showsTimes(lastWithSecond), namesTimes),
    { inherited: assignedAhead, appliesTo: showsTimesOf },
  ),
  mutant(
    'last-step-begins-with-second-until-decided',
    'The starts of steps show that the last one began with the second, beside the times of their decisions.',
    [],
    () => compose(showsTimes(lastWithSecond), namesStarts),
    { inherited: assignedAhead, appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'step-starts-overlap',
    'The starts and ends of steps show that each began before the end of the one before it, in all workflows.',
    [],
    () => compose(showsTimes(alwaysEarly), namesTimes),
    {
      inherited: 'Parallel steps show the same times, so only names say which is the start and which the end.',
      appliesTo: showsTimesOf,
    },
  ),
  mutant(
    'last-step-waits-in-second-execution',
    'The second execution of a workflow is approved although its last step still waits.',
    ['execution.steps-in-order'],
    () =>
      compose(
        decides('all at once'),
        changeAnswer('getWorkflow', ({ recent_executions: recent, ...body }: Members) => ({
          ...body,
          recent_executions:
            Array.isArray(recent) && recent.length > 1 ? [withoutLast(recent[0]), ...recent.slice(1)] : recent,
        })),
      ),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'second-step-begins-with-first',
    'Sequential executions begin with their first two steps, and no step is decided.',
    ['execution.steps-in-order'],
    () => firstTwoAtOnce(),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'last-two-steps-at-once',
    'The last two steps are at work at once after the others have ended, also if isSequential is true.',
    ['execution.steps-in-order'],
    lastTwoAtOnce,
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'steps-in-order-to-the-end',
    'Executions work on one step after the other until all are decided, also if isSequential is false.',
    ['execution.steps-side-by-side'],
    () => compose(worksAlways(true), decides('one by one')),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'step-times-one-by-one',
    'The times of steps show that each began at the end of the one before it, also if isSequential is false.',
    ['execution.steps-side-by-side'],
    () => compose(worksAlways(true), showsTimes(oneByOne)),
    { appliesTo: showsTimesOf },
  ),
]
