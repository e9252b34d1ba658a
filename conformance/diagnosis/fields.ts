/** Experiments that each avoid one documented fact, the likeliest first. */
import type { Body } from '../../src/contract/operations.ts'
import type { Sender } from '../flow/step.ts'
import type { Experiment } from './experiment.ts'

type Workflow = Body<'createWorkflow'>
type Step = Workflow['steps'][number]

/** Sends a changed workflow. */
const send =
  (change: (body: Workflow) => object) =>
  ({ target, samples }: Sender) =>
    target.createWorkflow(change(samples.workflow()))

/** Returns experiments with workflows that each avoid one fact. */
export function workflowExperiments(): Experiment[] {
  const without = (...names: (keyof Workflow)[]) => send((body) => omit(body, names))
  const steps = (change: (step: Step, index: number) => object) =>
    send((body) => ({ ...body, steps: body.steps.map(change) }))
  return [
    { id: 'workflow.description', how: 'without description', send: without('description') },
    { id: 'workflow.is-sequential', how: 'without isSequential', send: without('isSequential') },
    {
      id: 'workflow.is-sequential',
      how: 'with isSequential reversed',
      send: send((body) => ({ ...body, isSequential: false })),
    },
    {
      id: 'step.estimated-duration',
      how: 'with shorter estimated durations',
      // Their unit, and so their limit, is not documented (section 2).
      isAllowed: true,
      send: steps((step, index) => ({ ...step, estimated_duration: index + 1 })),
    },
    {
      id: 'workflow.steps',
      how: 'with two steps instead of three',
      // The limit of the number of steps is not documented (section 8).
      isAllowed: true,
      send: send((body) => ({ ...body, steps: body.steps.slice(0, 2) })),
    },
    {
      id: 'workflow.steps',
      how: 'with a single step',
      send: send((body) => ({ ...body, steps: body.steps.slice(0, 1) })),
    },
    { id: 'step.order-starts-at-1', how: 'with orders from 0', send: steps((step, order) => ({ ...step, order })) },
    {
      id: 'step.order-starts-at-1',
      how: 'with orders from 2',
      send: steps((step, index) => ({ ...step, order: index + 2 })),
    },
    { id: 'workflow.name', how: 'without name', send: without('name') },
    { id: 'workflow.steps', how: 'without steps', send: without('steps') },
    { id: 'step.approvers', how: 'without approvers', send: steps((step) => omit(step, ['approvers'])) },
    {
      id: 'step.approvers',
      how: 'with approvers as plain addresses',
      send: steps((step) => ({ ...step, approvers: step.approvers.map(({ email }) => email) })),
    },
    { id: 'step.order', how: 'without order', send: steps((step) => omit(step, ['order'])) },
    { id: 'step.type-approval', how: 'without type', send: steps((step) => omit(step, ['type'])) },
    ...['review', 'APPROVAL'].map((type) => ({
      id: 'step.type-approval' as const,
      how: `with type ${type}`,
      send: steps((step) => ({ ...step, type })),
    })),
    { id: 'step.name', how: "without the steps' names", send: steps((step) => omit(step, ['name'])) },
    { id: 'step.step-id', how: 'without step_id', send: steps((step) => omit(step, ['step_id'])) },
    {
      id: 'step.step-id',
      how: 'without hyphens in step_id',
      send: steps((step) => ({ ...step, step_id: step.step_id.replace('-', '') })),
    },
    {
      id: 'step.estimated-duration',
      how: 'without estimated_duration',
      send: steps((step) => omit(step, ['estimated_duration'])),
    },
    {
      id: 'step.approvers',
      how: 'with one approver for each step',
      send: steps((step) => ({ ...step, approvers: step.approvers.slice(0, 1) })),
    },
    {
      id: 'approver.name',
      how: "without the approvers' names",
      send: steps((step) => ({ ...step, approvers: step.approvers.map(({ email }) => ({ email })) })),
    },
    {
      id: 'approver.email',
      how: "without the approvers' e-mail addresses",
      send: steps((step) => ({ ...step, approvers: step.approvers.map(({ name }) => ({ name })) })),
    },
  ]
}

/** Media types that a service may expect instead of the documented one. */
const otherTypes = [
  'application/json; charset=utf-8',
  'application/vnd.api+json',
  'text/json',
  'application/vnd.countersign+json',
]

/** Returns experiments with another media type or another encoding of the body. */
export function bodyExperiments(path: string, sample: (sender: Sender) => object): Experiment[] {
  const post = (text: (body: object) => string, type: string) => (sender: Sender) =>
    sender.target.post(path, text(sample(sender)), type)
  const form = (body: object) =>
    new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString()
  return [
    ...otherTypes.map(
      (type): Experiment => ({ id: 'api.json-content-type', how: `as ${type}`, send: post(JSON.stringify, type) }),
    ),
    { id: 'api.request-bodies-are-json', how: 'as a form', send: post(form, 'application/x-www-form-urlencoded') },
    {
      id: 'api.request-bodies-are-json',
      how: 'in Base64',
      send: post((body) => btoa(JSON.stringify(body)), 'application/json'),
    },
  ]
}

/** Returns a copy without some members. */
export function omit<T extends object>(value: T, names: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name as keyof T))) as Partial<T>
}
