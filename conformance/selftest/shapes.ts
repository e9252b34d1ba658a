/** Sound deployments whose answers have a shape that no variant has. */
import { isObject } from '../../src/contract/json.ts'
import type { Schemas } from '../../src/contract/operations.ts'
import { decides } from './decisions.ts'
import { adds, changeAt, changeNamed, changeValues, mapMembers, without } from './json.ts'
import { lastWithSecond } from './mutants/step-order.ts'
import { countsFrom, queued, showsTimes, stepsInTurn } from './step-times.ts'
import { answerFields } from './variants/fields.ts'
import {
  changeAnswer,
  changeAnswers,
  changeBody,
  changeDetails,
  changeExecutions,
  changeRequest,
  compose,
  jsonOf,
  type Members,
  onCalls,
  onRepeats,
  refuseWhen,
  serviceCalls,
  type Wrapper,
  withState,
  wrap,
} from './wrapper.ts'

/** Shapes by their identifiers, some with the number of checks that cannot decide there. */
type Shapes = Readonly<Record<string, Wrapper | readonly [Wrapper, undecided: number]>>

type Execution = Schemas['Execution']
type Step = Schemas['Step']
type ExecutionStep = Schemas['ExecutionStep']

const inAnswers = (change: (body: Members) => unknown) => changeAnswers(serviceCalls, change)

const inValues = (change: (name: string, value: unknown) => unknown) => inAnswers(changeValues(change))

const inNamed = (names: readonly string[], change: (value: unknown) => unknown) =>
  inValues((name, value) => (names.includes(name) ? change(value) : value))

const inWorkflows = (change: (workflow: Schemas['Workflow']) => unknown) =>
  compose(changeAnswer('createWorkflow', change), changeDetails(change))

const inSteps = (change: (step: Step, index: number) => unknown) => inWorkflows(changeAt('steps.*', change))

/** Changes the executions that the details list. */
const inListed = (change: (execution: Execution) => unknown) => changeDetails(changeAt('recent_executions.*', change))

const inExecutions = (change: (execution: Execution) => unknown) =>
  compose(changeAnswer('executeWorkflow', change), inListed(change))

const inExecutionSteps = (change: (step: ExecutionStep, index: number) => unknown) =>
  inExecutions(changeAt('steps.*', change))

/** Changes the steps of workflows and those of executions. */
const inAllSteps = (change: (step: Step | ExecutionStep, index: number) => unknown) =>
  compose(inSteps(change), inExecutionSteps(change))

const inMetrics = (change: (figures: Schemas['ExecutionMetrics']) => unknown) =>
  changeDetails(changeAt('execution_metrics', change))

/** Approves a step with each read, and shows it so. */
const whileDecided = (...shown: readonly Wrapper[]) => compose(decides('one by one'), ...shown)

const upper = (text: unknown) => String(text).toUpperCase()
const enums = ['type', 'execution_mode', 'priority']
const numbers: Members = { approval: 1, standard: 2, high: 3 }
const states: Members = { approved: 'DONE', waiting: 'NEW' }
const system = 'system@corp.example'
const admin = { name: 'Admin', email: 'admin@corp.example' }

const allAnswers: Shapes = {
  'paged-lists': inNamed(['steps', 'approvers', 'recent_executions', 'step_performance'], (items) => ({
    items,
    total: (items as readonly unknown[]).length,
    page: 1,
  })),
  // As GraphQL has lists.
  'edges-and-nodes': inValues((_, value) =>
    Array.isArray(value) && value.every(isObject)
      ? {
          edges: value.map((node, index) => ({ cursor: `c${index}`, node })),
          pageInfo: { hasNextPage: false, totalCount: value.length },
        }
      : value,
  ),
  'typed-values': inValues((name, value) =>
    value === null || typeof value === 'object' || answerFields.has(name) ? value : { type: typeof value, value },
  ),
  // Each value stands behind its type, as in DynamoDB.
  'values-by-type': inValues((name, value) =>
    value === null || typeof value === 'object' || answerFields.has(name) ? value : { [typeof value]: value },
  ),
  // As ABAP has booleans.
  'flags-as-x-or-nothing': inNamed(['isSequential'], (value) => (value ? 'X' : '')),
  'enums-upper-case': inNamed(enums, upper),
  'enums-as-numbers': inNamed(enums, (word) => numbers[String(word)] ?? word),
  'numbers-as-texts': inValues((_, value) => (typeof value === 'number' ? String(value) : value)),
  'times-in-milliseconds': inValues((_, value) =>
    /^\d{4}-\d\d-\d\dT/.test(String(value)) ? Date.parse(String(value)) : value,
  ),
  'durations-in-iso-8601': inNamed(['estimated_duration'], (minutes) => `PT${minutes}M`),
  'durations-with-units': inNamed(['estimated_duration'], (value) => ({ value, unit: 'minutes' })),
  'status-objects': inNamed(['status'], (label) => ({ code: upper(label), label })),
  'localized-names': inNamed(['name', 'description'], (text) => text && { en: text, de: text }),
  'names-with-prefix': inAnswers((body) =>
    mapMembers(body, (name, value) => [answerFields.has(name) ? name : `x_${name}`, value]),
  ),
  'resource-with-links': inAnswers((resource) => ({
    kind: 'answer',
    version: 'v1.2.3',
    resource,
    links: { self: '/' },
  })),
  'steps-in-alphabetical-order': inNamed(['steps', 'step_performance'], (steps) =>
    (steps as Step[]).toSorted((one, other) => (one.step_id < other.step_id ? -1 : 1)),
  ),
  // Hypertext Application Language: the lists are embedded.
  hal: inAnswers((body) => {
    const lists = Object.keys(body).filter((name) => Array.isArray(body[name]))
    const embedded = Object.fromEntries(lists.map((name) => [name, body[name]]))
    return { _links: { self: { href: '/' } }, _embedded: embedded, ...without(body, ...lists) }
  }),
  // Answers show identifiers, states and figures, and hardly anything that was sent.
  minimal: inAnswers((body) => {
    const kept = /_id$|upload_url|^key$|status|metrics|performance|recommend|bottle/
    return Object.fromEntries(Object.entries(body).filter(([name]) => kept.test(name)))
  }),
}

const workflows: Shapes = {
  // The name of the template stands where others have that of the workflow.
  'title-and-template': inWorkflows(({ name: title, ...body }) => ({ title, name: 'Approval workflow', ...body })),
  // Bottlenecks name steps by identifiers of the server.
  'own-ids-of-steps': compose(
    inSteps((step, index) => ({ id: `st_${index}90`, ...step })),
    changeDetails(adds({ bottlenecks: [{ step_id: 'st_190', reason: 'It is the slowest.' }] })),
  ),
  'steps-by-identifier': inWorkflows(({ steps, ...body }) => ({
    ...body,
    steps: Object.fromEntries(steps.map(({ step_id, ...step }) => [step_id, step])),
  })),
  // Each step has the next one within it.
  'steps-as-tree': inWorkflows(({ steps, ...body }) => ({
    ...body,
    root: steps.reduceRight<unknown>((next, step) => ({ ...step, next }), null),
  })),
  // JSON:API with the steps beside the workflow.
  'included-steps': inWorkflows(({ steps, ...attributes }) => ({
    data: {
      type: 'workflow',
      id: attributes.workflow_id,
      attributes,
      relationships: { steps: { data: steps.map(({ step_id: id }) => ({ type: 'step', id })) } },
    },
    included: steps.map(({ step_id: id, ...step }) => ({ type: 'step', id, attributes: step })),
  })),
  'positions-from-zero': inAllSteps((step, index) => ({ position: index, sequence: 10 * step.order, ...step })),
  'owners-of-steps': inAllSteps((step) => ({ ...step, owner: admin, order_label: `#${step.order}` })),
  'shares-of-duration': inAllSteps(adds({ duration_share: 0.33, duration: 5 })),
  'approvers-as-texts': inSteps((step) => ({
    ...step,
    approvers: step.approvers.map(({ name, email }) => `${name} <${email}>`),
  })),
  'approver-groups': inSteps(({ approvers: members, ...step }) => ({
    ...step,
    approval: { rule: 'any', type: 'group', name: 'Group of approvers', members },
  })),
  'first-approver-too': inSteps((step) => ({
    ...step,
    approver: step.approvers[0],
    approver_count: step.approvers.length,
  })),
  'approvers-beside-steps': inWorkflows(({ steps, ...body }) => ({
    ...body,
    steps: steps.map(({ approvers, ...step }) => step),
    approvers: steps.flatMap(({ step_id, approvers }) => approvers.map((one) => ({ step_id, ...one }))),
  })),
  'approvers-by-reference': inWorkflows(({ steps, ...body }) => ({
    ...body,
    steps: steps.map(({ approvers, ...step }, place) => ({
      ...step,
      approvers: approvers.map((_, index) => ({ user: `u_${place}0${index}` })),
    })),
    users: steps.flatMap(({ approvers }, place) =>
      approvers.map((one, index) => ({ id: `u_${place}0${index}`, ...one })),
    ),
  })),
  'names-in-one-text': inWorkflows((body) => ({ ...body, summary: body.steps.map(({ name }) => name).join(' → ') })),
  'formatted-description': inWorkflows((body) => ({
    ...body,
    description: { format: 'plain', text: body.description },
  })),
  // The answer to creating a workflow has only the beginning of its description.
  'preview-of-description': changeAnswer('createWorkflow', ({ description, ...body }) => ({
    ...body,
    preview: description.slice(0, 20),
  })),
}

/** Shows who has decided so far. Steps are claimed until all have been decided. */
const inDecisions = inExecutions(({ steps, status, ...body }) => ({
  ...body,
  status,
  steps: steps.map(({ step_id, assignee, decided_at }) => ({
    step_id,
    state: status === 'approved' ? 'approved' : 'claimed',
    decisions: decided_at && assignee ? [assignee.email] : [],
  })),
}))

const executions: Shapes = {
  // A duration, whose name begins with a preposition and ends with a word of success.
  'took-no-time': inExecutions((execution) => ({ ...execution, took: 0 })),
  // Whom the steps are routed to, by the name of the person.
  'routed-to': changeAnswer('executeWorkflow', ({ steps, ...body }) => ({
    ...body,
    routed_to: steps.flatMap(({ step_id, assignee }) => (assignee ? [{ step_id, ...assignee }] : [])),
  })),
  // People who are neither the submitter nor approvers.
  'people-around': changeExecutions(adds({ created_by: admin, watchers: [{ name: 'Wanda', email: system }] })),
  'link-to-workflow': changeExecutions(
    adds({ workflow: { name: 'see workflow', description: null, type: 'workflow' } }),
  ),
  'execution-beside-workflow': changeAnswer('executeWorkflow', ({ workflow_id: id, ...execution }) => ({
    execution,
    workflow: { id, name: 'a workflow', status: 'active' },
  })),
  'snapshot-of-workflow': changeAnswer('executeWorkflow', (body) => ({
    ...body,
    workflow: {
      workflow_id: body.workflow_id,
      name: 'Snapshot of a workflow',
      description: 'Copied when the execution began.',
      isSequential: true,
      steps: [],
    },
  })),
  'submitter-object': inExecutions(({ submitter_email: email, ...body }) => ({
    ...body,
    submitter: { display: 'A customer', email },
  })),
  'current-step': inListed((body) => {
    const name = body.steps.find(({ status }) => status === 'assigned')?.name
    return { ...body, current_step: { name, order: 1, type: 'human' }, progress: 33 }
  }),
  // The service shows the settings that it applies beside those that were sent.
  'effective-choices': inListed(adds({ effective: { priority: 'normal', execution_mode: 'express' } })),
  'steps-by-name': inExecutionSteps(({ step_id, order, ...step }) => step),
  // The order is that of a queue.
  'own-order': inExecutionSteps(({ order, ...step }, index) => ({ ...step, queue_order: index === 0 ? 0 : 99 })),
  'own-type-and-priority': inExecutionSteps((step, index) => ({
    ...step,
    priority: index ? 'normal' : 'high',
    type: index ? 'approval' : 'fast-track',
  })),
  // A stand-in, and people who are only notified.
  substitutes: inExecutionSteps(adds({ fallback: admin, notified: [system] })),
  'history-of-steps': inExecutionSteps((step) => ({
    ...step,
    history: [
      { type: 'created', status: 'waiting', by: system },
      { type: step.status, status: step.status, by: step.assignee?.email ?? null },
    ],
  })),
  // Open and decided steps only, under another name.
  assignments: inExecutions(({ steps, ...body }) => ({
    ...body,
    assignments: steps
      .filter(({ assignee }) => assignee)
      .map(({ step_id: step, assignee, status: state }, index) => ({
        assignment_id: `as_${index}001`,
        step,
        approver_email: assignee?.email,
        state,
      })),
  })),
  tasks: inExecutions(({ steps, ...body }) => ({
    ...body,
    tasks: steps.map(({ step_id: id, name, assignee, status: state }, index) => ({
      task_id: 7000 + index,
      step: { id, name },
      assigned_to: assignee?.email ?? null,
      state,
    })),
  })),
  'other-words-for-states': compose(
    decides('all at once'),
    inNamed(['status'], (word) => states[String(word)] ?? word),
  ),
  // Steps are unassigned until an approver claims them.
  unclaimed: inExecutionSteps(({ routing, ...step }) => ({ ...step, assignee: null })),
  'decided-by-the-last-so-far': compose(decides('last first', ['executeWorkflow']), inDecisions),
  'decided-by-the-first-so-far': compose(decides('one by one', ['executeWorkflow']), inDecisions),
  // Notes of approvers, reminders and lateness, which only some steps have.
  'notes-of-some-steps': whileDecided(
    inExecutionSteps((step, index) => ({
      ...step,
      comment: step.decided_at && index > 0 ? 'ok' : null,
      reminded_at: index === 1 ? step.assigned_at : null,
      sla: step.decided_at && index === 1 ? 'late' : 'on time',
      viewed: index > 0 && step.decided_at !== null,
    })),
  ),
  // Where a step stands in the list, and its neighbours.
  'neighbours-of-steps': inExecutionSteps(({ order, ...step }, index) => ({
    ...step,
    position: index + 1,
    is_first: index === 0,
    has_previous: index > 0,
    previous_position: index > 0 ? index : null,
  })),
  'next-approver': whileDecided(inExecutions(showsNextApprover)),
  // Deadlines and estimates are set for each step when it is its turn, and a later change touches it.
  'deadlines-of-steps': whileDecided(
    inExecutionSteps(({ decided_at: ended, ...step }) => ({
      ...step,
      due_at: step.assigned_at && new Date(Date.parse(step.assigned_at) + 172_800_000).toISOString(),
      updated_at: ended ?? step.assigned_at,
    })),
  ),
  // Approved steps are archived when all have ended.
  'archived-steps': whileDecided(
    inExecutions((execution) => ({
      ...execution,
      steps: execution.steps.map((step) => (execution.status === 'approved' ? { ...step, status: 'archived' } : step)),
    })),
  ),
  // Every ended execution is completed; another member says that it was rejected.
  'completed-although-rejected': whileDecided(
    inListed(({ status, ...execution }) => ({
      ...execution,
      state: status === 'running' ? 'active' : 'completed',
      outcome: status === 'running' ? null : 'rejected',
    })),
    inMetrics(({ approved, rejected, ...figures }) => ({
      ...figures,
      rejected: approved + rejected,
      success_rate: approved + rejected > 0 ? 0 : null,
    })),
  ),
  // When a step is rejected, the steps after it are cancelled. They never had an assignee.
  'cancelled-before-they-were-assigned': whileDecided(
    inExecutions(({ steps, ...execution }) => {
      const [first, ...others] = steps.toSorted((one, other) => one.order - other.order)
      const isOver = first?.status === 'approved'
      const cancelled = others.map((step) => ({ ...step, status: 'cancelled' }))
      const outcome = { ...execution, status: 'rejected', steps: [{ ...first, status: 'rejected' }, ...cancelled] }
      return isOver ? outcome : { ...execution, steps }
    }),
  ),
  // A trail of the steps that were entered, beside the tasks that are open.
  'trail-and-open-tasks': whileDecided(
    inExecutions(({ steps, ...execution }) => ({
      ...execution,
      steps: steps.map(({ step_id }) => ({ step_id })),
      trail: steps.filter(({ assignee }) => assignee).map(({ step_id, assigned_at: at }) => ({ step_id, at })),
      open: steps.filter(({ status }) => status === 'assigned').map(({ step_id, assignee }) => ({ step_id, assignee })),
    })),
  ),
}

/** Shows in each step who approves the next one. */
function showsNextApprover({ steps, ...execution }: Execution) {
  const byOrder = steps.toSorted((one, other) => one.order - other.order)
  const nextOf = ({ order }: ExecutionStep) => byOrder.find((other) => other.order > order)
  return {
    ...execution,
    steps: steps.map((step) => ({ ...step, next_approver: nextOf(step)?.assignee?.email ?? null })),
  }
}

/** Returns a time for each step that was approved, which follows from its identifier, and the step that takes longest. */
function timesIn({ step_performance }: Pick<Schemas['WorkflowDetails'], 'step_performance'>) {
  const msOf = (step_id: string) =>
    [...step_id].reduce((sum, letter, at) => (sum + at * letter.charCodeAt(0)) % 997, 100)
  const rows = step_performance.map(({ step_id, approved }) => ({ step_id, ms: approved > 0 ? msOf(step_id) : null }))
  const timed = rows.flatMap(({ step_id, ms }) => (ms === null ? [] : [{ step_id, ms }]))
  const [slowest] = timed.toSorted((one, other) => other.ms - one.ms)
  return { rows, slowest: slowest?.step_id ?? null, sum: timed.reduce((total, { ms }) => total + ms, 0) }
}

/** Shows the figures of executions as rows of names and values. */
function asRows(figures: Schemas['ExecutionMetrics'], slowest: string | null) {
  const { completion_time, ...counts } = figures
  const all = { ...counts, completion_minutes: completion_time?.mean_minutes ?? null, bottleneck: slowest }
  return Object.entries(all).map(([name, value]) => ({ name, value, kind: typeof value }))
}

const details: Shapes = {
  // Analytics and advice under names that mean nothing.
  'analytics-by-meaning': whileDecided(
    changeDetails((body) => {
      const {
        execution_metrics: figures,
        bottlenecks,
        optimization_recommendations,
        step_performance,
        ...others
      } = body
      const { rows, slowest, sum } = timesIn({ step_performance })
      return {
        ...others,
        w: { all: figures.total, q: figures.success_rate, d: figures.completion_time && sum },
        p: step_performance.map(({ step_id, assigned, approved }, at) => ({
          step_id,
          assigned,
          approved,
          t: rows[at]?.ms,
        })),
        e: slowest,
        r: slowest === null ? [] : [`See to ${slowest} soon`],
      }
    }),
  ),
  'slowest-step-marked': whileDecided(
    changeDetails(({ bottlenecks, step_performance, ...body }) => {
      const { rows, slowest } = timesIn({ step_performance })
      return { ...body, step_performance: rows.map((row) => ({ ...row, n: row.step_id === slowest })) }
    }),
  ),
  'slowest-step-marked-twice': whileDecided(
    changeDetails(({ bottlenecks, step_performance, ...body }) => {
      const { rows, slowest } = timesIn({ step_performance })
      const advice = slowest && { about: slowest, text: 'Name a stand-in reviewer' }
      return { ...body, advice, step_performance: rows.map((row) => ({ ...row, n: row.step_id === slowest })) }
    }),
  ),
  // The order of the steps tells which time belongs to which.
  'times-in-the-order-of-steps': whileDecided(
    changeDetails(({ bottlenecks, step_performance, ...body }) => {
      const { rows, slowest } = timesIn({ step_performance })
      return { ...body, slowest, step_ms: rows.map(({ ms }) => ms) }
    }),
  ),
  // Beside the definition, each step has the approvers who have been asked so far.
  'approvers-asked-so-far': whileDecided(
    changeDetails(({ steps, step_performance, recent_executions, ...body }) => {
      const asked = recent_executions.flatMap((one) => one.steps.flatMap(({ assignee }) => assignee?.email ?? []))
      const performance = steps.map(({ step_id, approvers }, at) => ({
        ...step_performance.find((one) => one.step_id === step_id),
        approvers: approvers.flatMap(({ email }) => (asked.includes(email) ? { email, decisions: at } : [])),
      }))
      return { ...body, steps, recent_executions, step_performance: performance }
    }),
  ),
  'figures-as-rows': whileDecided(
    changeDetails(({ bottlenecks, execution_metrics, ...body }) => ({
      ...body,
      figures: asRows(execution_metrics, timesIn(body).slowest),
    })),
  ),
  'figures-as-time-series': whileDecided(
    changeDetails(({ execution_metrics, step_performance, ...body }) => {
      const { total, success_rate, completion_time } = execution_metrics
      const execution_minutes_avg = completion_time?.mean_minutes ?? null
      const ofSteps = timesIn({ step_performance }).rows.flatMap(({ step_id, ms }) => [
        { name: 'step_duration_avg', labels: { step: step_id }, value: ms, unit: 'ms' },
        { name: 'step_runs', labels: { step: step_id }, value: ms === null ? 0 : 1, unit: '1' },
      ])
      const whole = Object.entries({ executions_total: total, success_rate, execution_minutes_avg })
      return { ...body, series: [...whole.map(([name, value]) => ({ name, value, unit: '1' })), ...ofSteps] }
    }),
  ),
  // All parts in one list, with what is advised beside the bottleneck.
  'parts-in-one-list': whileDecided(
    changeDetails(({ recent_executions, execution_metrics, step_performance, bottlenecks, ...workflow }) => ({
      entry: [
        { workflow: without(workflow, 'optimization_recommendations') },
        { report: { execution_metrics, step_performance } },
        {
          guidance: {
            bottleneck: bottlenecks,
            note: workflow.steps.map(({ name }) => ({ text: `See to ${name} soon` })),
          },
        },
        ...recent_executions.map((execution) => ({ execution })),
      ],
    })),
  ),
  // Figures of all workflows, which grow with each read.
  'totals-of-tenant': withState(() => {
    let started = 50
    return changeDetails((body) => {
      started += 1
      return { ...body, usage: { total: 57, started, success_rate: 0.87 } }
    })
  }),
  'audit-trail': changeDetails((body) => ({
    ...body,
    audit: [
      { type: 'created', name: 'Workflow created', at: body.created_at },
      ...body.recent_executions.map(({ document_id, submitter_email: email }) => {
        return { type: 'executed', name: 'Execution started', document_id, email, order: 1 }
      }),
    ],
  })),
  'latest-execution-only': changeDetails(({ recent_executions: [latest_execution = null], ...body }) => ({
    ...body,
    latest_execution,
  })),
  'executions-by-day': changeDetails(({ recent_executions: entries, ...body }) => ({
    ...body,
    executions_by_day: entries.length > 0 ? [{ day: '2026-03-01', entries }] : [],
  })),
  versions: changeDetails((body) => ({
    ...body,
    version: 1,
    versions: [{ version: 1, name: body.name, description: null, created_by: admin }],
  })),
  'templates-of-steps': changeDetails(
    changeAt('steps.*', adds({ original: { order: 1, name: 'Step', type: 'template' } })),
  ),
  // Agreed limits and numbers of things, which no execution changes.
  'service-level': changeDetails(
    adds({
      sla: { target_minutes: 60, average_wait: 12.5, breach_rate: 0.1 },
      counts: { steps: 3, approvers: 6 },
      quota: { executions: 100 },
    }),
  ),
  'trends-below-zero': changeDetails(
    changeAt('step_performance.*', (step: object, index) => ({ ...step, trend: index - 0.5, average_delay: -1.5 })),
  ),
  // Figures of the previous month.
  'metrics-of-period': inMetrics(({ total, running, ...figures }) => ({
    ...figures,
    period: { from: '2026-02-01', to: '2026-03-01' },
    completed: 0,
  })),
  'counts-by-status': inMetrics(({ running, approved, rejected, success_rate }) => ({
    executions: { running, approved, rejected },
    success_rate,
    avg_completion_time: 'PT0S',
  })),
  'figures-as-texts': inMetrics(adds({ success_rate: '100%', completion_time: { mean: 'n/a', max: 'n/a' } })),
  // In pairs of a name and a value, no check finds the figures.
  'figures-in-pairs': [inMetrics((figures) => Object.entries(figures).map(([name, value]) => ({ name, value }))), 2],
  // A page's cards have labels beside their values.
  cards: inMetrics((figures) =>
    Object.entries({ ...figures, completion_time: null }).map(([name, value]) => {
      const label = name.replaceAll('_', ' ')
      return { type: 'stat', id: `c-${name}`, label: name === 'total' ? 'Total of executions' : label, value }
    }),
  ),
  // All figures are told in sentences.
  'figures-in-sentences': [
    changeDetails(({ execution_metrics, step_performance, bottlenecks, optimization_recommendations, ...body }) => ({
      ...body,
      summary: `${execution_metrics.total} executions. Success rate: n/a. Average completion time: n/a. Bottleneck: none.`,
      advice: 'There is nothing to improve yet.',
    })),
    5,
  ],
  // The figures of a step are beside its other attributes, two levels down.
  'performance-in-attributes': changeDetails(({ step_performance, ...body }) => ({
    ...body,
    included: step_performance.map(({ step_id, ...figures }) => ({
      type: 'steps',
      attributes: { key: step_id, performance: figures },
    })),
  })),
  // A diagram of the process, with its first step and the arrows between steps.
  diagram: changeDetails((body) => {
    const ids = body.steps.toSorted((a, b) => a.order - b.order).map(({ step_id }) => step_id)
    return { ...body, flow: { start: ids.slice(0, 1), edges: ids.map((id, at) => [id, ids[at + 1] ?? 'end']) } }
  }),
  'totals-with-drafts': inMetrics((figures) => ({ ...figures, drafts: 3, total_including_drafts: figures.total + 3 })),
  'report-in-words': changeDetails((body) => ({
    ...body,
    report: `${body.name}: ${body.execution_metrics.total} executions, rate n/a.`,
  })),
  // The total is right in every third answer, and otherwise one behind.
  'total-from-replicas': withState(() => {
    let reads = 0
    return inMetrics(({ total, ...figures }) => {
      reads += 1
      return { ...figures, total: reads % 3 === 0 ? total : Math.max(0, total - 1) }
    })
  }),
}

const uploads: Shapes = {
  // The signature of an upload URL is the session without its hyphens.
  'session-is-signature': compose(
    wrap(async (request, inner) => {
      const url = request.url.replace(/[&?]sig=[\da-f]{32}$/, '')
      return inner(url === request.url ? request : await changeRequest(request, { url }))
    }),
    changeAnswer('requestUpload', (body) => {
      const mark = body.upload_url.includes('?') ? '&' : '?'
      return { ...body, upload_url: `${body.upload_url}${mark}sig=${body.session_id.replaceAll('-', '')}` }
    }),
  ),
  // Confirmed files are moved.
  'moved-keys': changeAnswer('confirmUpload', (body) => ({
    ...body,
    key: body.key.replace('/uploads/', '/documents/'),
  })),
  // The file's own type is not its media type.
  'file-object': changeAnswers(
    ['requestUpload', 'confirmUpload'],
    ({ file_name, content_type, file_size, ...body }) => ({
      ...body,
      file: { name: file_name ?? 'file', type: 'file', size: file_size ?? 0 },
    }),
  ),
  'limits-of-uploads': changeAnswer(
    'requestUpload',
    adds({
      limits: { file_size: 104_857_600, content_type: ['application/pdf', 'image/png'] },
      name: 'upload',
      type: 'presigned',
    }),
  ),
  // What a scan found, and figures of the stored object.
  'scan-report': changeAnswer(
    'confirmUpload',
    adds({
      checks: [{ name: 'virus', type: 'scan', file_size: 0, ok: true }],
      pages: 3,
      size_on_disk: 4096,
      etag: '0123456789abcdef'.repeat(2),
    }),
  ),
  'latest-documents': withState(() => {
    const documents: unknown[] = []
    return changeAnswer('confirmUpload', (body) => {
      documents.push(body)
      return { ...body, recent: documents.slice(-3) }
    })
  }),
}

/** Writes an answer with flat names, such as `"run[0].id"`, and texts for numbers. */
function flat(value: unknown, name = ''): Members {
  if (Array.isArray(value)) {
    const items = value.map((item, index) => flat(item, `${name}[${index}]`))
    return Object.assign({ [`${name}.size`]: String(value.length) }, ...items)
  }
  if (!isObject(value)) return { [name]: value === null ? '' : String(value) }
  return Object.assign({}, ...Object.entries(value).map(([inner, one]) => flat(one, name ? `${name}.${inner}` : inner)))
}

/** Writes a list of objects as a table of columns and rows. */
function table(items: readonly object[]): object {
  const columns = Object.keys(items[0] ?? {})
  return {
    columns: columns.map((name) => ({ name })),
    rows: items.map((item) => columns.map((name) => item[name as keyof typeof item])),
  }
}

/** Writes a list of objects as a table of wrapped columns, rows and cells, as BigQuery does. */
function wrappedTable(items: readonly object[]): object {
  const fields = Object.keys(items[0] ?? {}).map((name) => ({ name, type: 'STRING', mode: 'NULLABLE' }))
  const cell = (value: unknown) => ({ v: value === null ? null : String(value) })
  return {
    schema: { fields },
    rows: items.map((item) => ({ f: Object.values(item).map(cell) })),
    totalRows: String(items.length),
  }
}

/** Answers that write lists and objects in another form. */
const forms: Shapes = {
  'tables-of-wrapped-cells': changeDetails(({ step_performance, ...details }) => ({
    ...details,
    step_performance: wrappedTable(
      step_performance.map(({ step_id, assigned, approval_rate }) => ({
        step_id,
        step_name: details.steps.find((step) => step.step_id === step_id)?.name,
        assigned,
        approval_rate,
      })),
    ),
  })),
  'flat-names': inAnswers((body) => flat(body, 'result')),
  'tables-of-columns': changeExecutions(({ steps, recent_executions, ...body }) => ({
    ...body,
    steps: table(steps as object[]),
    ...(Array.isArray(recent_executions) && {
      recent_executions: table(recent_executions.map(({ steps: _, ...one }) => one)),
      tasks: table(
        recent_executions.flatMap(({ execution_id, steps: own }) =>
          own.map(({ step_id, status, assignee }: ExecutionStep) => ({
            execution_id,
            step_id,
            status,
            assignee: assignee?.email ?? null,
          })),
        ),
      ),
    }),
  })),
  // Resources of several types in one list, as `included` in JSON:API.
  'resources-by-type': changeDetails(({ optimization_recommendations, recent_executions, ...details }) => ({
    data: details,
    included: [
      ...recent_executions.map((one) => ({ type: 'executions', id: one.execution_id, attributes: one })),
      ...optimization_recommendations.map(({ message }, index) => ({
        type: 'recommendations',
        id: String(index),
        attributes: { message },
      })),
      ...(optimization_recommendations.length === 0
        ? [{ type: 'recommendations', id: 'none', attributes: { message: 'Nothing can be improved yet.' } }]
        : []),
    ],
  })),
  // A list of one for the answer and for its metrics, and advice that is called a hint.
  'list-of-one-with-hints': changeDetails(({ optimization_recommendations, execution_metrics, ...details }) => [
    { ...details, stat: [execution_metrics], hint: [{ text: 'Please remind the approvers of the first step' }] },
  ]),
  // One trail of events of all executions, which begins before the first of them.
  'trail-of-events': changeDetails(({ recent_executions, ...details }) => ({
    ...details,
    events: [
      { kind: 'created', at: details.created_at, data: { name: details.name } },
      ...recent_executions.toReversed().flatMap(({ execution_id, document_id, submitter_email, started_at, steps }) => [
        { kind: 'started', at: started_at, data: { execution_id, document_id, submitter_email } },
        ...steps
          .filter(({ assigned_at }) => assigned_at)
          .map(({ step_id, assigned_at, assignee }) => ({
            kind: 'assigned',
            at: assigned_at,
            data: { execution_id, step_id, approver: assignee?.email },
          })),
      ]),
    ],
  })),
  'sizes-of-fixed-length': changeAnswer('confirmUpload', ({ file_size, ...body }) => ({
    ...body,
    bytes: String(file_size).padStart(10, '0'),
  })),
  'steps-as-sentences': inSteps(
    ({ step_id, name, approvers }) =>
      `"${name}" [${step_id}] is approved by ${approvers.map(({ email }) => `<${email}>`).join(' or ')}.`,
  ),
}

const desk = { email: 'desk@example.com', name: 'Desk' }

const inExecuteAnswer = (change: (steps: readonly ExecutionStep[]) => Members) =>
  changeAnswer('executeWorkflow', ({ steps, ...body }) => ({ ...body, ...change(steps) }))

/** Shows isSequential as something else. */
const inSequence = (show: (isSequential: boolean) => Members) =>
  inWorkflows(({ isSequential, ...body }) => ({ ...body, ...show(isSequential) }))

/** Marks a step by its order as soon as there is an execution, and shows no other state of steps. */
const marking = (section: string, markOf: (position: number, reads: number) => unknown) =>
  withState(() => {
    const reads = new Map<string, number>()
    const mark = changeDetails(({ recent_executions, ...body }) => {
      const isExecuted = recent_executions.length > 0
      const read = reads.get(body.workflow_id) ?? 0
      if (isExecuted) reads.set(body.workflow_id, read + 1)
      const steps = body.steps.map(({ step_id, order }) => {
        return { step_id, average_seconds: null, mark: markOf(isExecuted ? order - 1 : 2, isExecuted ? read : 0) }
      })
      return { ...body, recent_executions, step_performance: [], [section]: steps }
    })
    return compose(
      mark,
      inExecutions(({ steps, ...execution }) => execution),
    )
  })

const marks: Readonly<Record<string, (position: number, reads: number) => unknown>> = {
  bottleneck: (position) => position === 0,
  'moving-bottleneck': (position, reads) => position === Math.floor(reads / 3),
  rank: (position, reads) => (reads < 3 ? [1, 2, 2] : [3, 1, 2])[position],
  share: (position, reads) => (reads < 3 ? ['100 %', '0 %', '0 %'] : ['40 %', '100 %', '0 %'])[position],
  text: (position) => (position === 0 ? 'slowest' : 'normal'),
  'moving-text': (position, reads) => (position === Math.floor(reads / 3) ? 'slowest' : 'normal'),
}

/** Names and states in words that no vocabulary has. */
const inUnknownWords = inAnswers((body) => {
  const reversed = (word: string) => [...word].reverse().join('')
  return mapMembers(body, (name, value) => [
    answerFields.has(name) || /\W/.test(name) ? name : reversed(name),
    name === 'status' ? reversed(String(value)) : value,
  ])
})

/** Executions that are rejected at their second step, so that the last one waits for ever. */
const rejectsSecond = compose(
  decides('all at once'),
  inListed((execution) => {
    if (execution.status !== 'approved') return execution
    const open = { status: 'waiting', assignee: null, assigned_at: null, decided_at: null, routing: null }
    const steps = execution.steps.map((step) =>
      step.order === 1 ? step : { ...step, ...(step.order === 2 ? { status: 'rejected' } : open) },
    )
    return { ...execution, status: 'rejected', steps }
  }),
)

/** The same beside counts of something else that was completed. */
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

/** Lists some of the running executions. */
const listsRunning = (most: number, order: 'newest' | 'oldest') =>
  whileDecided(
    changeDetails(({ recent_executions: all, ...body }) => {
      const sorted = order === 'newest' ? all : all.toReversed()
      return { ...body, executions: sorted.filter(({ status }) => status === 'running').slice(0, most) }
    }),
  )

/** Shows beside each step of an execution a person who is not one of its approvers. */
const strangers = inListed(
  changeAt('steps.*', ({ assignee, routing, ...step }: ExecutionStep) => ({ ...step, responsible: desk.email })),
)

const sameFileName = (_: Request, { file_name }: Members) => file_name
const again = (answer: Members) => Response.json(answer)

/** Numbers documents under a name that is in no vocabulary. */
const numbersDocuments = withState(() => {
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
    changeExecutions(changeNamed('document_id', numberOf)),
    changeAnswer('confirmUpload', ({ document_id, ...body }) => ({ ...body, beleg: numberOf(document_id) })),
  )
})

const typesOfEnums: Readonly<Record<string, string>> = {
  type: 'STEP_TYPE',
  priority: 'PRIORITY',
  execution_mode: 'EXECUTION_MODE',
  status: 'STATE',
}

/** Answers that use the names of an execution's fields for something else. */
const otherThings: Shapes = {
  ...Object.fromEntries(
    Object.entries(marks).flatMap(([what, markOf]) => [
      [`${what}-in-performance`, marking('step_performance', markOf)],
      [`${what}-elsewhere`, marking('hints', markOf)],
    ]),
  ),
  'opposite-of-sequential': inSequence((isSequential) => ({ parallel: !isSequential })),
  'opposite-by-unknown-name': inSequence((isSequential) => ({ xyz: !isSequential })),
  'mode-of-workflow': inSequence((isSequential) => ({ mode: isSequential ? 'in_order' : 'Parallel' })),
  'number-of-parallel-steps': inSequence((isSequential) => ({ parallel_steps: isSequential ? 0 : 3 })),
  'minus-1-until-there-is-a-rate': inMetrics(adds({ success_rate: -1, completion_time: -1 })),
  'total-of-ended': whileDecided(
    inMetrics(({ running, approved: total, rejected, ...figures }) => ({ ...figures, total })),
  ),
  'size-of-first-part': changeAnswer('confirmUpload', (body) => ({
    ...body,
    first_part: Math.min(body.file_size, 65_536),
  })),
  'digests-of-others': changeAnswer(
    'confirmUpload',
    adds({
      previous_sha256: '0f'.repeat(32),
      sse_customer_key_md5: '0f'.repeat(16),
      version: `sha256:${'0f'.repeat(32)}`,
    }),
  ),
  'no-number-of-document': changeAnswer('executeWorkflow', adds({ document_number: null })),
  'number-of-document-by-unknown-name': numbersDocuments,
  'execution-that-still-runs': onRepeats('executeWorkflow', ({ url }) => url, again),
  'approvers-of-open-steps-only': whileDecided(
    inListed(
      changeAt('steps.*', (step: ExecutionStep) => (step.status === 'approved' ? { ...step, assignee: null } : step)),
    ),
  ),
  // Beside each step stands who is at work on the first open one, and who was before.
  'current-approver-beside-each-step': whileDecided(
    inListed((execution) => {
      const addresses = execution.steps.map(({ assignee }) => assignee?.email ?? null)
      const current = execution.steps.findIndex(({ status }) => status === 'assigned')
      const steps = execution.steps.map(({ assignee, routing, ...step }, index) => ({
        ...step,
        now_with: addresses[current] ?? null,
        came_from: addresses[index - 1] ?? null,
      }))
      return { ...execution, steps }
    }),
  ),
  rejected: rejectsSecond,
  'rejected-beside-deadlines': rejectedBesideDeadlines,
  'responsible-for-execution': inListed(adds({ responsible: 'api@example.com' })),
  'stranger-for-each-step': strangers,
  'only-strangers': compose(
    inExecuteAnswer(() => ({})),
    strangers,
  ),
  // Some are rejected in the call, before all of their steps were reached.
  'ended-in-the-call': inExecutions(({ steps, execution_id, status, ...execution }) => {
    const isRejected = execution_id.charCodeAt(execution_id.length - 1) % 2 === 1
    const isParallel = steps.every((step) => step.status === 'assigned')
    const reached = isRejected && !isParallel ? 2 : steps.length
    return {
      ...{ ...execution, execution_id, verdict: isRejected ? 'hold' : 'ship' },
      turns: steps.map(({ step_id }, at) => ({ step_id, seen_at: at < reached ? execution.started_at : null })),
    }
  }),
  // As a chain of blocks has it: what was made before is a workflow too.
  'previous-workflow-first': withState(() => {
    let prev = 'wf_0000000000000000'
    return onCalls(['createWorkflow'], async (request, inner) => {
      const answer = await inner(request)
      if (!answer.ok) return answer
      const hash = String((await jsonOf(answer))?.workflow_id)
      const block = { prev, hash }
      prev = hash
      return Response.json({ block }, { status: answer.status })
    })
  }),
  'kind-that-is-not-the-type': inSteps(({ type, ...step }) => ({ ...step, kind: step.order === 3 ? 'last' : 'other' })),
  'type-by-a-letter': inSteps(({ type, ...step }) => ({ ...step, t: step.order === 3 ? 'review' : 'approval' })),
  // Approved steps are counted beside running executions.
  'count-of-approved-steps': compose(
    decides('one by one', ['executeWorkflow']),
    changeDetails((body) => {
      const steps = body.recent_executions.flatMap((one) => one.steps)
      const finished = steps.filter(({ status }) => status === 'approved').length
      const started = body.recent_executions.length
      return { ...body, execution_metrics: { started, finished, success_rate: null, duration: null } }
    }),
  ),
  'total-of-steps-beside-started': changeDetails(({ execution_metrics: { total: started, ...figures }, ...body }) => {
    const total = body.recent_executions.flatMap(({ steps }) => steps).length
    return { ...body, execution_metrics: { ...figures, started, total } }
  }),
  'running-only': listsRunning(9, 'newest'),
  'oldest-running-only': listsRunning(1, 'oldest'),
  'seconds-of-execution': compose(showsTimes(stepsInTurn), countsFrom('execution')),
  'seconds-of-step': compose(showsTimes(stepsInTurn), countsFrom('step')),
  'last-step-assigned-with-second': showsTimes(lastWithSecond),
  'seconds-in-queue': compose(showsTimes(queued), countsFrom('execution')),
  'urgency-of-steps': changeAnswer('executeWorkflow', changeAt('steps.*', adds({ urgency: 'low' }))),
  'owner-of-key': inListed(adds({ requested_by: 'api@example.com' })),
  'mode-of-key': inListed(({ execution_mode, ...execution }) => ({ ...execution, mode: 'test' })),
  'file-name-as-document': inListed(({ document_id, ...one }) => ({ ...one, document: 'contract.pdf' })),
  'name-of-submitter': inListed(({ submitter_email, ...one }) => ({ ...one, submitter: 'Jane Doe' })),
  'default-approvers': inExecuteAnswer(() => ({ organization: { default_approvers: [desk] } })),
  // A substitute has taken over each step, and is listed with the approver.
  'substitute-among-candidates': inExecuteAnswer((steps) => ({
    steps: steps.map(({ assignee, routing, ...step }) => ({
      ...step,
      assignee: assignee && desk,
      candidates: assignee ? [assignee, desk] : [],
    })),
  })),
  'refuses-repeated-file-names': onRepeats('requestUpload', sameFileName),
  'resumes-uploads': onRepeats('requestUpload', sameFileName, again),
  'refuses-underscores': refuseWhen(['createWorkflow'], (_, body) => JSON.stringify(body).includes('_review')),
  'refuses-parameters-of-types': refuseWhen(
    ['requestUpload'],
    (_, body) => String(body.content_type).includes(';'),
    422,
  ),
  'excluded-approvers': inExecuteAnswer(() => ({ excluded_approvers: [desk] })),
  'fallback-approvers': inExecuteAnswer((steps) => ({
    steps: steps.map(({ step_id }) => ({ step_id, fallback_approver: desk })),
  })),
  // Other workflows that were read, but not the workflow's own name.
  'names-of-related-workflows': [
    withState(() => {
      const read = new Set<string>()
      return changeDetails(({ name, ...body }) => {
        const related_workflows = [...read].filter((other) => other !== name).map((other) => ({ name: other }))
        read.add(name)
        return { ...body, related_workflows }
      })
    }),
    2,
  ],
  // As Protocol Buffers have them, such as `STEP_TYPE_APPROVAL`.
  'enums-with-their-types': inValues((name, value) => {
    const type = typesOfEnums[name]
    return type !== undefined && typeof value === 'string' ? `${type}_${value.toUpperCase()}` : value
  }),
  // As many recommendations as steps, at times; some are about no step.
  'advice-about-no-step': changeDetails(({ optimization_recommendations: _, ...details }) => {
    const others = ['rebalance', 'parallel'].map((category) => ({ category, step_id: null }))
    const slow = details.steps
      .slice(0, Math.min(2, details.recent_executions.length))
      .map(({ step_id }) => ({ category: 'slow_step', step_id }))
    return { ...details, optimization_recommendations: [...slow, ...others] }
  }),
  'advice-in-objects-by-kind': changeDetails(({ optimization_recommendations: _, ...details }) => {
    const [step, ...others] = details.steps.map(({ step_id }) => ({ step_id }))
    const advice = [{ SpeedUp: step }, ...others.slice(-1).map((one) => ({ AddApprover: one })), 'RunInParallel']
    return { ...details, optimization_recommendations: advice }
  }),
  'advice-with-types-beside-step-types': compose(
    inSteps(({ type: step_type, ...step }) => ({ ...step, step_type })),
    changeDetails(({ optimization_recommendations: _, ...details }) => ({
      ...details,
      recommendations: details.steps.slice(-1).map(({ step_id }) => ({ type: 'slow_step', step_id })),
    })),
  ),
  'durations-with-units': compose(
    inNamed(['estimated_duration'], (minutes) => `${Number(minutes) * 60}s`),
    changeDetails(({ execution_metrics: { total, running, success_rate, completion_time }, ...details }) => {
      const minutes = completion_time?.mean_minutes ?? 0
      const mean =
        minutes < 1 ? `${Math.round(minutes * 60_000)}ms` : `${Math.floor(minutes)}m${Math.round(minutes * 60) % 60}s`
      return { ...details, stats: { runs: total, running, success_rate, mean } }
    }),
  ),
  // The words of a process engine, in which a step has a type and a target of its own.
  'steps-of-an-engine': changeDetails(({ steps, step_performance, ...details }) => ({
    ...details,
    activities: steps.map(({ step_id, name, order, approvers }) => ({
      ...{ activityId: step_id, name, sequence: order, type: 'userTask', candidates: approvers },
    })),
    performance: step_performance.map(({ step_id, approved }, index) => ({
      ...{ activityId: step_id, finished: approved, targetHours: steps[index]?.estimated_duration },
    })),
  })),
  'advice-of-a-type': compose(
    inSteps((step) => without(step, 'type')),
    changeDetails(({ optimization_recommendations, steps, ...details }) => ({
      ...{ ...details, steps },
      recommendations: steps.map(({ step_id }) => ({ type: 'PARALLELIZE', step_id })),
    })),
  ),
  'figures-in-a-row': whileDecided(
    changeDetails(({ execution_metrics: { total, running, approved, success_rate, completion_time }, ...details }) => ({
      ...details,
      figures: {
        columns: ['runs', 'in_review', 'cleared', 'blocked', 'clear_rate', 'avg_ms'],
        rows: [
          [
            total,
            running,
            approved,
            total - running - approved,
            success_rate,
            (completion_time?.mean_minutes ?? 0) * 60_000,
          ],
        ],
      },
    })),
  ),
  // As many conditions as steps. The first one names no step.
  'conditions-beside-steps': changeDetails(({ optimization_recommendations, steps, bottlenecks, ...details }) => ({
    ...{ ...details, steps, bottlenecks },
    conditions: steps.map((_, index) => ({
      ...{ type: index === 0 ? 'Bottleneck' : 'Recommendation', reason: index === 0 ? 'NoData' : 'Parallelize' },
      message: steps[index - 1]?.step_id ?? '',
    })),
  })),
  'approvers-as-pairs': inSteps(({ approvers, ...step }) => ({
    ...step,
    approvers: approvers.map(({ name, email }) => [name, email]),
  })),
  // Figures of the workflow and of its steps in one list, of which one names the bottleneck.
  'figures-of-all-scopes': whileDecided(
    changeDetails(({ execution_metrics, step_performance, bottlenecks, ...details }) => {
      const { total, success_rate, completion_time } = execution_metrics
      const { rows, slowest } = timesIn({ step_performance })
      return {
        ...details,
        kpis: [
          { code: 'RUNS_TOTAL', scope: 'FLOW', value: total, unit: 'COUNT' },
          { code: 'SUCCESS_RATE', scope: 'FLOW', value: success_rate && 100 * success_rate, unit: 'PERCENT' },
          { code: 'COMPLETION_TIME_AVG', scope: 'FLOW', value: completion_time?.mean_minutes ?? null, unit: 'MINUTES' },
          { code: 'BOTTLENECK', scope: 'FLOW', value: slowest ?? null, unit: 'STEP' },
          ...rows.flatMap(({ step_id, ms }, index) => [
            { code: 'STEP_DECISIONS', scope: 'STEP', ref: step_id, value: index + 1, unit: 'COUNT' },
            { code: 'STEP_TIME_AVG', scope: 'STEP', ref: step_id, value: ms, unit: 'MILLIS' },
          ]),
        ],
      }
    }),
  ),
  'success-as-two-counts': whileDecided(
    changeDetails(({ execution_metrics, ...details }) => {
      const { total, approved, running, completion_time } = execution_metrics
      const lead_time_ms = { avg: completion_time && completion_time.mean_minutes * 60_000 }
      return {
        result: {
          ...details,
          throughput: { started: total, success: { ok: approved, of: total - running }, lead_time_ms },
        },
      }
    }),
  ),
  'measurements-with-statistics': whileDecided(
    changeDetails(({ execution_metrics, ...details }) => {
      const { total, approved, success_rate, completion_time } = execution_metrics
      const mean = completion_time && completion_time.mean_minutes * 60_000
      return {
        ...details,
        ExecutionMetrics: [
          { MetricName: 'ExecutionsStarted', Value: total, Unit: 'Count' },
          { MetricName: 'ExecutionsSucceeded', Value: approved, Unit: 'Count' },
          { MetricName: 'SuccessRate', Value: success_rate && 100 * success_rate, Unit: 'Percent' },
          { MetricName: 'ExecutionTime', Value: mean, Unit: 'Milliseconds', Statistic: 'Average' },
        ],
      }
    }),
  ),
  // Steps have a code of their own, and so has each piece of advice.
  'codes-of-steps-and-advice': whileDecided(
    compose(
      inSteps(({ step_id, ...step }) => ({ code: step_id, ...step })),
      changeDetails(({ optimization_recommendations, bottlenecks, step_performance, ...details }) => {
        const { rows, slowest } = timesIn({ step_performance })
        const conseils = [
          { code: 'BOTTLENECK', etape: slowest ?? null },
          { code: 'PARALLELIZE', etape: null },
        ]
        return { ...details, leistung: rows, conseils: slowest ? conseils : [] }
      }),
    ),
  ),
  'performance-in-names-of-figures': changeDetails(({ step_performance, ...details }) => ({
    ...details,
    ...Object.fromEntries(
      step_performance.map(({ step_id, approved }, index) => [`perf_${step_id}_count`, approved + index]),
    ),
  })),
  'figures-with-their-units': changeDetails(
    ({ execution_metrics: { total, running, success_rate, completion_time }, step_performance, ...details }) => ({
      ...details,
      metrics: {
        ...{ executions: total, underway: running },
        success: { value: success_rate, of: 'fraction' },
        completion: { value: completion_time?.mean_minutes ?? null, of: 'minutes' },
      },
      views: Object.fromEntries(
        step_performance.map(({ step_id, assigned, approved }) => [step_id, { decided: approved, waits: assigned }]),
      ),
    }),
  ),
  'figures-in-sentences': changeDetails(({ execution_metrics: { total, running, success_rate }, ...details }) => ({
    ...details,
    execution_metrics: {
      ...{ executions: total, open: running },
      success: `${Math.round((success_rate ?? 0) * 100)} % of the finished executions were approved.`,
      completion_time: 'An execution takes 20.04 seconds on average.',
    },
  })),
  // The share of landed flights in all that are down, in thousandths.
  'success-per-mille': whileDecided(
    changeDetails(({ execution_metrics: { total, running, approved, success_rate, completion_time }, ...details }) => ({
      ...details,
      flights: {
        ...{ total, running, completion_time, landed: approved, diverted: total - running - approved },
        permille: success_rate && success_rate * 1000,
      },
    })),
  ),
  // The times of the steps, without a word that is known.
  'times-of-steps-in-german': whileDecided(
    changeDetails(({ step_performance, ...details }) => ({
      ...details,
      stationen: timesIn({ step_performance }).rows.map(({ step_id, ms }) => ({
        kennung: step_id,
        dauer: ms === null ? 'keine Angabe' : `${String(ms / 1000).replace('.', ',')} s`,
      })),
    })),
  ),
  // As spreadsheets have the figures of steps.
  'numbered-columns': whileDecided(
    changeDetails(({ execution_metrics, step_performance, ...details }) => {
      const { total, approved, success_rate, completion_time } = execution_metrics
      const { rows } = timesIn({ step_performance })
      const columns = rows.map(({ step_id, ms }, index) => [
        [`step${index + 1}_id`, step_id],
        [`step${index + 1}_time`, ms === null ? '-' : `${ms * 1000} µs`],
      ])
      const success = success_rate === null ? 'undetermined' : `${approved} of ${total}`
      const figures = {
        exec_total: total,
        rate_of_consent: success,
        completion_min: completion_time?.mean_minutes ?? null,
      }
      return { ...details, ...figures, ...Object.fromEntries(columns.flat()) }
    }),
  ),
  // As BPMN has the order of tasks.
  'ways-between-steps': inWorkflows((workflow) => {
    const ids = workflow.steps.map(({ step_id }) => step_id)
    const ways = ['start', ...ids].map((from, index) => ({ source: from, target: ids[index] ?? 'end' }))
    return { ...workflow, ways }
  }),
  // As OData has figures, among them the name of a step.
  'bottleneck-among-figures': whileDecided(
    changeDetails(({ step_performance, bottlenecks, ...details }) => {
      const { rows, slowest } = timesIn({ step_performance })
      const ofSteps = rows.map(({ step_id, ms }) => ({ Kpi: 'ITEM_AVG_MS', ItemId: step_id, Val: `${ms ?? 0}.000` }))
      return { ...details, ToKpi: { results: [{ Kpi: 'BOTTLENECK', Val: slowest ?? '' }, ...ofSteps] } }
    }),
  ),
  // As FHIR has resources.
  'bundle-of-resources': [
    whileDecided(
      changeDetails(({ execution_metrics, bottlenecks, optimization_recommendations, ...details }) => {
        const { total, success_rate, completion_time } = execution_metrics
        const entry = [
          { type: 'PlanDefinition', ...details },
          {
            type: 'MeasureReport',
            group: [
              { code: { text: 'executions' }, count: total, score: { value: success_rate } },
              { code: { text: 'completion-time' }, score: { value: completion_time?.mean_minutes ?? null } },
            ],
          },
          { type: 'DetectedIssue', code: { text: 'bottleneck' }, implicated: bottlenecks },
          { type: 'GuidanceResponse', note: optimization_recommendations.map(({ message }) => ({ text: message })) },
        ]
        return { type: 'Bundle', entry: entry.map((resource) => ({ resource })) }
      }),
    ),
    1,
  ],
  'unknown-words': [inUnknownWords, 4],
  'unknown-words-while-decided': [whileDecided(inUnknownWords), 3],
  'unknown-words-of-rejected': [compose(rejectedBesideDeadlines, inUnknownWords), 4],
}

/** All shapes, each with the number of checks that cannot decide there. */
export const soundShapes = [allAnswers, forms, workflows, executions, details, uploads, otherThings].flatMap((shapes) =>
  Object.entries(shapes).map(([id, shape]) => {
    const [wrapper, undecided] = typeof shape === 'function' ? [shape, 0] : shape
    return [id, wrapper, undecided] as const
  }),
)
