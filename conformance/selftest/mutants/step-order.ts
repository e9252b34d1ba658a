/** Executions that work on their steps in another order than the workflow states: interface.md section 2. */
import type { Schemas } from '../../../src/contract/operations.ts'
import { decides } from '../decisions.ts'
import { changeAt, changeNamed, changeValues, mapMembers } from '../json.ts'
import { type Choice, isPlain, type MutantRow, mutantsOf, showsExecution } from '../mutant.ts'
import { countsFrom, type StepTimes, showsTimes, stepsInTurn } from '../step-times.ts'
import {
  bodyOf,
  changeDetails,
  changeExecutions,
  changeRequest,
  changeResponse,
  compose,
  isCall,
  jsonOf,
  type Members,
  type Wrapper,
  withState,
  wrap,
} from '../wrapper.ts'
import { executesDocumentsOnce } from './inherited-rules.ts'

interface Workflow extends Members {
  readonly isSequential?: boolean
  readonly steps: readonly { readonly step_id: string; readonly order: number }[]
}

/** Works on each workflow as if another one had been sent, and shows the sent order and mode, or what `show` makes of them. */
const worksOnAnother = (
  change: (sent: Workflow) => Members,
  show: (answer: Members, sent: Workflow) => unknown = (answer) => answer,
): Wrapper =>
  withState(() => {
    const sent = new Map<unknown, Workflow>()
    return wrap(async (request, inner) => {
      const body = isCall(request, 'createWorkflow') ? ((await bodyOf(request)) as Workflow | undefined) : undefined
      const whole = Array.isArray(body?.steps) ? body : undefined
      const response = await inner(whole ? await changeRequest(request, { json: change(whole) }) : request)
      const answer = response.ok ? await jsonOf(response) : undefined
      if (whole && answer) sent.set(answer.workflow_id, whole)
      const own = sent.get(answer?.workflow_id)
      return answer && own ? changeResponse(response, show(restored(answer, own), own)) : response
    })
  })

/** Shows the order and the mode of a workflow as they were sent. */
const restored = (answer: Members, { steps, isSequential = true }: Workflow) =>
  changeNamed(
    'isSequential',
    () => isSequential,
  )(changeSteps(answer, (step) => ({ ...step, order: steps.find(({ step_id }) => step_id === step.step_id)?.order })))

/** Changes every object of an answer that describes a step with an order. */
const changeSteps = (answer: Members, change: (step: Members) => Members) =>
  changeValues((_, value) => (isStep(value) ? change(value) : value))(answer)

const isStep = (item: unknown): item is Members =>
  item !== null && typeof item === 'object' && 'step_id' in item && 'order' in item

/** The number of reads of an execution after which its first step is shown as approved. */
const readsOfStep = 3

const alwaysInOrder = withState(() => {
  const reads = new Map<Workflow, number>()
  return worksOnAnother(
    (body) => ({ ...body, isSequential: true }),
    (shown, sent) => {
      const isUnderWay = sent.isSequential === false && JSON.stringify(shown).includes('"waiting"')
      const read = (reads.get(sent) ?? 0) + (isUnderWay ? 1 : 0)
      reads.set(sent, read)
      if (read <= readsOfStep) return shown
      const second = sent.steps.map(({ order }) => order).sort((a, b) => a - b)[1]
      return changeSteps(shown, ({ status, ...step }) => ({
        ...step,
        ...(status === 'assigned' && { status: 'approved' }),
        ...(status === 'waiting' && { status: step.order === second ? 'assigned' : status }),
      }))
    },
  )
})

/** Works on the steps by other orders, but shows those that were sent. */
const ordersBy = (orderOf: (order: number, count: number, index: number) => number) =>
  worksOnAnother(({ steps, ...rest }) => ({
    ...rest,
    steps: steps.map((step, index) => ({ ...step, order: orderOf(step.order, steps.length, index) })),
  }))

const byPlace = ordersBy((_, __, index) => index + 1)

/** Sorts the orders as texts: 10 comes before 2. */
const sortedAsTexts = ordersBy((order, count) => {
  const orders = Array.from({ length: count }, (_, index) => String(index + 1)).toSorted()
  return orders.indexOf(String(order)) + 1
})

/** Begins with the step of the highest order. */
const lastFirst = ordersBy((order, count) => count + 1 - order)

/** Works on all workflows as if this had been sent as `isSequential`. */
const worksAlways = (isSequential: boolean) => worksOnAnother((body) => ({ ...body, isSequential }))

/** Works on all steps at once, each shown as pending until it is decided, and the last decided first. */
const decidedBackwards = compose(
  worksAlways(false),
  decides('last first'),
  changeExecutions(changeNamed('status', (status) => (status === 'assigned' ? 'pending' : status))),
)

/** Of the steps of executions, shows only a list of those that have begun. */
const onlyTrails = changeExecutions((body) => {
  const trailOf = ({ steps, ...execution }: Schemas['Execution']) => ({
    ...execution,
    trail: steps.flatMap(({ step_id, assigned_at: at }) => (at ? [{ step_id, at }] : [])),
  })
  const isList = 'recent_executions' in body
  return isList ? changeAt('recent_executions.*', trailOf)(body) : trailOf(body as unknown as Schemas['Execution'])
})

/** Of the steps of executions, shows only the counts in the performance of each. */
const onlyCounts = changeExecutions(({ recent_executions: latest, steps, ...others }) =>
  Array.isArray(latest)
    ? { ...others, steps, executions: latest.map(({ steps: _, ...execution }) => execution) }
    : others,
)

/** Begins with the first two steps, and then works on the third, if `isSequential` is false. */
const inPairs = worksOnAnother(({ steps, isSequential = true, ...rest }) => ({
  ...rest,
  isSequential: true,
  steps: steps.map((step) => ({ ...step, order: isSequential ? step.order : Math.ceil(step.order / 2) })),
}))

/** Shows the last step of approved executions with another status. */
const lastStepIs = (status: string, isMeant: (details: Schemas['WorkflowDetails']) => boolean = () => true) =>
  changeDetails((details) =>
    isMeant(details) ? changeAt('recent_executions.*', withoutLast(status))(details) : details,
  )

const withoutLast =
  (as = 'waiting') =>
  (execution: Schemas['Execution']) => {
    const last = Math.max(...execution.steps.map(({ order }) => order))
    const steps = execution.steps.map((step) => (step.order === last ? { ...step, ...waits, status: as } : step))
    return execution.status === 'approved' ? { ...execution, steps } : execution
  }

const waits = { assignee: null, assigned_at: null, decided_at: null, routing: null }

/** Times that begin with the last of at most ten steps. */
const backwards: StepTimes = (place, isSequential) =>
  isSequential ? stepsInTurn(9 - place, true) : stepsInTurn(place, false)

/** Times at which a step begins when half of the one before it is over. */
const early: StepTimes = (place, isSequential) => {
  const [start, end] = stepsInTurn(place, isSequential)
  const ahead = isSequential ? 20 * place : 0
  return [start - ahead, end - ahead]
}

/** Times at which the last of three steps begins with the second. */
export const lastWithSecond: StepTimes = (place, isSequential) => {
  const [start, end] = stepsInTurn(place, isSequential)
  return [isSequential && place === 2 ? stepsInTurn(1, true)[0] : start, end]
}

/** Times at which the last of three steps begins with the execution. */
const lastAtOnce: StepTimes = (place, isSequential) => stepsInTurn(place, isSequential && place < 2)

/** Calls the times of steps otherwise, and hides those that are called by an empty text. */
const callsTimes = (names: Readonly<Record<string, string>>) =>
  changeExecutions((body) =>
    mapMembers(body, (name, value) => [names[name] ?? name, names[name] === '' ? undefined : value]),
  )

/** Why no check tells that a step began early. */
const assignedAhead = 'A step may be assigned ahead of its turn, and only a name says that it has begun.'

/** Returns true if answers show the steps of executions that have ended, with the mutant's own times. */
const showsTimesOf = (choice: Choice) =>
  showsExecution(choice) && choice.decisions === undefined && choice['step-times'] === undefined

const inOrder = 'execution.steps-in-order'
const sideBySide = 'execution.steps-side-by-side'

export const stepOrderMutants = mutantsOf([
  [
    'steps-by-place',
    'Executions work on the steps in the sequence in which they were sent, and not by their order.',
    inOrder,
    byPlace,
    showsExecution,
  ],
  [
    'steps-by-place-of-documents-once',
    'Executions work on the steps in the sequence in which they were sent, and each document is accepted only once.',
    inOrder,
    compose(byPlace, executesDocumentsOnce),
    isPlain,
  ],
  ['steps-last-first', 'Executions begin with the step of the highest order.', inOrder, lastFirst, showsExecution],
  ...Object.entries({ trails: onlyTrails, counts: onlyCounts }).map(
    ([shown, shows]): MutantRow => [
      `${shown}-last-first`,
      `Executions begin with the step of the highest order, and only ${shown} of the begun steps show it.`,
      inOrder,
      compose(decides('one by one'), lastFirst, shows),
      isPlain,
    ],
  ),
  [
    'steps-two-at-a-time',
    'Executions begin with the first two steps at once, also if isSequential is true.',
    inOrder,
    compose(
      decides('one by one'),
      ordersBy((order) => Math.ceil(order / 2)),
    ),
    showsExecution,
  ],
  [
    'orders-sorted-as-texts',
    'Executions sort the orders of steps as texts, so that the tenth step comes before the second.',
    inOrder,
    compose(decides('one by one'), sortedAsTexts),
    isPlain,
  ],
  [
    'decided-backwards',
    'All steps are pending at once and decided from the last to the first, also if isSequential is true.',
    inOrder,
    decidedBackwards,
    isPlain,
  ],
  [
    'last-step-skipped',
    'Executions are approved although their last step still waits.',
    inOrder,
    compose(
      decides('all at once'),
      lastStepIs('waiting', ({ isSequential }) => isSequential !== false),
    ),
    showsExecution,
  ],
  [
    'side-by-side-by-default',
    'Executions work on all steps at once if isSequential was omitted, which is shown as true.',
    'workflow.is-sequential-default-true',
    worksOnAnother((body) => ({ isSequential: false, ...body })),
    showsExecution,
  ],
  [
    'steps-always-in-order',
    'Executions work on one step after the other, also if isSequential is false.',
    sideBySide,
    alwaysInOrder,
    showsExecution,
  ],
  [
    'parallel-steps-in-pairs',
    'Executions begin with two steps only, also if isSequential is false and there are three.',
    sideBySide,
    inPairs,
    showsExecution,
  ],
  [
    'steps-in-order-for-ever',
    'Executions choose an approver only for the first step, also if isSequential is false, and no step is ever decided.',
    sideBySide,
    worksAlways(true),
    showsExecution,
  ],
  [
    'last-step-left-out',
    'Executions of all workflows are approved, and their last step is shown as skipped.',
    inOrder,
    compose(decides('all at once'), lastStepIs('skipped')),
    showsTimesOf,
  ],
  [
    'step-times-backwards',
    'The times of steps show that the last one ended before the others began.',
    inOrder,
    showsTimes(backwards),
    showsTimesOf,
  ],
  [
    'step-times-overlap',
    'The times of steps show that each began before the end of the one before it.',
    inOrder,
    showsTimes(early),
    showsTimesOf,
  ],
  [
    'step-ends-backwards',
    'The times of decisions show that the last step ended before the others, and no step shows its start.',
    inOrder,
    compose(showsTimes(backwards), callsTimes({ assigned_at: '' })),
    isPlain,
  ],
  [
    'step-seconds-overlap',
    'The last step begins with the execution, as seconds since its start show.',
    inOrder,
    compose(showsTimes(lastAtOnce), countsFrom('execution')),
    isPlain,
  ],
  [
    'last-step-begins-with-second',
    'The starts and ends of steps show that the last one began with the second.',
    [],
    compose(showsTimes(lastWithSecond), callsTimes({ assigned_at: 'started_at', decided_at: 'ended_at' })),
    { inherited: assignedAhead, appliesTo: showsTimesOf },
  ],
  [
    'last-step-begins-with-second-until-decided',
    'The starts of steps show that the last one began with the second, beside the times of their decisions.',
    [],
    compose(showsTimes(lastWithSecond), callsTimes({ assigned_at: 'started_at' })),
    { inherited: assignedAhead, appliesTo: isPlain },
  ],
  [
    'step-starts-overlap',
    'The starts and ends of steps show that each began before the end of the one before it, in all workflows.',
    [],
    compose(
      showsTimes((place) => early(place, true)),
      callsTimes({ assigned_at: 'started_at', decided_at: 'ended_at' }),
    ),
    {
      inherited: 'Parallel steps show the same times, so only names say which is the start and which the end.',
      appliesTo: showsTimesOf,
    },
  ],
  [
    'last-step-waits-in-second-execution',
    'The second execution of a workflow is approved although its last step still waits.',
    inOrder,
    compose(
      decides('all at once'),
      changeDetails(
        changeAt('recent_executions.*', (execution: Schemas['Execution'], index, { length }) =>
          index === 0 && length > 1 ? withoutLast()(execution) : execution,
        ),
      ),
    ),
    isPlain,
  ],
  [
    'second-step-begins-with-first',
    'Sequential executions begin with their first two steps, and no step is decided.',
    inOrder,
    ordersBy((order) => Math.max(order, 2)),
    isPlain,
  ],
  [
    'last-two-steps-at-once',
    'The last two steps are at work at once after the others have ended, also if isSequential is true.',
    inOrder,
    compose(
      ordersBy((order, count) => Math.min(order, count - 1)),
      decides('only one'),
    ),
    isPlain,
  ],
  [
    'steps-in-order-to-the-end',
    'Executions work on one step after the other until all are decided, also if isSequential is false.',
    sideBySide,
    compose(worksAlways(true), decides('one by one')),
    isPlain,
  ],
  [
    'step-times-one-by-one',
    'The times of steps show that each began at the end of the one before it, also if isSequential is false.',
    sideBySide,
    compose(
      worksAlways(true),
      showsTimes((place) => stepsInTurn(place, true)),
    ),
    showsTimesOf,
  ],
])
