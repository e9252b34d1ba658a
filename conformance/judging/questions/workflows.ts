/** Open questions about workflows and executions: interface.md sections 2, 3, 4.1 to 4.3. */
import type { Body } from '../../../src/contract/operations.ts'
import { omit } from '../../diagnosis/avoidances.ts'
import type { Flow } from '../../flow/flow.ts'
import { findNamed, membersOf } from '../../reading/locate.ts'
import { memberNames, type Observer, outcome } from './observer.ts'

type Step = Body<'createWorkflow'>['steps'][number]

/** Creates a workflow whose steps are changed. */
async function withSteps(flow: Flow, change: (step: Step, index: number) => object): Promise<string> {
  const { steps, ...rest } = flow.samples.workflow()
  return outcome(await flow.create({ ...rest, steps: steps.map(change) as Step[] }))
}

const withFields = async (flow: Flow, more: object) =>
  outcome(await flow.create({ ...flow.samples.workflow(), ...more }))

/** Executes workflow 1 for document 1 with a change. */
async function execute(flow: Flow, change: object): Promise<string> {
  const [{ id }, { documentId }] = [await flow.workflow(1), await flow.execution(1)]
  return outcome(
    await flow.target.executeWorkflow(String(id.value), { ...flow.samples.execution(documentId), ...change }),
  )
}

const long = 'x'.repeat(101)

export const workflowObservers: readonly Observer[] = [
  {
    id: 'gap.required-fields',
    ours: 'steps without name, type and estimated_duration: status 400',
    observe: async (flow) =>
      `steps without name, type and estimated_duration: ${await withSteps(flow, (step) => omit(step, ['name', 'type', 'estimated_duration']))}`,
  },
  { id: 'gap.unknown-fields', ours: 'accepted', observe: (flow) => withFields(flow, { conformance_probe: true }) },
  {
    id: 'gap.field-lengths',
    ours: 'a step named by 101 characters: status 400',
    observe: async (flow) =>
      `a step named by 101 characters: ${await withSteps(flow, (step) => ({ ...step, name: long }))}`,
  },
  {
    id: 'gap.step-id-format',
    ours: 'one step_id for all steps: status 400',
    observe: async (flow) =>
      `one step_id for all steps: ${await withSteps(flow, (step) => ({ ...step, step_id: 'same' }))}`,
  },
  {
    id: 'gap.step-order',
    ours: 'one order for all steps: accepted',
    observe: async (flow) => `one order for all steps: ${await withSteps(flow, (step) => ({ ...step, order: 1 }))}`,
  },
  {
    id: 'gap.step-types',
    ours: 'type review: status 400',
    observe: async (flow) => `type review: ${await withSteps(flow, (step) => ({ ...step, type: 'review' }))}`,
  },
  {
    id: 'gap.email-format',
    ours: 'an approver without an address: status 400',
    observe: async (flow) =>
      `an approver without an address: ${await withSteps(flow, (step) => ({ ...step, approvers: [{ email: 'nobody', name: 'Nobody' }] }))}`,
  },
  {
    id: 'gap.max-steps',
    ours: 'no steps: status 400',
    observe: async (flow) => `no steps: ${await withFields(flow, { steps: [] })}`,
  },
  {
    id: 'gap.max-approvers',
    ours: 'a step without approvers: status 400',
    observe: async (flow) =>
      `a step without approvers: ${await withSteps(flow, (step) => ({ ...step, approvers: [] }))}`,
  },
  {
    id: 'gap.execution-modes',
    ours: 'mode express: status 400',
    observe: async (flow) => `mode express: ${await execute(flow, { execution_mode: 'express' })}`,
  },
  {
    id: 'gap.priorities',
    ours: 'priority low: accepted, priority urgent: status 400',
    observe: async (flow) =>
      `priority low: ${await execute(flow, { priority: 'low' })}, priority urgent: ${await execute(flow, { priority: 'urgent' })}`,
  },
  {
    id: 'gap.execution-response',
    ours: 'completed_at, document_id, execution_id, execution_mode, priority, started_at, status, steps, submitter_email, workflow_id',
    observe: async (flow) => memberNames((await flow.execution(1)).exchange),
  },
  {
    id: 'gap.execution-states',
    ours: 'an execution begins as running',
    async observe(flow) {
      const { exchange } = await flow.execution(1)
      const state = findNamed(exchange.json, 'status', 'state', 'execution_status')?.value
      return typeof state === 'string' ? `an execution begins as ${state}` : 'no state is shown'
    },
  },
  {
    id: 'gap.workflow-states',
    ours: 'a workflow begins as active',
    async observe(flow) {
      const state = findNamed((await flow.workflow(1)).created.json, 'status', 'state')?.value
      return typeof state === 'string' ? `a workflow begins as ${state}` : 'no state is shown'
    },
  },
  {
    id: 'gap.analytics-place',
    ours: 'success rate at /execution_metrics/success_rate',
    async observe(flow) {
      const { after } = await flow.executedDetails()
      const found = membersOf(after.json).find(({ name }) => /success/i.test(name))
      return `success rate at ${found?.pointer ?? 'no place found'}`
    },
  },
  {
    id: 'gap.identifier-format',
    ours: 'a text such as aa_xxxxxxxxxxxxxxxx',
    async observe(flow) {
      const { value } = (await flow.workflow(1)).id
      if (typeof value === 'number') return 'an integer'
      const text = String(value)
      if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return 'a UUID'
      const [, prefix = '', rest = ''] = text.match(/^([a-z]+[_-])?(.*)$/i) ?? []
      return `a text such as ${prefix.replaceAll(/[a-z]/gi, 'a')}${'x'.repeat(Math.min(rest.length, 60))}`
    },
  },
]
