import type { Node } from '../contract.ts'
import { kebab, mark, Plan, type Read, RefusedError, sampleOf } from './plan.ts'

/** The entries of the catalogue that the plan needs. */
interface Requirement {
  readonly id: string
  readonly fact: string
  readonly unobservable?: string
}

/** Plans the check of a requirement, and a mutant on which it fails. A field of a workflow gets all that its check needs. */
export function planCheck(read: Read, contract: Node, requirements: readonly Requirement[], id: string): Plan {
  if (!/^[a-z-]+\.[a-z0-9-]+$/.test(id)) {
    throw new RefusedError(`'${id}' is no id of a requirement. Write area.statement, such as workflow.owner-email.`)
  }
  const requirement = requirements.find((one) => one.id === id)
  if (!requirement) {
    throw new RefusedError(`There is no requirement '${id}'. Add it to conformance/catalogue/requirements.yaml first.`)
  }
  if (requirement.unobservable !== undefined) {
    throw new RefusedError(`The requirement '${id}' is marked as unobservable. Remove that first, or choose another.`)
  }
  const plan = new Plan(read)
  // The table has each documented check.
  if (plan.text('conformance/judging/grounds.ts').includes(`'${id}':`)) {
    throw new RefusedError(`The requirement '${id}' has a check already. Change that one.`)
  }
  const fields = Object.entries<Node>(contract.components.schemas.WorkflowRequest.properties)
  const [field] = fields.find(([, node]) => [node['x-requirement'] ?? []].flat().includes(id)) ?? []
  plan.apply(...common(requirement), ...(field === undefined ? [otherCheck(requirement)] : ofField(requirement, field)))
  return plan
}

function common({ id }: Requirement): string[] {
  return [
    `// conformance/judging/grounds.ts: before "'workflow.is-sequential':"
  // ${mark} the grounds of its failures; the mutants show them.
  '${id}': ['outcome', 'named'],`,
  ]
}

/** The place among the checks. A file of its own would be left behind by `git checkout .`. */
const place = '// conformance/judging/workflows.ts: after "stepSucceeds(\'get-workflow.no-request-body\'"'

function otherCheck({ id, fact }: Requirement): string {
  return `${place}
  {
    id: '${id}',
    judge(evidence) {
      // ${mark} judge: ${fact}
      // ${mark} break it on purpose, in conformance/selftest/mutants/.
      const { status } = created(evidence)
      return accepted(\`${mark} what the status \${status} does not tell.\`)
    },
  },`
}

function ofField({ id }: Requirement, field: string): string[] {
  return [
    `// conformance/judging/fields.ts: before "'workflow.description': {"
  '${id}': { ...ofWorkflow, fact: '${field}' },`,
    `// conformance/diagnosis/fields.ts: before "id: 'workflow.is-sequential', how: 'without isSequential'"
    { id: '${id}', how: 'without ${field}', send: without('${field}') },`,
    `// conformance/selftest/mutants/workflow-fields.ts: before "['isSequential', 'workflow.is-sequential'"
  ['${field}', '${id}', () => ''],`,
    `// conformance/selftest/mutants/workflows.ts: after "export const workflowMutants"
  [
    '${kebab(field)}-lost',
    '${mark} what is broken, in a sentence.',
    ['${id}'],
    () => keeps((body) => ({ ...body, ${field}: '' })),
    showsText,
  ],`,
    `// conformance/selftest/variants/fields.ts: before "'isSequential',"\n  '${field}',`,
    `// test/conformance/selftest/transcript.ts: before "isSequential: true,"\n  ${field}: '${sampleOf(field)}',`,
  ]
}
