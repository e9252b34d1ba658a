/** Creating and reading workflows: interface.md sections 2, 4.1 and 4.3. */
import type { RequirementId } from '../catalogue.ts'
import { type Check, fail, inconclusive, type Observation, pass } from '../check.ts'
import { label, succeeded } from '../exchange.ts'
import type { Flow } from '../flow.ts'
import { bare, findNamed, membersOf } from '../locate.ts'
import { mustBeDone, mustBeRefused } from './shared.ts'

/** A field of the request is accepted; where the deployment shows it again, it shows what was sent. */
function accepts(id: RequirementId, name: string, sent: (flow: Flow) => Promise<unknown[]>): Check {
  return {
    id,
    async run(flow) {
      const { exchange, details } = await flow.workflow()
      const shown = [...membersOf(exchange.json), ...membersOf(details.json)].filter(
        (member) => bare(member.name) === bare(name) && isPlain(member.value),
      )
      const expected = await sent(flow)
      if (shown.length === 0) return pass(`${label(exchange)} to a workflow with it; it is not shown again.`)
      const missing = expected.find((value) => !shown.some((member) => same(member.value, value)))
      return missing === undefined
        ? pass('It was accepted, and is shown as it was sent.')
        : fail(
            `${JSON.stringify(missing)} was sent, but ${JSON.stringify(shown.map(({ value }) => value)).slice(0, 200)} is shown.`,
          )
    },
  }
}

const isPlain = (value: unknown) => value === null || typeof value !== 'object'
const same = (shown: unknown, sent: unknown) => shown === sent || String(shown) === String(sent)

const workflowField = (name: 'name' | 'description' | 'isSequential') => async (flow: Flow) => [
  (await flow.workflow()).sent[name],
]
const stepField = (name: 'step_id' | 'name' | 'order' | 'type' | 'estimated_duration') => async (flow: Flow) =>
  (await flow.workflow()).sent.steps.map((step) => step[name])
const approverField = (name: 'email' | 'name') => async (flow: Flow) =>
  (await flow.workflow()).sent.steps.flatMap(({ approvers }) => approvers.map((approver) => approver[name]))

/** Passes where a deployment shows `isSequential` for a workflow with this request field, and shows it so. */
async function showsSequential(flow: Flow, isSequential: boolean | undefined, expected: boolean): Promise<Observation> {
  const { isSequential: _, ...body } = flow.samples.workflow()
  const created = await flow.create({ ...body, ...(isSequential !== undefined && { isSequential }) })
  if (!succeeded(created))
    return fail(`${label(created)} to a workflow with isSequential ${isSequential ?? 'left out'}.`)
  const { details } = await flow.read(created)
  const shown = findNamed(created.json, 'isSequential') ?? findNamed(details?.json, 'isSequential')
  if (!shown) return inconclusive('The deployment does not show isSequential.')
  return shown.value === expected
    ? pass(`It is shown as ${expected}.`)
    : fail(`It is shown as ${JSON.stringify(shown.value)}.`)
}

export const workflowChecks: readonly Check[] = [
  { id: 'create-workflow.method-and-path', run: async (flow) => mustBeDone((await flow.createAnswer()).exchange) },
  { id: 'workflow.defines-approval-steps', run: async (flow) => mustBeDone((await flow.workflow()).exchange) },
  { id: 'api.paths-relative-to-base', run: async (flow) => mustBeDone((await flow.createAnswer()).exchange) },
  { id: 'api.under-api-v1', run: async (flow) => mustBeDone((await flow.createAnswer()).exchange) },
  { id: 'api.request-bodies-are-json', run: async (flow) => mustBeDone((await flow.createAnswer()).exchange) },
  { id: 'api.json-content-type', run: async (flow) => mustBeDone((await flow.createAnswer()).exchange) },
  accepts('workflow.name', 'name', workflowField('name')),
  accepts('workflow.description', 'description', workflowField('description')),
  accepts('workflow.is-sequential', 'isSequential', workflowField('isSequential')),
  accepts('workflow.steps', 'step_id', stepField('step_id')),
  accepts('step.step-id', 'step_id', stepField('step_id')),
  accepts('step.name', 'name', stepField('name')),
  accepts('step.order', 'order', stepField('order')),
  accepts('step.order-starts-at-1', 'order', async () => [1]),
  accepts('step.type-approval', 'type', stepField('type')),
  accepts('step.approvers', 'email', approverField('email')),
  accepts('step.estimated-duration', 'estimated_duration', stepField('estimated_duration')),
  accepts('approver.email', 'email', approverField('email')),
  accepts('approver.name', 'name', approverField('name')),
  { id: 'workflow.is-sequential-default-true', run: (flow) => showsSequential(flow, undefined, true) },
  {
    id: 'workflow.name-at-most-100',
    async run(flow) {
      const longest = await flow.create({ ...flow.samples.workflow(), name: flow.samples.nameOf(100) })
      if (!succeeded(longest)) return fail(`${label(longest)} to a name of 100 characters.`)
      // 100 characters of two bytes each: a limit that counts bytes would refuse them.
      const accented = await flow.create({ ...flow.samples.workflow(), name: flow.samples.nameOf(100, 'é') })
      if (!succeeded(accented)) return fail(`${label(accented)} to a name of 100 characters, some of two bytes.`)
      const longer = await flow.create({ ...flow.samples.workflow(), name: flow.samples.nameOf(101) })
      return mustBeRefused(longer, 'a name of 101 characters')
    },
  },
  {
    id: 'workflow.ids-differ',
    async run(flow) {
      const first = await flow.workflow()
      const { id } = await flow.read(await flow.create(flow.samples.workflow()))
      if (!id) return inconclusive('No identifier of a second workflow is shown.')
      return id.value === first.id.value
        ? fail(`Both workflows are identified by ${JSON.stringify(first.id.value)}.`)
        : pass('Two workflows have two identifiers.')
    },
  },
  {
    id: 'get-workflow.method-and-path',
    async run(flow) {
      const { details } = await flow.read((await flow.createAnswer()).exchange)
      return details ? mustBeDone(details) : inconclusive('The answer to creating shows no identifier to read.')
    },
  },
  { id: 'get-workflow.no-request-body', run: async (flow) => mustBeDone((await flow.workflow()).details) },
]
