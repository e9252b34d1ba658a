/** Variants of the shape of successful answers: case of names, envelope, status. */
import { mapMembers, without } from '../json.ts'
import { changeAnswers, changeStatus, type Members, serviceCalls } from '../wrapper.ts'
import type { Axis } from './axis.ts'
import { requestFields } from './fields.ts'

/** The two documented names of members of an answer. */
const documented = new Set(['upload_url', 'session_id'])

const words = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const camel = (name: string) =>
  words(name)
    .map((word, index) => (index ? capital(word) : word))
    .join('')
const pascal = (name: string) => words(name).map(capital).join('')
const kebab = (name: string) => words(name).join('-')
const snake = (name: string) => words(name).join('_')

/** Returns whether a member's name is a field name, not data such as a step identifier. */
const isName = (name: string) => /^[a-z]+(_[a-z0-9]+)*$|^[a-z]+([A-Z][a-z]+)*$/.test(name)

const changeCase =
  (change: (name: string) => string, keeps: ReadonlySet<string> = new Set()) =>
  () =>
    changeAnswers(serviceCalls, (body) =>
      mapMembers(body, (name, value) => [
        documented.has(name) || keeps.has(name) || !isName(name) ? name : change(name),
        value,
      ]),
    )

const wrapBody = (change: (body: Members) => unknown) => () => changeAnswers(serviceCalls, change)

/** Converts a body to JSON:API, with the identifier beside the attributes. Documented members stay among the attributes. */
function resource(body: Members): unknown {
  const found = ['execution_id', 'workflow_id', 'workflowId', 'document_id', 'file_id', 'id'].find((name) =>
    Object.keys(body).some((member) => snake(member.replaceAll('-', '_')) === snake(name)),
  )
  const name = Object.keys(body).find((member) => found && snake(member.replaceAll('-', '_')) === snake(found))
  const attributes = name ? without(body, name) : body
  return { data: { type: 'resources', ...(name && { id: String(body[name]) }), attributes } }
}

export const shapeAxes: readonly Axis[] = [
  {
    axis: 'field-case',
    values: {
      camel: changeCase(camel),
      'camel-but-echoes': changeCase(camel, requestFields),
      pascal: changeCase(pascal),
      'pascal-but-echoes': changeCase(pascal, requestFields),
      kebab: changeCase(kebab),
      snake: changeCase(snake),
    },
  },
  {
    axis: 'envelope',
    values: {
      data: wrapBody((data) => ({ data })),
      result: wrapBody((result) => ({ result })),
      'success-data': wrapBody((data) => ({ success: true, data, error: null, errors: [] })),
      'status-payload': wrapBody((payload) => ({ status: 'success', code: 0, message: 'OK', payload })),
      'json-api': wrapBody(resource),
      'array-of-one': wrapBody((body) => [body]),
    },
  },
  {
    axis: 'success-status',
    values: Object.fromEntries([200, 201, 202].map((status) => [String(status), () => changeSuccess(status)])),
  },
]

/** Changes the status of successful answers, but neither 204 nor a 202 that asks to poll. */
function changeSuccess(status: number) {
  const change = changeStatus(serviceCalls, status)
  return (inner: Parameters<typeof change>[0]) => async (request: Request) => {
    const response = await inner(request)
    const keeps = response.status === 204 || response.headers.has('Retry-After')
    return keeps ? response : change(async () => response)(request)
  }
}
