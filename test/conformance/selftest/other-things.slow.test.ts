/** Sound answers that use the names of an execution's fields for something else. No documented check may fail on them. */
import { expect, test } from 'vitest'
import { decides } from '../../../conformance/selftest/decisions.ts'
import { mapMembers, mapNamed } from '../../../conformance/selftest/json.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { documentedOn } from '../../../conformance/selftest/run-on.ts'
import {
  countsFrom,
  queued,
  type StepTimes,
  showsTimes,
  stepsInTurn,
} from '../../../conformance/selftest/step-times.ts'
import { answerFields } from '../../../conformance/selftest/variants/fields.ts'
import {
  bodyOf,
  changeAnswers,
  changeBody,
  compose,
  type Members,
  onCalls,
  problem,
  serviceCalls,
  type Wrapper,
} from '../../../conformance/selftest/wrapper.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { rotated } from '../../support/sample.ts'

const listing = (change: (execution: Members) => Members): Wrapper =>
  changeAnswers(['getWorkflow'], (body) => {
    const executions = body.recent_executions as Members[] | undefined
    return { ...body, ...(executions && { recent_executions: executions.map(change) }) }
  })

const desk = { email: 'desk@example.com', name: 'Desk' }

const executedWith = (more: (steps: readonly Members[]) => Members): Wrapper =>
  changeAnswers(['executeWorkflow'], ({ steps, ...body }) => ({ ...body, ...more((steps as Members[]) ?? []) }))

/** Details that list other workflows that were read, but not the workflow's own name. */
function relatedWorkflows(): Wrapper {
  const read = new Set<unknown>()
  return changeAnswers(['getWorkflow'], ({ name, ...body }) => {
    const related = [...read].filter((other) => other !== name).map((other) => ({ name: other }))
    read.add(name)
    return { ...body, related_workflows: related }
  })
}

/** Details that mark one step by its order as soon as there is an execution, and show no other state of steps. */
function marked(markOf: (position: number, reads: number) => unknown, section: string): Wrapper {
  const reads = new Map<unknown, number>()
  const hidden = ({ steps, ...execution }: Members) => execution
  const ofDetails = changeAnswers(['getWorkflow'], (body) => {
    const executions = body.recent_executions as Members[] | undefined
    const isExecuted = executions !== undefined && executions.length > 0
    const read = reads.get(body.workflow_id) ?? 0
    if (isExecuted) reads.set(body.workflow_id, read + 1)
    const steps = (body.steps as { readonly step_id: string; readonly order: number }[]).map(({ step_id, order }) => {
      return { step_id, average_seconds: null, mark: markOf(isExecuted ? order - 1 : 2, isExecuted ? read : 0) }
    })
    const rest = { ...body, ...(isExecuted && { recent_executions: executions.map(hidden) }) }
    return { ...rest, step_performance: [], [section]: steps }
  })
  return compose(ofDetails, changeAnswers(['executeWorkflow'], hidden))
}

/** Workflows that show isSequential as something else. */
const inSequence = (show: (isSequential: unknown) => Members): Wrapper =>
  changeAnswers(['createWorkflow', 'getWorkflow'], ({ isSequential, ...body }) => ({ ...body, ...show(isSequential) }))

const inMetrics = (change: (figures: Members) => Members): Wrapper =>
  changeAnswers(['getWorkflow'], (body) => ({ ...body, execution_metrics: change(body.execution_metrics as Members) }))

/** Names and states in words that no vocabulary has. */
const inUnknownWords = changeAnswers(serviceCalls, (body) => {
  const reversed = (word: string) => [...word].reverse().join('')
  return mapMembers(body, (name, value) => [
    answerFields.has(name) || /\W/.test(name) ? name : reversed(name),
    name === 'status' ? reversed(String(value)) : value,
  ])
})

const digestsOfOthers = {
  previous_sha256: '0f'.repeat(32),
  sse_customer_key_md5: '0f'.repeat(16),
  version: `sha256:${'0f'.repeat(32)}`,
}

const onlyEnded = ({ running, approved, rejected, ...figures }: Members) => ({ ...figures, total: approved })

/** Details whose total counts the steps of executions, beside a count of executions. */
const countsTasks = changeAnswers(['getWorkflow'], (body) => {
  const executions = (body.recent_executions ?? []) as readonly { readonly steps: readonly unknown[] }[]
  const { total: started, ...figures } = body.execution_metrics as Members
  return { ...body, execution_metrics: { ...figures, started, total: executions.flatMap(({ steps }) => steps).length } }
})

const confirmed = (show: (size: number) => Members): Wrapper =>
  changeAnswers(['confirmUpload'], (body) => ({ ...body, ...show(Number(body.file_size)) }))

/** Workflows with one execution, which is the answer to each later call. */
function returnsRunning(): Wrapper {
  const running = new Map<string, string>()
  return onCalls(['executeWorkflow'], async (request, inner) => {
    const known = running.get(request.url)
    if (known !== undefined && request.headers.has('Authorization')) return Response.json(JSON.parse(known))
    const response = await inner(request)
    if (response.ok) running.set(request.url, await response.clone().text())
    return response
  })
}

/** Executions whose approver is shown only while the step is open. */
const clearsAssignees = compose(
  decides('one by one'),
  listing(({ steps, ...execution }) => ({
    ...execution,
    steps: (steps as Members[]).map((step) => (step.status === 'approved' ? { ...step, assignee: null } : step)),
  })),
)

/** Steps of an execution with somebody responsible who approves none of them. */
const responsibleDesk = ({ steps }: Members) =>
  (steps as Members[]).map(({ assignee, routing, ...step }) => ({ ...step, responsible: desk.email }))

/** Executions that are rejected at their second step, so that the last one waits for ever. */
const rejectsSecond = compose(
  decides('all at once'),
  listing((execution) => {
    if (execution.status !== 'approved') return execution
    const open = { status: 'waiting', assignee: null, assigned_at: null, decided_at: null, routing: null }
    const change = (step: Members) =>
      step.order === 1 ? step : { ...step, ...(step.order === 2 ? { status: 'rejected' } : open) }
    return { ...execution, status: 'rejected', steps: (execution.steps as Members[]).map(change) }
  }),
)

/** Executions that are all rejected, beside counts of something else that was completed. */
const rejectedBesideDeadlines = compose(
  rejectsSecond,
  inMetrics(({ approved, success_rate, ...figures }) => ({
    ...figures,
    approved: 0,
    rejected: approved,
    success_rate: success_rate === null ? null : 0,
    sla: { total: 5, completed: 4, breached: 1, failed: 0 },
  })),
)

/** Answers whose enums begin with their types, such as `STEP_TYPE_APPROVAL`. */
const namesTypesOfEnums = changeAnswers(['createWorkflow', 'executeWorkflow', 'getWorkflow'], (body) =>
  mapMembers(body, (name, value) => {
    const type = { type: 'STEP_TYPE', priority: 'PRIORITY', execution_mode: 'EXECUTION_MODE', status: 'STATE' }[name]
    return [name, type !== undefined && typeof value === 'string' ? `${type}_${value.toUpperCase()}` : value]
  }),
)

/** Executions that repeat beside each step who is at work on the first open one, and who was before. */
const repeatsCurrent = compose(
  decides('one by one'),
  listing((execution) => {
    const steps = execution.steps as Members[]
    const addresses = steps.map(({ assignee }) => (assignee as Members | null)?.email ?? null)
    const current = steps.findIndex(({ status }) => status === 'assigned')
    return {
      ...execution,
      steps: steps.map(({ assignee, routing, ...step }, index) => ({
        ...step,
        now_with: addresses[current] ?? null,
        came_from: addresses[index - 1] ?? null,
      })),
    }
  }),
)

/** Details that count approved steps beside running executions. */
const countsSteps = compose(
  decides('one by one', ['executeWorkflow']),
  changeAnswers(['getWorkflow'], (body) => {
    const executions = (body.recent_executions ?? []) as Members[]
    const steps = executions.flatMap((one) => one.steps as Members[])
    const finished = steps.filter(({ status }) => status === 'approved').length
    return { ...body, execution_metrics: { started: executions.length, finished, success_rate: null, duration: null } }
  }),
)

/** Details that list some of the running executions. */
const listsRunning = (most: number, order: 'newest' | 'oldest') =>
  compose(
    decides('one by one'),
    changeAnswers(['getWorkflow'], ({ recent_executions, ...body }) => {
      const all = (recent_executions ?? []) as Members[]
      const sorted = order === 'newest' ? all : all.toReversed()
      return { ...body, executions: sorted.filter(({ status }) => status === 'running').slice(0, most) }
    }),
  )

/** Executions whose steps are handed to a substitute, who is listed with the approver as a candidate. */
const substituted = executedWith((steps) => ({
  steps: steps.map(({ assignee, routing, ...step }) => ({
    ...step,
    assignee: assignee && desk,
    candidates: assignee ? [assignee, desk] : [],
  })),
}))

/** Refuses uploads with the file name of an earlier one. */
function refusesRepeatedNames(): Wrapper {
  const names = new Set<unknown>()
  return onCalls(['requestUpload'], async (request, inner) => {
    const { file_name } = (await bodyOf(request)) ?? {}
    if (names.has(file_name) && request.headers.has('Authorization')) return problem(409)
    const response = await inner(request)
    if (response.ok) names.add(file_name)
    return response
  })
}

/** Returns the open session of a file name to each later request with the same name. */
function resumesUploads(): Wrapper {
  const sessions = new Map<unknown, string>()
  return onCalls(['requestUpload'], async (request, inner) => {
    const { file_name } = (await bodyOf(request)) ?? {}
    const known = request.headers.has('Authorization') ? sessions.get(file_name) : undefined
    if (known !== undefined) return Response.json(JSON.parse(known))
    const response = await inner(request)
    if (response.ok) sessions.set(file_name, await response.clone().text())
    return response
  })
}

const refusesUnderscores = onCalls(['createWorkflow'], async (request, inner) =>
  JSON.stringify((await bodyOf(request)) ?? {}).includes('_review') ? problem(400) : inner(request),
)

/** Refuses media types with parameters. */
const refusesParameters = onCalls(['requestUpload'], async (request, inner) =>
  String((await bodyOf(request))?.content_type).includes(';') ? problem(422) : inner(request),
)

/** Numbers documents under a name that is in no vocabulary. */
function numbersDocuments(): Wrapper {
  const ids: string[] = []
  const first = 2_026_000_001
  const numberOf = (id: unknown) => {
    if (!ids.includes(String(id))) ids.push(String(id))
    return first + ids.indexOf(String(id))
  }
  return compose(
    changeBody('executeWorkflow', (body) => ({
      ...body,
      document_id: ids[Number(body.document_id) - first] ?? 'doc_unknown',
    })),
    changeAnswers(['executeWorkflow', 'getWorkflow'], (body) => mapNamed(body, 'document_id', numberOf)),
    changeAnswers(['confirmUpload'], ({ document_id, ...body }) => ({ ...body, beleg: numberOf(document_id) })),
  )
}

/** Times at which the last of three steps is assigned with the second, before its work begins. */
const assignedWithSecond: StepTimes = (place, isSequential) => {
  const [start, end] = stepsInTurn(place, isSequential)
  return [isSequential && place === 2 ? stepsInTurn(1, true)[0] : start, end]
}

/** Workflows whose steps show something else instead of a member. */
const stepsWithout = (name: string, more: (step: Members) => Members) =>
  changeAnswers(['createWorkflow', 'getWorkflow'], ({ steps, ...body }) => ({
    ...body,
    steps: (steps as Members[]).map(({ [name]: _, ...step }) => ({ ...step, ...more(step) })),
  }))

const marks: [string, (position: number, reads: number) => unknown][] = [
  ['a bottleneck', (position) => position === 0],
  ['a bottleneck that moves on', (position, reads) => position === Math.floor(reads / 3)],
  ['a rank', (position, reads) => (reads < 3 ? [1, 2, 2] : [3, 1, 2])[position]],
  ['a share', (position, reads) => (reads < 3 ? ['100 %', '0 %', '0 %'] : ['40 %', '100 %', '0 %'])[position]],
  ['a text', (position) => (position === 0 ? 'slowest' : 'normal')],
  ['a text that moves on', (position, reads) => (position === Math.floor(reads / 3) ? 'slowest' : 'normal')],
]

const others: readonly [string, Wrapper][] = [
  ...marks.map(([what, markOf]): [string, Wrapper] => [`${what} in performance`, marked(markOf, 'step_performance')]),
  ...marks.map(([what, markOf]): [string, Wrapper] => [`${what} elsewhere`, marked(markOf, 'hints')]),
  ['the opposite of isSequential', inSequence((isSequential) => ({ parallel: !isSequential }))],
  ['the opposite of isSequential by an unknown name', inSequence((isSequential) => ({ xyz: !isSequential }))],
  ['the mode of a workflow', inSequence((isSequential) => ({ mode: isSequential ? 'in_order' : 'Parallel' }))],
  ['the number of parallel steps', inSequence((isSequential) => ({ parallel_steps: isSequential ? 0 : 3 }))],
  ['-1 until there is a rate', inMetrics((figures) => ({ ...figures, success_rate: -1, completion_time: -1 }))],
  ['a total of ended executions', compose(decides('one by one'), inMetrics(onlyEnded))],
  ['the size of a first part', confirmed((size) => ({ first_part: Math.min(size, 65_536) }))],
  ['digests of other things', confirmed(() => digestsOfOthers)],
  ['no number of the document', changeAnswers(['executeWorkflow'], (body) => ({ ...body, document_number: null }))],
  ['the document by a number under an unknown name', numbersDocuments()],
  ['the execution that is still running', returnsRunning()],
  ['approvers only of open steps', clearsAssignees],
  ['who works on an execution beside each step', repeatsCurrent],
  ['a rejected execution', rejectsSecond],
  ['rejected executions beside completed deadlines', rejectedBesideDeadlines],
  ['the one responsible for an execution', listing((one) => ({ ...one, responsible: 'api@example.com' }))],
  ['a stranger responsible for each step', listing((one) => ({ ...one, steps: responsibleDesk(one) }))],
  [
    'a kind of steps that is not their type',
    stepsWithout('type', ({ order }) => ({ kind: order === 3 ? 'last' : 'other' })),
  ],
  ['a short name of steps', stepsWithout('type', ({ order }) => ({ t: order === 3 ? 'review' : 'approval' }))],
  ['a count of approved steps', countsSteps],
  ['a total of steps beside the started executions', countsTasks],
  ['only running executions', listsRunning(9, 'newest')],
  ['only the oldest running execution', listsRunning(1, 'oldest')],
  ['seconds since the start of an execution', compose(showsTimes(stepsInTurn), countsFrom('execution'))],
  ['seconds since the start of a step', compose(showsTimes(stepsInTurn), countsFrom('step'))],
  ['the last step assigned together with the second', showsTimes(assignedWithSecond)],
  ['seconds of steps in a queue', compose(showsTimes(queued), countsFrom('execution'))],
  ['an urgency of steps', executedWith((steps) => ({ steps: steps.map((step) => ({ ...step, urgency: 'low' })) }))],
  ['the owner of the key', listing((one) => ({ ...one, requested_by: 'api@example.com' }))],
  ['a mode of the key', listing(({ execution_mode, ...execution }) => ({ ...execution, mode: 'test' }))],
  ['the file name of a document', listing(({ document_id, ...one }) => ({ ...one, document: 'contract.pdf' }))],
  ['the name of a submitter', listing(({ submitter_email, ...one }) => ({ ...one, submitter: 'Jane Doe' }))],
  ['default approvers', executedWith(() => ({ organization: { default_approvers: [desk] } }))],
  ['a substitute among the candidates', substituted],
  ['a refusal of file names that are repeated', refusesRepeatedNames()],
  ['the earlier session of the same file name', resumesUploads()],
  ['a refusal of underscores in identifiers of steps', refusesUnderscores],
  ['a refusal of media types with parameters', refusesParameters],
  ['excluded approvers', executedWith(() => ({ excluded_approvers: [desk] }))],
  [
    'a fallback approver of a step',
    executedWith((steps) => ({ steps: steps.map(({ step_id }) => ({ step_id, fallback_approver: desk })) })),
  ],
  ['the names of related workflows', relatedWorkflows()],
  ['enums as Protocol Buffers write them', namesTypesOfEnums],
  ['all in unknown words', inUnknownWords],
  ['all in unknown words while steps are decided', compose(decides('one by one'), inUnknownWords)],
  ['all in unknown words of rejected executions', compose(rejectedBesideDeadlines, inUnknownWords)],
]

test.each(nonEmpty(rotated(others)))('accuses nothing that shows %s', async (_, wrapper) => {
  const results = await documentedOn(wrapper(reference()))
  expect(results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([])
})

test('a stranger who is responsible for each step leaves no check undecided', async () => {
  const hidden = executedWith(() => ({}))
  const strangers = listing((one) => ({ ...one, steps: responsibleDesk(one) }))
  const results = await documentedOn(compose(hidden, strangers)(reference()))
  expect(results.find(({ id }) => id === 'execute-workflow.chooses-approvers')?.verdict).toBe('accepted')
})
