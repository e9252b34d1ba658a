import type { GapId } from './catalogue.ts'
import { Blocked } from './check.ts'
import { type Exchange, succeeded, TransportError } from './exchange.ts'
import type { Flow } from './flow.ts'

/** What a deployment does where the document is silent. */
export interface GapAnswer {
  readonly id: GapId
  readonly observed: string
  readonly sameAsOurs: boolean
}

interface Observer {
  readonly id: GapId
  /** What the reference does, as `observe` puts it. */
  readonly ours: string
  readonly observe: (flow: Flow) => Promise<string>
}

const observers: readonly Observer[] = [
  {
    id: 'gap.success-statuses',
    ours: 'create 201, execute 202, read 200, request 200, confirm 200',
    async observe(flow) {
      const answers = {
        create: (await flow.createAnswer()).exchange,
        execute: (await flow.executeAnswer()).exchange,
        read: await flow.detailsAnswer(),
        request: (await flow.uploadAnswer()).exchange,
        confirm: await flow.confirmAnswer(),
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
    ours: 'document at /confirm/document_id',
    observe: located('document_id', 'document'),
  },
  {
    id: 'gap.missing-key',
    ours: 'status 401',
    observe: async (flow) => status(await flow.target.getWorkflow('x', {})),
  },
  {
    id: 'gap.invalid-request-status',
    ours: 'status 400',
    observe: async (flow) => status(await flow.create({ ...flow.samples.workflow(), name: flow.samples.nameOf(101) })),
  },
  {
    id: 'gap.unknown-workflow',
    ours: 'status 404',
    observe: async (flow) => status(await flow.target.getWorkflow(crypto.randomUUID())),
  },
  {
    id: 'gap.confirm-twice',
    ours: 'accepted',
    async observe(flow) {
      await flow.confirmAnswer()
      const { sessionId, sent } = await flow.upload()
      const file = { key: await flow.storageKey(), file_name: sent.file_name }
      const again = await flow.target.confirmUpload({ session_id: sessionId, completed_files: [file] })
      return succeeded(again) ? 'accepted' : status(again)
    },
  },
]

/** Answers what can be answered from outside; what cannot be seen on this deployment is left out. */
export async function observeGaps(flow: Flow): Promise<GapAnswer[]> {
  const answers: GapAnswer[] = []
  for (const { id, ours, observe } of observers) {
    try {
      const observed = await observe(flow)
      answers.push({ id, observed, sameAsOurs: observed === ours })
    } catch (error) {
      if (!(error instanceof Blocked || error instanceof TransportError)) throw error
    }
  }
  return answers
}

function status(exchange: Exchange): string {
  return `status ${exchange.status}`
}

function located(name: string, what: string): Observer['observe'] {
  return async (flow) => {
    await flow.executeAnswer()
    return `${what} at ${flow.located[name] ?? 'no place that was found'}`
  }
}
