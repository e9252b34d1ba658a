/** Variants of the shape of successful answers: case of names, envelope, status. */
import type { Json } from '../../../src/profile/template.ts'
import { without } from '../json.ts'
import { changeBodies, changeTemplates } from '../profile-changes.ts'
import { mapTemplates, type Templates } from '../templates.ts'
import { serviceCalls } from '../wrapper.ts'
import { type Axis, shapes } from './axis.ts'
import { answerFields, requestFields } from './fields.ts'

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

/** Returns true if a member's name is a field name, not data such as the name of a header. */
const isName = (name: string) => /^[a-z]+(_[a-z0-9]+)*$|^[a-z]+([A-Z][a-z]+)*$/.test(name)

const changeCase = (change: (name: string) => string, keeps: ReadonlySet<string> = new Set()) =>
  changeBodies(serviceCalls, (body) =>
    mapTemplates(body, (name, member) => [
      answerFields.has(name) || keeps.has(name) || !isName(name) ? name : change(name),
      member,
    ]),
  )

const wrapBody = (change: (body: Templates) => Json) => changeBodies(serviceCalls, change)

/** Converts a body to JSON:API, with the identifier beside the attributes. Documented members stay among the attributes. */
function resource(body: Templates): Json {
  const found = ['execution_id', 'workflow_id', 'workflowId', 'document_id', 'file_id', 'id'].find((name) =>
    Object.keys(body).some((member) => snake(member.replaceAll('-', '_')) === snake(name)),
  )
  const name = Object.keys(body).find((member) => found && snake(member.replaceAll('-', '_')) === snake(found))
  const attributes = name ? without(body, name) : body
  return { data: { type: 'resources', ...(name && { id: { $text: [body[name] ?? null] } }), attributes } }
}

export const shapeAxes: readonly Axis[] = [
  shapes('field-case', {
    camel: changeCase(camel),
    'camel-but-echoes': changeCase(camel, requestFields),
    pascal: changeCase(pascal),
    'pascal-but-echoes': changeCase(pascal, requestFields),
    kebab: changeCase(kebab),
    snake: changeCase(snake),
  }),
  shapes('envelope', {
    data: wrapBody((data) => ({ data })),
    result: wrapBody((result) => ({ result })),
    'success-data': wrapBody((data) => ({ success: true, data, error: null, errors: [] })),
    'status-payload': wrapBody((payload) => ({ status: 'success', code: 0, message: 'OK', payload })),
    'json-api': wrapBody(resource),
    'array-of-one': wrapBody((body) => [body]),
  }),
  shapes('success-status', { 200: changeSuccess(200), 201: changeSuccess(201), 202: changeSuccess(202) }),
]

/** Changes the status of successful answers, but neither 204 nor a 202 that asks to poll. */
function changeSuccess(status: number) {
  return changeTemplates(serviceCalls, (template) =>
    template.status === 204 || 'retry-after' in template.headers ? template : { ...template, status },
  )
}
