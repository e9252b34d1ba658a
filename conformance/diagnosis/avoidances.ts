/** When a well-formed request is refused, which single field of it is to blame: found by sending it without, or otherwise. */
import type { Body } from '../../src/contract/operations.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import { Broken } from '../judging/check.ts'
import { type Exchange, label, refusalLabel, succeeded } from '../wire/exchange.ts'

/** A request that avoids one documented fact. */
interface Avoidance {
  readonly id: RequirementId
  readonly how: string
  /** The document allows the refusal after all, so it says nothing. */
  readonly isAllowed?: boolean
  readonly send: () => Promise<Exchange>
}

/**
 * Gives the reason for a refusal: the fact whose avoidance is accepted while the call itself, sent again, is not; or else
 * the call.
 */
export async function reasonFor(
  refusal: Exchange,
  call: RequirementId,
  again: () => Promise<Exchange>,
  avoidances: readonly Avoidance[],
): Promise<Broken> {
  const { status } = refusal
  const refused = refusalLabel(refusal)
  // Storage has no key to ask for; its 403 speaks of the address.
  if (isUnauthorized(refusal) && call !== 'storage.put-to-upload-url') {
    if (succeeded(await again())) return passing(call, refused)
    return new Broken(
      'auth.every-service-call',
      'fail',
      `${label(refusal)}, although another call takes the key as it is`,
    )
  }
  // A service that fails may succeed a moment later, whatever is sent; a PUT may be repeated to find out.
  if (status >= 500 && call !== 'storage.put-to-upload-url')
    return new Broken(call, 'fail', `${refused} to a well-formed request`)
  for (const { id, how, isAllowed, send } of avoidances) {
    const answer = await send()
    if (!succeeded(answer)) continue
    // Time may have made the difference, and not what was avoided.
    if (succeeded(await again())) return passing(call, refused)
    return new Broken(id, isAllowed ? 'inconclusive' : 'fail', `${refused}; ${how}, the call is accepted`)
  }
  if (saysUnknownPerson(refusal)) {
    const message = `${refused}, perhaps because only known users may be named (gap.email-format)`
    return new Broken(call, 'inconclusive', message)
  }
  return new Broken(call, 'fail', `${refused} to a well-formed request`)
}

/** Whether a refusal says that somebody is not known; who may approve or submit is not shown. */
function saysUnknownPerson({ status, bytes }: Exchange): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, 2000)).toLowerCase()
  const saysWho = /approver|submitter|e-?mail/.test(text)
  return status < 500 && saysWho && /\b(users?|members?|accounts?|directory|unknown|exists?|not found)\b/.test(text)
}

function passing(call: RequirementId, refused: string): Broken {
  return new Broken(call, 'inconclusive', `${refused}; sent again, the same call is accepted`)
}

/** Whether the key, or its absence, is given as the reason. */
export function isUnauthorized({ status }: Exchange): boolean {
  return status === 401 || status === 403
}

type Workflow = Body<'createWorkflow'>
type Step = Workflow['steps'][number]

/** Workflows that avoid one fact each, the likeliest first. */
export function workflowAvoidances(
  sample: () => Workflow,
  send: (body: object, contentType?: string) => Promise<Exchange>,
): Avoidance[] {
  const without =
    (...names: (keyof Workflow)[]) =>
    () =>
      send(omit(sample(), names))
  const steps = (change: (step: Step, index: number) => object) => () => {
    const body = sample()
    return send({ ...body, steps: body.steps.map(change) })
  }
  return [
    { id: 'workflow.description', how: 'without description', send: without('description') },
    { id: 'workflow.is-sequential', how: 'without isSequential', send: without('isSequential') },
    {
      id: 'workflow.is-sequential',
      how: 'with isSequential reversed',
      send: () => send({ ...sample(), isSequential: false }),
    },
    {
      id: 'step.estimated-duration',
      how: 'with shorter estimated durations',
      // In which unit they are, and so how long they may be, is not shown (section 2).
      isAllowed: true,
      send: steps((step, index) => ({ ...step, estimated_duration: index + 1 })),
    },
    {
      id: 'workflow.steps',
      how: 'with two steps instead of three',
      // How many there may be is not shown (section 8).
      isAllowed: true,
      send: () => send({ ...sample(), steps: sample().steps.slice(0, 2) }),
    },
    {
      id: 'workflow.steps',
      how: 'with a single step',
      send: () => send({ ...sample(), steps: sample().steps.slice(0, 1) }),
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

/** Media types that a service may want instead of the documented one. */
const otherTypes = [
  'application/json; charset=utf-8',
  'application/vnd.api+json',
  'text/json',
  'application/vnd.countersign+json',
]

/** Requests that declare or write their body otherwise. */
export function bodyAvoidances(
  sample: () => object,
  send: (text: string, contentType: string) => Promise<Exchange>,
): Avoidance[] {
  const json = () => JSON.stringify(sample())
  const form = () =>
    new URLSearchParams(Object.entries(sample()).map(([name, value]) => [name, String(value)])).toString()
  return [
    ...otherTypes.map(
      (type): Avoidance => ({ id: 'api.json-content-type', how: `as ${type}`, send: () => send(json(), type) }),
    ),
    {
      id: 'api.request-bodies-are-json',
      how: 'as a form',
      send: () => send(form(), 'application/x-www-form-urlencoded'),
    },
    { id: 'api.request-bodies-are-json', how: 'in Base64', send: () => send(btoa(json()), 'application/json') },
  ]
}

/** Leaves members out. */
export function omit<T extends object>(value: T, names: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name as keyof T))) as Partial<T>
}
