import { expect, test } from 'vitest'
import { gapIds, requirementIds } from '../../conformance/catalogue/catalogue.ts'
import { type Node, operationsOf, resolve } from '../../scripts/contract.ts'
import { withStatements } from '../../scripts/docs/statements.ts'
import { contract, flawsOf } from '../support/contract.ts'
import { nonEmpty } from '../support/non-empty.ts'

const shown = withStatements(contract)

/** Returns the description of every field of a schema by its path. */
function fieldsOf(schema: Node, path: string): [path: string, description: string][] {
  if (!schema) return []
  const here = Object.entries<Node>(schema.properties ?? {}).flatMap(([name, node]) => [
    [`${path}.${name}`, node.description] as [string, string],
    ...fieldsOf(node, `${path}.${name}`),
  ])
  const parts = [schema.items, ...(schema.allOf ?? []), ...(schema.oneOf ?? [])]
  return [...here, ...parts.flatMap((part) => fieldsOf(part, path))]
}

const fields = operationsOf(shown).flatMap(({ operationId, path, definition }) => {
  const parameters: Node[] = [...(shown.paths[path].parameters ?? []), ...(definition.parameters ?? [])]
  const bodies = [['request', definition.requestBody], ...Object.entries(definition.responses)] as [string, Node][]
  return [
    ...parameters.map(({ name, description }): [string, string] => [`${operationId} ${name}`, description]),
    ...bodies.flatMap(([name, body]) => [
      ...Object.values<Node>(body?.content ?? {}).flatMap(({ schema }) => fieldsOf(schema, `${operationId} ${name}`)),
      ...Object.entries<Node>(body?.headers ?? {}).map(([header, { description }]): [string, string] => [
        `${operationId} ${name} ${header}`,
        description,
      ]),
    ]),
  ]
})
const textOf = (path: string) => fields.find(([name]) => name === path)?.[1]

test('every parameter, field and header says whether it is documented or assumed', () => {
  expect(fields.length).toBeGreaterThan(300)
  expect(fields.filter(([, text]) => !/\[(documented|assumed): /.test(text))).toEqual([])
})

test('each bound of a request field beyond its type names its gap', () => {
  const bounds = ['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'maximum', 'enum', 'format']
  // The document says that a session identifier is a UUID.
  const documented = ['ConfirmationRequest.session_id']
  const requests = Object.entries<Node>(contract.components.schemas).filter(([name]) =>
    /Request$|^(Step|Approver|CompletedFile)$/.test(name),
  )
  expect(requests.length).toBeGreaterThan(6)
  for (const [schema, { required, properties, 'x-gap': gaps = [] }] of nonEmpty(requests)) {
    if (required) expect(gaps, schema).toContain('gap.required-fields')
    for (const [name, field] of nonEmpty(Object.entries<Node>(properties))) {
      const path = `${schema}.${name}`
      if (documented.includes(path) || !bounds.some((bound) => bound in field)) continue
      expect(field['x-gap'] ?? [], path).not.toEqual([])
    }
  }
})

test('every link leads to a requirement or a gap that exists', () => {
  const links = [...JSON.stringify(shown).matchAll(/\((traceability|questions)\.html#([^)]+)\)/g)]
  const ids: readonly string[] = [...requirementIds, ...gapIds]
  expect(
    links.filter(([, page, id = '']) => !ids.includes(id) || (page === 'questions') !== id.startsWith('gap.')),
  ).toEqual([])
})

test('a request field is documented as far as a sentence shows it, else assumed', () => {
  expect(textOf('createWorkflow request.name')).toContain('[documented: workflow.name]')
  expect(textOf('createWorkflow request.steps.estimated_duration')).toMatch(/documented: step.*assumed: duration-unit/)
})

test('a field that a sentence shows in a request is assumed in an answer', () => {
  expect(textOf('createWorkflow request.steps.name')).toContain('documented')
  expect(textOf('createWorkflow 201.steps.name')).toMatch(/\[assumed: workflow-response\]/)
  expect(textOf('executeWorkflow 202.steps.assignee.email')).not.toContain('documented')
})

test('an answer field is documented if a sentence shows it, else assumed', () => {
  expect(textOf('requestUpload 200.upload_url')).toContain('[documented: upload.answers-upload-url]')
  expect(textOf('requestUpload 200.method')).toContain('[assumed: upload-response]')
  expect(textOf('getWorkflow 200.execution_metrics')).toMatch(/documented: details.*assumed: details-response/)
})

test('the examples are valid by the schemas as they are shown', () => {
  const contents = operationsOf(shown).flatMap(({ definition }) =>
    [definition.requestBody, ...Object.values<Node>(definition.responses)].flatMap((body) =>
      Object.values<Node>(body?.content ?? {}),
    ),
  )
  const examples = contents.flatMap(({ schema, examples = {} }) =>
    Object.values(examples).map((example) => ({ schema, value: resolve(shown, example).value })),
  )
  expect(examples.length).toBeGreaterThan(30)
  for (const { schema, value } of nonEmpty(examples)) expect(flawsOf(schema, value)).toEqual([])
})
