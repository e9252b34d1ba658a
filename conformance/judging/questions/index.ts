import type { GapId } from '../../catalogue/catalogue.ts'
import type { Flow } from '../../flow/flow.ts'
import type { GapAnswer } from '../../report/result.ts'
import { succeeded, Undecided } from '../../wire/exchange.ts'
import { Broken } from '../check.ts'
import { confirmAgain } from '../uploads.ts'
import { httpObservers } from './http.ts'
import { type Observer, outcome } from './observer.ts'
import { uploadObservers } from './uploads.ts'
import { workflowObservers } from './workflows.ts'

/** About the flow as a whole. */
const flowObservers: readonly Observer[] = [
  {
    id: 'gap.success-statuses',
    ours: 'create 201, execute 202, read 200, request 200, confirm 200',
    async observe(flow) {
      const answers = {
        create: (await flow.workflow(1)).created,
        execute: (await flow.execution(1)).exchange,
        read: (await flow.executedDetails()).after,
        request: (await flow.document(1).asked()).exchange,
        confirm: await flow.document(1).confirmed(),
      }
      return Object.entries(answers)
        .map(([call, { status }]) => `${call} ${status}`)
        .join(', ')
    },
  },
  { id: 'gap.workflow-response', ours: 'identifier at /workflow_id', observe: located('workflow_id', 'identifier') },
  { id: 'gap.storage-key-source', ours: 'key at /key', observe: located('key', 'key') },
  {
    id: 'gap.document-id-source',
    ours: 'document at confirm/document_id',
    observe: located('document_id', 'document'),
  },
  {
    id: 'gap.details-response',
    ours: 'sections at /execution_metrics, /step_performance and /optimization_recommendations',
    async observe({ located }) {
      const { execution_metrics: a, step_performance: b, optimization_recommendations: c } = located
      return `sections at ${a ?? 'no place found'}, ${b ?? 'no place found'} and ${c ?? 'no place found'}`
    },
  },
  {
    id: 'gap.missing-key',
    ours: 'status 401',
    observe: async (flow) => outcome(await flow.target.getWorkflow('x', { headers: {} })),
  },
  {
    id: 'gap.invalid-key',
    ours: 'another test key is taken',
    async observe(flow) {
      const headers = { Authorization: `test_${crypto.randomUUID().replaceAll('-', '')}` }
      const answer = await flow.target.requestUpload(flow.samples.upload(1), { headers })
      return succeeded(answer) ? 'another test key is taken' : outcome(answer)
    },
  },
  {
    id: 'gap.invalid-request-status',
    ours: 'status 400',
    observe: async (flow) => outcome(await flow.create(flow.samples.workflow({ name: flow.samples.nameOf(101) }))),
  },
  {
    id: 'gap.error-format',
    ours: 'application/problem+json with type, title, status, code and detail',
    async observe(flow) {
      const { headers, json } = await flow.target.getWorkflow(crypto.randomUUID())
      const names = json !== null && typeof json === 'object' ? Object.keys(json).slice(0, 8) : []
      const last = names.pop()
      const members = names.length > 0 ? `${names.join(', ')} and ${last}` : (last ?? 'no JSON')
      return `${headers.get('Content-Type')?.split(';')[0] ?? 'no media type'} with ${members}`
    },
  },
  {
    id: 'gap.unknown-workflow',
    ours: 'status 404',
    observe: async (flow) => outcome(await flow.target.getWorkflow(crypto.randomUUID())),
  },
  {
    id: 'gap.unknown-document',
    ours: 'status 409',
    async observe(flow) {
      const { id } = await flow.workflow(1)
      const answer = await flow.target.executeWorkflow(String(id.value), flow.samples.execution(crypto.randomUUID()))
      return succeeded(answer) ? 'any document is taken' : outcome(answer)
    },
  },
  {
    id: 'gap.confirm-twice',
    ours: 'accepted',
    async observe(flow) {
      const again = await confirmAgain(flow)
      return outcome(again)
    },
  },
]

const observers = [...flowObservers, ...workflowObservers, ...uploadObservers, ...httpObservers]

/** The gaps that a run can answer from outside. */
export const observableGaps: readonly GapId[] = observers.map(({ id }) => id)

/**
 * Answers what can be answered from outside; what cannot be seen on this deployment is left out. An error of the suite is
 * noted, for the verdict does not depend on these answers.
 */
export async function observeGaps(flow: Flow): Promise<{ answers: GapAnswer[]; notes: string[] }> {
  const answers: GapAnswer[] = []
  const notes: string[] = []
  for (const { id, ours, observe } of observers) {
    try {
      const observed = await observe(flow)
      answers.push({ id, observed, sameAsOurs: observed === ours })
    } catch (error) {
      if (!(error instanceof Broken || error instanceof Undecided)) {
        notes.push(`The suite itself broke at ${id}, which is a fault of ours: ${error}`)
      }
    }
  }
  return { answers, notes }
}

function located(name: string, what: string): Observer['observe'] {
  return async (flow) => {
    await flow.execution(1)
    return `${what} at ${flow.located[name] ?? 'no place that was found'}`
  }
}
