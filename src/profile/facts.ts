/** The facts of a call from which its answer is rendered. */
import { isObject, pointerSteps } from '../contract/json.ts'
import type { AnswerName } from '../contract/operations.ts'
import { type Facts, writeTime } from './template.ts'
import { starred } from './tolerance.ts'

/** A call, and what the contract answers to it. */
export interface AnsweredCall {
  /** Absent for a path or method that the contract does not have. */
  readonly call?: AnswerName | undefined
  readonly status: number
  /** The contract's body: JSON, or text. */
  readonly body: unknown
  readonly request?: unknown
  readonly path?: Readonly<Record<string, string>>
  /** The definitions of the steps, for an answer that is about a single execution. */
  readonly steps?: readonly object[] | undefined
  /** The address of the service, without a trailing slash. */
  readonly base: string
  /** The path of the request, without its query. */
  readonly asked?: string
  readonly method?: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Returns the facts of a call: what the contract answers is an answer or a problem. */
export function factsOfCall({
  call: operation,
  status,
  body,
  request,
  path = {},
  steps = [],
  base,
  asked,
  method,
  now,
}: AnsweredCall): Facts {
  const outcome =
    status < 400
      ? { answer: withSteps(body, steps as StepItem[]) }
      : {
          problem: withSent(problemOf(body, status, { call: operation, path, asked }), request),
          ...(asked !== undefined && { asked, route: asked.slice(1) }),
          ...(method !== undefined && { method }),
        }
  return { request, path, base, now: String(writeTime(now, 'iso')), operation, ...outcome }
}

/** The members that facts add to answers of the contract. `document_id` is for uploads that name the document early. */
export const derivedMembers: readonly string[] =
  'estimated in_turn people events tasks next elapsed_minutes document_id'.split(' ')

/** Lists of the details whose items are about a step. */
const aboutSteps = ['bottlenecks', 'optimization_recommendations'] as const

/**
 * Adds to each item of the details, and of an execution's steps, the definition of the step that it names, as `step`, with its position.
 * Does so for each of a list of workflows, and counts these.
 */
function withSteps(body: unknown, definitions: readonly StepItem[]): unknown {
  if (isObject(body) && Array.isArray(body.workflows)) {
    const workflows = body.workflows.map((one) => withSteps(one, []))
    return { ...body, workflows, total: workflows.length }
  }
  if (!isObject(body) || !Array.isArray(body.steps)) return body
  const isDetails = Array.isArray(body.step_performance)
  const defined = isDetails ? (body.steps as StepItem[]) : definitions
  // The position tells lists in the order in which the steps were sent from lists in that of their execution.
  const steps = new Map(defined.map((step, position) => [step.step_id, { ...step, position }]))
  const extended = (items: unknown) =>
    Array.isArray(items)
      ? (items as StepItem[]).map((item) => ({
          ...item,
          ...elapsed(item.assigned_at, item.decided_at),
          ...withChosen(item),
          ...alternatesOf(item, steps.get(item.step_id)),
          step: steps.get(item.step_id),
        }))
      : items
  const extendedExecution = (execution: ExecutionItem) =>
    withLists(
      { ...execution, ...elapsed(execution.started_at, execution.completed_at), steps: extended(execution.steps) },
      { events: () => eventsIn({ recent_executions: [execution] }, steps) },
    )
  const withAllLists = (workflow: object) =>
    withLists(workflow, {
      events: () => eventsIn(body as Trail, steps),
      people: () => peopleIn(body as unknown as DetailsPart),
      tasks: () => tasksIn(body as Trail, steps),
    })
  if (!isDetails && steps.size > 0) return extendedExecution(body as unknown as ExecutionItem)
  const chained = chainOf(body.steps as StepItem[], body.isSequential === true)
  if (!isDetails) return withAllLists({ ...body, steps: chained })
  const { recent_executions: latest = [] } = body as unknown as DetailsPart
  const tasks = latest.flatMap((execution) => execution.steps ?? [])
  const lists = aboutSteps.map((name) => [name, extended(body[name])])
  const performance = extended(body.step_performance) as readonly PerformanceItem[]
  const executions = Array.isArray(body.recent_executions)
    ? (body.recent_executions as ExecutionItem[]).map(extendedExecution)
    : undefined
  const details = {
    ...body,
    ...Object.fromEntries(lists),
    step_performance: performance.map((item) => ({ ...item, ...tasksOf(item, tasks) })),
    ...(executions && { recent_executions: executions }),
    ...(executions &&
      isObject(body.execution_metrics) && { execution_metrics: rangedMetrics(body.execution_metrics, executions) }),
  }
  // What a deployment recommends often depends on how many steps wait for each other.
  const inTurn = body.isSequential === true ? (body.steps as StepItem[]) : []
  return withAllLists({ ...details, steps: chained, estimated: estimatesOf(body.steps as StepItem[]), in_turn: inTurn })
}

/** Returns each step with the step after it, as state machines show them. Steps that all begin together have none. */
function chainOf(steps: readonly StepItem[], isSequential: boolean): object[] {
  const order = isSequential ? steps.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0)) : []
  return steps.map((step) => {
    const next = order[order.indexOf(step) + 1]
    return { ...step, next: next ? { step_id: next.step_id } : null }
  })
}

/** Adds lists that few deployments show. Each is made only if a template shows it. */
function withLists(about: object, lists: Readonly<Record<string, () => readonly object[]>>): object {
  const extended = { ...about }
  for (const [name, make] of Object.entries(lists)) {
    let list: readonly object[] | undefined
    const get = () => {
      list ??= make()
      return list
    }
    Object.defineProperty(extended, name, { get, enumerable: true })
  }
  return extended
}

/**
 * Adds to a routing decision the candidate that was chosen, and the others. Deployments show the track record of the one, and the
 * others as alternatives.
 */
function withChosen({ routing, assignee }: StepItem): { readonly routing?: object } {
  if (!routing?.candidates) return {}
  const isChosen = ({ email }: { readonly email: string }) => email === assignee?.email
  const { candidates } = routing
  return {
    routing: { ...routing, chosen: candidates.find(isChosen), others: candidates.filter((one) => !isChosen(one)) },
  }
}

/** Adds to a step of an execution the approvers who were not chosen. Before one is, the first counts as chosen. */
function alternatesOf({ assignee }: StepItem, step: { readonly approvers?: readonly Approver[] } | undefined) {
  if (assignee === undefined || !step?.approvers) return {}
  const chosen = assignee?.email ?? step.approvers[0]?.email
  return { alternates: step.approvers.filter(({ email }) => email !== chosen) }
}

/**
 * Counts the tasks of a step: those that wait for earlier steps, those that are decided, and all that were assigned. Adds the shortest and the
 * longest working time of the latest ones.
 */
function tasksOf(
  { step_id, assigned = 0, approved = 0, rejected = 0, working_time }: PerformanceItem,
  tasks: readonly Decision[],
) {
  const own = tasks.filter((task) => task.step_id === step_id)
  const waiting = own.filter((task) => task.status === 'waiting').length
  return {
    waiting,
    decided: approved + rejected,
    total: assigned + approved + rejected,
    working_time: withRange(working_time, own.map(minutesOf)),
  }
}

/** Adds the shortest and the longest time of the latest executions to their metrics. */
function rangedMetrics(
  { completion_time, ...metrics }: Record<string, unknown>,
  executions: readonly Elapsed[],
): object {
  const ranged = withRange(
    completion_time,
    executions.map(({ elapsed_minutes }) => elapsed_minutes ?? Number.NaN),
  )
  return { ...metrics, completion_time: ranged }
}

/** Adds the shortest and the longest of some durations to their distribution. The contract has quantiles only. */
function withRange(distribution: unknown, minutes: readonly number[]): unknown {
  const known = minutes.filter((one) => !Number.isNaN(one))
  if (!isObject(distribution) || known.length === 0) return distribution
  return { ...distribution, min_minutes: Math.min(...known), max_minutes: Math.max(...known) }
}

interface PerformanceItem {
  readonly step_id: string
  readonly assigned?: number
  readonly approved?: number
  readonly rejected?: number
  readonly working_time?: unknown
}

/** Returns what the estimates of the steps make together. Some deployments show these as the projected duration. */
function estimatesOf(steps: readonly StepItem[]): { readonly total_minutes: number; readonly longest_minutes: number } {
  const minutes = steps.map(({ estimated_duration = 0 }) => estimated_duration)
  return {
    total_minutes: minutes.reduce((sum, one) => sum + one, 0),
    longest_minutes: Math.max(0, ...minutes),
  }
}

/** An approver of a workflow, with the decisions in its latest executions, under the names that the performance of steps has. */
interface Person {
  readonly email: string
  readonly name: string
  /** The first step that names the approver. */
  readonly step: unknown
  /** The number of steps of the workflow that the approver may decide. */
  readonly may_decide: number
  readonly assigned: number
  readonly approved: number
  readonly rejected: number
  readonly decided: number
  /** The assignments and decisions. */
  readonly total: number
  readonly approval_rate: number | null
  readonly working_time: { readonly mean_minutes: number } | null
  readonly latest_decision_at: string | null
}

interface Approver {
  readonly email: string
  readonly name: string
}

/** The parts of the details that tell what approvers did. */
interface DetailsPart {
  readonly steps: readonly { readonly approvers?: readonly Approver[] }[]
  readonly recent_executions?: readonly { readonly steps?: readonly Decision[] }[]
}

interface Decision {
  readonly step_id: string
  readonly order?: number
  readonly status: string
  readonly assignee: Approver | null
  readonly assigned_at: string | null
  readonly decided_at: string | null
}

/** Returns the approvers of a workflow, each once, in the order in which its steps name them. */
function peopleIn({ steps, recent_executions = [] }: DetailsPart): Person[] {
  const named = steps.flatMap(({ approvers = [] }) => approvers)
  const people = new Map(named.toReversed().map(({ email, name }) => [email, name]))
  const decisions = recent_executions.flatMap((execution) => execution.steps ?? [])
  return [...new Set(named.map(({ email }) => email))].map((email) => {
    const own = decisions.filter(({ assignee }) => assignee?.email === email)
    const count = (status: string) => own.filter((one) => one.status === status).length
    const [approved, rejected] = [count('approved'), count('rejected')]
    const decided = approved + rejected
    const times = own.flatMap(({ decided_at }) => decided_at ?? [])
    const minutes = own.map(minutesOf)
    const spent = minutes.filter((one) => !Number.isNaN(one))
    const total = spent.reduce((sum, one) => sum + one, 0)
    return {
      email,
      name: people.get(email) ?? '',
      step: steps.find(({ approvers = [] }) => approvers.some((one) => one.email === email)),
      may_decide: steps.filter(({ approvers = [] }) => approvers.some((one) => one.email === email)).length,
      assigned: count('assigned'),
      approved,
      rejected,
      decided,
      total: count('assigned') + decided,
      approval_rate: decided > 0 ? approved / decided : null,
      working_time: spent.length > 0 ? { mean_minutes: total / spent.length } : null,
      latest_decision_at: times.toSorted().at(-1) ?? null,
    }
  })
}

/** The parts of the details that tell what happened. */
interface Trail {
  readonly created_at?: string
  readonly recent_executions?: readonly ExecutionItem[]
}

/** Returns what happened to a workflow, the earliest first, as audit trails and event logs show it. Few show all: see `kinds`. */
function eventsIn({ created_at, recent_executions = [] }: Trail, steps: ReadonlyMap<string, unknown>): object[] {
  const events = recent_executions.toReversed().flatMap(({ steps: tasks = [], ...execution }) => {
    const { status: outcome, started_at: start, completed_at: end, submitter_email: by } = execution
    const inOrder = tasks.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0))
    const ofSteps = inOrder.flatMap(({ step_id, status: verdict, assignee, assigned_at, decided_at }) => {
      const about = { ...execution, step_id, step: steps.get(step_id), by: assignee?.email, name: assignee?.name }
      const decided = typeof decided_at === 'string' ? { ...about, at: decided_at, verdict } : undefined
      const assigned = typeof assigned_at === 'string' ? { ...about, at: assigned_at } : undefined
      return [
        ...(assigned ? [event('opened', assigned), event('assigned', assigned)] : []),
        ...(decided ? [event('decided', decided), event('closed', decided)] : []),
        ...(typeof end === 'string' && !decided ? [event('skipped', { ...about, at: end, verdict })] : []),
      ]
    })
    return [
      ...(start === undefined ? [] : [event('started', { ...execution, step_id: null, at: start, by })]),
      ...ofSteps,
      ...(typeof end === 'string' ? [event('ended', { ...execution, at: end, by, outcome })] : []),
    ]
  })
  const created = created_at === undefined ? [] : [event('created', { step_id: null, at: created_at })]
  return [...created, ...events].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** The kinds of events, with the parts that logs show of them: `main` is what people did, `plain` what a process engine did, and so on. */
const kinds = {
  created: ['main', 'outer', 'frame'],
  started: ['main', 'plain', 'whole'],
  opened: ['edge', 'frame'],
  assigned: ['plain', 'act', 'whole'],
  decided: ['main', 'plain', 'act', 'whole'],
  closed: ['closing', 'edge', 'outer', 'frame'],
  skipped: ['whole'],
  ended: ['main', 'plain', 'whole'],
}

const parts = [...new Set(Object.values(kinds).flat())]

/** Makes an event, which is marked by the parts that have it. */
function event<About extends object>(kind: keyof typeof kinds, about: About) {
  return { ...about, kind, ...Object.fromEntries(parts.map((part) => [part, kinds[kind].includes(part)])) }
}

/** Returns the steps of all executions in one list, the oldest execution first, as tables of tasks show them. */
function tasksIn({ recent_executions = [] }: Trail, steps: ReadonlyMap<string, unknown>): object[] {
  return recent_executions
    .toReversed()
    .flatMap(({ steps: tasks = [], ...execution }) =>
      tasks.map((task) => ({ ...task, execution, step: steps.get(task.step_id) })),
    )
}

interface StepItem {
  readonly approvers?: readonly Approver[]
  readonly order?: number
  readonly step_id: string
  readonly estimated_duration?: number
  readonly assignee?: Approver | null
  readonly routing?: { readonly candidates?: readonly { readonly email: string }[] } | null
  readonly assigned_at?: string | null
  readonly decided_at?: string | null
}

interface ExecutionItem {
  readonly execution_id: string
  readonly status?: string
  readonly submitter_email?: string
  readonly started_at?: string
  readonly completed_at?: string | null
  readonly steps?: readonly Decision[]
}

interface Elapsed {
  readonly elapsed_minutes?: number | null
}

/** Returns the duration of a step or an execution: null if it has not ended, and no member if it has no end. */
function elapsed(from?: string | null, to?: string | null): Elapsed {
  if (to === undefined) return {}
  return { elapsed_minutes: from && to ? minutesBetween(from, to) : null }
}

/** Returns the minutes between the assignment of a task and its decision; NaN if it lacks one of them. */
const minutesOf = (task: Decision) => minutesBetween(task.assigned_at ?? '', task.decided_at ?? '')

const minutesBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 60_000

/**
 * Adds to each error what deployments distinguish: `sent`, the value if it is no object, since some repeat it; `field`, the pointer
 * for all items of a list; `got`, the kind of the value; and `echo`, the value, or the object that lacks it.
 */
function withSent(problem: unknown, request: unknown): unknown {
  if (!isObject(problem) || !Array.isArray(problem.errors)) return problem
  const memberOf = (value: unknown, step: string) =>
    value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[step] : undefined
  return {
    ...problem,
    errors: problem.errors.map((error: { readonly pointer?: string }) => {
      const steps = pointerSteps(error.pointer ?? '')
      const around = steps.slice(0, -1).reduce(memberOf, request)
      const value = steps.reduce(memberOf, request)
      const sent = value === undefined || typeof value === 'object' ? {} : { sent: value }
      const field = starred(error.pointer ?? '')
      return { ...error, ...sent, field, got: kindOfValue(value), echo: value === undefined ? around : value }
    }),
  }
}

function kindOfValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'empty'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

/** Returns what is told apart of a body that is no object: whether it is JSON. */
const subjectOfBody = (detail: string) =>
  detail.includes(' is empty') ? 'empty' : detail.includes(', not an object') ? 'kind' : undefined

/** Returns what is told apart of a path: others refuse an identifier that is not in their form in another way. */
function subjectOfPath(code: unknown, workflowId: string | undefined, asked = ''): string | undefined {
  if (code === 'method-not-allowed' && workflowId !== undefined)
    return asked.endsWith('/execute') ? 'execution' : 'item'
  if (code === 'method-not-allowed') return 'collection'
  return code === 'workflow-not-found' && workflowId !== undefined ? formOfIdentifier(workflowId) : undefined
}

function formOfIdentifier(id: string): 'number' | 'uuid' | 'text' {
  if (/^\d+$/.test(id)) return 'number'
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id) ? 'uuid' : 'text'
}

/** The part of a refused call that its facts show. */
interface ProblemCall {
  readonly call: AnswerName | undefined
  readonly path: Readonly<Record<string, string>>
  readonly asked: string | undefined
}

/** Returns a refusal's members: those of a problem (RFC 9457), or of storage's XML. */
function problemOf(body: unknown, status: number, { call: operation, path, asked }: ProblemCall): unknown {
  if (isObject(body)) {
    // Some deployments distinguish an unknown path from a path that allows other methods.
    const about =
      body.code === 'invalid-json'
        ? subjectOfBody(String(body.detail))
        : subjectOfPath(body.code, path.workflow_id, asked)
    return { ...body, operation, ...(about !== undefined && { about }) }
  }
  const xml = String(body ?? '')
  const element = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? null
  const detail = element('Message') ?? ''
  return { status, code: element('Code') ?? 'storage-error', detail, about: subjectOf(detail), operation }
}

/** Returns the subject of a refusal by storage: the media type, length, encoding, time or address, or a second PUT. */
function subjectOf(detail: string): string | undefined {
  if (detail.startsWith('Content-Type')) return 'type'
  if (/^The body has .* bytes/.test(detail)) return 'length'
  if (detail.startsWith('There were headers')) return 'encoding'
  if (detail.startsWith('The object is stored')) return 'again'
  if (detail.includes('expired')) return 'time'
  return /^(The URL differs|No upload was)/.test(detail) ? 'address' : undefined
}
