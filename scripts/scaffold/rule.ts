import type { Node } from '../contract.ts'
import { camel, mark, Plan, type Read, RefusedError } from './plan.ts'

/** Plans a rule about new workflows: a gap, an error code, a place in the domain, and what shows it. */
export function planRule(read: Read, contract: Node, name: string): Plan {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 60) {
    throw new RefusedError(
      `'${name}' is no name of a rule. Use lower-case words joined by hyphens, such as owner-approves.`,
    )
  }
  const plan = new Plan(read)
  const hasGap = plan.text('conformance/catalogue/gaps.yaml').includes(`- id: gap.${name}\n`)
  if (hasGap || contract.components.schemas.Problem.properties.code.enum.includes(name)) {
    throw new RefusedError(`There is a gap or an error code '${name}' already. Choose another name.`)
  }
  const check = camel(`refuse-${name}`)
  const domain = 'src/domain/approval/workflow.ts'
  plan.apply(
    `# conformance/catalogue/gaps.yaml: before "- id: gap.execution-modes"
- id: gap.${name}
  section: "2"
  question: "${mark} what the document does not show?"
  choice: "${mark} our answer; such a workflow is refused with \`${name}\`."
  why: "${mark} the reason."
  plausible: ["${mark} other answers"]
`,
    `# openapi.yaml: after "            - file-name-mismatch"\n            - ${name}`,
    `// src/domain/errors.ts: after "| 'file-name-mismatch'"\n  | '${name}'`,
    `// src/http/wire/problem.ts: after "'file-name-mismatch': 400,"\n  '${name}': 400,`,
    `// ${domain}: at the end

/** Throws if a workflow breaks the rule (gap.${name}). */
function ${check}(definition: WorkflowDefinition): void {
  // ${mark} when the rule is broken.
  const isBroken = definition.steps.length === 0
  if (isBroken) throw new DomainError('${name}', '${mark} What is wrong. What to do.')
}
`,
    `// conformance/wire/label.ts: before "'gap.max-steps',"\n  'gap.${name}',`,
    `// conformance/flow/question-steps.ts: before "'gap.max-steps': create("
  // ${mark} a workflow that breaks the rule.
  'gap.${name}': create((body) => ({ ...body })),`,
    `// conformance/judging/questions/workflows.ts: before "byOutcome('gap.max-steps'"
  byOutcome('gap.${name}', 'status 400', '${mark} what was sent: '),`,
    `// scripts/docs/error-calls-specific.ts: before "refused('getWorkflow', 404, 'workflow-not-found'"
  refused(
    'createWorkflow',
    400,
    '${name}',
    '${mark} Describes the mistake: a sentence without a subject.',
    post('/api/v1/workflows', { name: 'Contract', steps: [step] }),
  ),`,
    `// test/http/bad-input.test.ts: at the end

test('${name}: such a workflow is refused, and none is made', async () => {
  const { created, world } = service()
  // ${mark} a workflow that breaks the rule.
  expect(await created({})).toMatchObject({ status: 400, code: '${name}' })
  expect(world.journal.read()).toEqual([])
})
`,
  )
  plan.replace(
    'openapi.yaml',
    'x-gap: [gap.required-fields, gap.unknown-fields',
    `x-gap: [gap.required-fields, gap.unknown-fields, gap.${name}`,
  )
  const start = 'decide: ({ workflowId, definition }) => {'
  plan.replace(domain, start, `${start}\n    ${check}(definition)`)
  return plan
}
