/** Sound deployments whose answers have shapes that none of the selftest's variants has. */
import { answerFields } from '../../../conformance/selftest/variants/fields.ts'
import {
  changeAnswer,
  changeAnswers,
  changeResponse,
  compose,
  jsonOf,
  type Members,
  onCalls,
  serviceCalls,
  type Wrapper,
} from '../../../conformance/selftest/wrapper.ts'
import { isObject } from '../../../src/contract/json.ts'
import { bracketed } from './templates.ts'

/** Changes every scalar in a value, by the name of its member. */
function mapScalars(value: unknown, change: (value: unknown, name: string) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => mapScalars(item, change, name))
  if (!isObject(value)) return change(value, name)
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, mapScalars(inner, change, member)]))
}

/** A time as year, month, day, hour, minute and second. */
const timeAsList = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? value.match(/\d+/g)?.slice(0, 6).map(Number) : value

const units: Readonly<Record<string, string>> = {
  file_size: ' bytes',
  estimated_duration: ' min',
  expected_minutes: ' min',
}

/** A number as a text with its unit. */
const withUnit = (value: unknown, name: string) => (typeof value === 'number' ? `${value}${units[name] ?? ''}` : value)

/** An object as a list of its members' names and values. */
function asPairs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asPairs)
  if (!isObject(value)) return value
  return Object.entries(value).map(([name, inner]) => ({ name, value: asPairs(inner) }))
}

/** Lists of pairs, numbers as texts with units, times as lists of numbers. */
export const listsOfPairs: Wrapper = changeAnswers(serviceCalls, (body) => {
  const { upload_url, session_id, ...rest } = mapScalars(body, withUnit) as Members
  return { upload_url, session_id, attributes: asPairs(mapScalars(rest, timeAsList)) }
})

/** A value as a converter from XML writes it. */
function toElements(value: unknown): unknown {
  if (Array.isArray(value)) return { '@count': value.length, 'a:item': value.map(toElements) }
  if (!isObject(value)) return value === null ? { '@nil': 'true' } : { '#text': String(value) }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      answerFields.has(name) ? [name, inner] : [`a:${name}`, toElements(inner)],
    ),
  )
}

const linked = ({ workflow_id, execution_id, ...rest }: Members): Members => ({
  ...rest,
  ...(workflow_id !== undefined && { self: `https://approvals.example/flows/${workflow_id}?v=2` }),
  ...(execution_id !== undefined && { run: `urn:run:${execution_id}` }),
})

/** Names and values as a converter from XML writes them; identifiers of workflows are only within links. */
export const likeXml: Wrapper = compose(
  changeAnswers(serviceCalls, (body, request) => {
    const { recent_executions: executions, workflow_id: id } = body
    return {
      ...linked(body),
      // A link to the workflow itself, whose last part is its identifier.
      ...(id !== undefined && { href: `/api/v1/workflows/${id}` }),
      ...(Array.isArray(executions) && { recent_executions: executions.map(linked) }),
      ...(request.method === 'POST' && { method: 'POST' }),
    }
  }),
  changeAnswers(serviceCalls, toElements),
)

/** Every call has an envelope of its own, and what belongs to steps and executions is keyed by their identifiers. */
export const ownEnvelopes: Wrapper = compose(
  changeAnswer('getWorkflow', (body) => {
    const {
      steps = [],
      step_performance = [],
      recent_executions = [],
      ...rest
    } = body as Members as Record<string, Members[]>
    const stages = steps.map(({ step_id, ...step }) => {
      const figures = step_performance.find((one) => one.step_id === step_id)
      return [step_id, { ...step, figures }]
    })
    const runs = recent_executions.map(({ execution_id, ...one }) => [execution_id, one])
    const [byStep, byRun] = [stages, runs].map((entries) => Object.fromEntries(entries))
    return { found: 1, rows: [['workflow', { ...rest, stages: byStep, runs: byRun }]] }
  }),
  changeAnswer('createWorkflow', ({ workflow_id, name, steps }) => [
    'created',
    { ref: `WF#${workflow_id}`, workflow_id, label: name.toUpperCase(), stages: `${steps.length} stages` },
  ]),
  changeAnswer('executeWorkflow', (body) => ({
    op: 'execute',
    started: timeAsList(body.started_at),
    run: {
      [body.execution_id]: { state: body.status, steps: body.steps.map((step) => `${step.step_id}:${step.status}`) },
    },
  })),
  changeAnswer('requestUpload', (body) => ({
    ...body,
    expires_at: timeAsList(body.expires_at),
    means: `${body.method} it`,
  })),
  onCalls(['confirmUpload'], async (request, inner) => {
    const response = await inner(request)
    const json = response.ok ? await jsonOf(response) : undefined
    if (!json) return response
    const headers = { 'X-Document': String(json.document_id) }
    return changeResponse(response, { ok: true, confirmed: timeAsList(json.confirmed_at) }, { status: 201, headers })
  }),
)

/** Chooses some texts for no reason that the contract knows. */
const isPicked = (text: string) => [...text].reduce((sum, one) => sum + one.charCodeAt(0), 0) % 3 === 0

/** Members are named by files, steps, approvers and executions, some of them without a reason; errors by the first field. */
export const namedMembers: Wrapper = compose(
  changeAnswer('requestUpload', ({ key, headers: _, ...body }) => ({
    ok: { ...body, keys: { [key.slice(key.lastIndexOf('/') + 1)]: key } },
  })),
  changeAnswer('confirmUpload', ({ document_id, file_name, file_size }) => ({
    ok: { docs: { [file_name]: document_id }, size: { [file_name]: file_size } },
  })),
  changeAnswer('executeWorkflow', ({ execution_id, status, steps }) => ({
    ok: {
      run: execution_id,
      state: status,
      assigned: Object.fromEntries(
        steps.filter(({ assignee }) => assignee).map(({ step_id, assignee }) => [step_id, assignee?.email]),
      ),
    },
  })),
  changeAnswer('getWorkflow', ({ optimization_recommendations, recent_executions = [], bottlenecks: _, ...body }) => ({
    ok: {
      ...body,
      tips: Object.fromEntries(
        body.steps.filter(({ step_id }) => isPicked(step_id)).map(({ step_id }) => [step_id, 'Ask sooner.']),
      ),
      advice: Object.fromEntries(
        optimization_recommendations.flatMap(({ step_id, message }) => (step_id ? [[step_id, message]] : [])),
      ),
      runs: Object.fromEntries(
        recent_executions.map(({ execution_id, status, started_at }) => [execution_id, { status, started_at }]),
      ),
    },
  })),
  onCalls(serviceCalls, async (request, inner) => {
    const response = await inner(request)
    const json = response.ok ? undefined : await jsonOf(response)
    if (!json) return response
    const { code, detail, errors } = json as { code: string; detail: string; errors?: Record<string, string>[] }
    const { pointer = '', message, rule } = errors?.[0] ?? {}
    const isShort = rule === 'minItems'
    const place = isShort ? 'steps' : bracketed(pointer)
    const on = place === '' ? { request: detail } : { [place]: message, ...(isShort && { hint: 'Add one.' }) }
    return changeResponse(response, { error: { code, on } })
  }),
)
