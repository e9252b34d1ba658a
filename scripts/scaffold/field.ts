import type { Node } from '../contract.ts'
import { camel, kebab, mark, Plan, type Read, RefusedError, sampleOf } from './plan.ts'

/** Adds the field of a schema to the code. */
interface Home {
  /** The schemas of requests and of answers. They are one for steps. */
  readonly schemas: readonly string[]
  readonly blocks: (names: Names) => readonly string[]
}

interface Names {
  /** The field as the contract has it. */
  readonly field: string
  /** The field as the domain has it. */
  readonly property: string
  /** The requirement or the gap. */
  readonly id: string
}

const citation = ({ id }: Names) =>
  id.startsWith('gap.')
    ? `x-gap: [${id}, gap.field-lengths]`
    : `x-requirement: [${id}]\n          x-gap: [gap.field-lengths]`

const requestField = (names: Names) => `        ${names.field}:
          # ${mark} correct these lines (type, limits, default), then remove this one.
          type: string
          description: "${mark} what the field says."
          default: ""
          maxLength: 254
          ${citation(names)}`

const homes: Readonly<Record<string, Home>> = {
  Workflow: {
    schemas: ['WorkflowRequest', 'Workflow'],
    blocks: (names) => [
      `# openapi.yaml: in "    WorkflowRequest:", before "        isSequential:"\n${requestField(names)}`,
      `# openapi.yaml: in "required: [workflow_id, name, description, isSequential", before "        isSequential:"
        ${names.field}: { type: string, description: "${mark} what the field says in answers." }`,
      `// src/domain/approval/workflow.ts: in "export interface WorkflowDefinition", before "readonly isSequential"
  /** Absent in journals from before there was such a field. */
  readonly ${names.property}?: string`,
      `// src/http/service/mapping.ts: in "export function definitionFrom(", after "return {"\n    ${names.property}: ${names.field},`,
      `// src/http/service/mapping.ts: before "isSequential: definition.isSequential,"
    ${names.field}: definition.${names.property} ?? '',`,
      `// conformance/flow/samples.ts: before "isSequential: true,"\n      ${names.field}: '${sampleOf(names.field)}',`,
    ],
  },
  Step: {
    schemas: ['Step'],
    blocks: (names) => [
      `# openapi.yaml: in "    Step:", before "        estimated_duration:"\n${requestField(names)}`,
      `// src/domain/approval/workflow.ts: in "export interface Step", before "readonly approvers"
  /** Absent in journals from before there was such a field. */
  readonly ${names.property}?: string`,
      `// src/http/service/mapping.ts: in "export function definitionFrom(", before "estimatedMinutes: step.estimated_duration,"
      ${names.property}: step.${names.field} ?? '',`,
      `// src/http/service/mapping.ts: in "export function stepTo(", before "estimated_duration: step.estimatedMinutes,"
    ${names.field}: step.${names.property} ?? '',`,
      `// conformance/flow/samples.ts: before "estimated_duration: durations[index] ?? 2,"
        ${names.field}: '${sampleOf(names.field)}',`,
    ],
  },
}

/**
 * Plans a field of a workflow or of a step: `Workflow.owner_email`. A documented field gets a row of docs/interface.md and a
 * requirement; an assumed one gets a gap.
 */
export function planField(read: Read, contract: Node, path: string, isAssumed: boolean): Plan {
  const [, schema = '', field = ''] = /^(\w+)\.([a-z][A-Za-z0-9_]{0,63})$/.exec(path) ?? []
  if (!field) {
    throw new RefusedError(`'${path}' is no field. Write SCHEMA.field, such as Workflow.owner_email.`)
  }
  const home = Object.hasOwn(homes, schema) ? homes[schema] : undefined
  if (!home) {
    throw new RefusedError(
      `The scaffold knows no requests with a schema '${schema}'. Use ${Object.keys(homes).join(' or ')}.`,
    )
  }
  const taken = home.schemas.find((name) => field in contract.components.schemas[name].properties)
  if (taken) throw new RefusedError(`${taken} has a field '${field}' already. Choose another name.`)
  const area = schema.toLowerCase()
  const id = isAssumed ? `gap.${area}-${kebab(field)}` : `${area}.${kebab(field)}`
  const plan = new Plan(read)
  const names = { field, property: camel(field), id }
  plan.apply(...(isAssumed ? assumption(names) : document(schema, names)), ...home.blocks(names))
  // Examples, which are the lines with a value.
  const example = `${field}: ${sampleOf(field)}`
  if (schema === 'Workflow') {
    plan.repeatBefore('openapi.yaml', /^( +)isSequential: true$/, example)
    // The formatter writes a long list of names over several lines.
    plan.replace('src/http/service/mapping.ts', /definitionFrom\(\{\s*/, `definitionFrom({ ${field}, `)
  } else {
    plan.repeatBefore('openapi.yaml', /^( +)estimated_duration: \d+$/, example)
  }
  plan.apply(fieldTest(schema, names))
  return plan
}

function document(schema: string, { field, id }: Names): string[] {
  const row = schema === 'Workflow' ? '| isSequential | boolean |' : '| estimated_duration | integer |'
  const next = schema === 'Workflow' ? '- id: workflow.is-sequential' : '- id: step.estimated-duration'
  return [
    `<!-- docs/interface.md: before "${row}" -->\n| ${field} | string | ${mark} the sentence of the document. |`,
    `# conformance/catalogue/requirements.yaml: before "${next}"
- id: ${id}
  section: "2"
  fact: "${mark} the fact in our words."
  quote: "${mark} the sentence of the document."
  provenance: documented
  level: must
  binds: service
`,
  ]
}

function assumption({ id }: Names): string[] {
  return [
    `# conformance/catalogue/gaps.yaml: before "- id: gap.execution-modes"
- id: ${id}
  section: "2"
  question: "${mark} what the document does not show?"
  choice: "${mark} our answer."
  why: "${mark} the reason."
  plausible: ["${mark} other answers"]
  ask: "${mark} how to find out on a deployment."
`,
  ]
}

function fieldTest(schema: string, { field }: Names): string {
  const isStep = schema === 'Step'
  const sent = isStep ? `{ steps: [{ ...step, ${field}: value }] }` : `{ ${field}: value }`
  const without = isStep ? '{ steps: [step] }' : ''
  const shown = isStep ? `.steps[0].${field}` : `.${field}`
  return `// test/contract/shown-again.test.ts: at the end

test('${field} is shown as it was sent, and as its default without it', async () => {
  const { created } = service()
  const value = '${sampleOf(field)}'
${isStep ? `  const approvers = [{ email: 'lena@example.com', name: 'Lena' }]\n  const step = { step_id: 'legal', name: 'Legal', order: 1, type: 'approval', approvers, estimated_duration: 60 }\n` : ''}  expect((await created(${sent}))${shown}).toBe(value)
  expect((await created(${without}))${shown}).toBe('')
})
`
}
