import fc from 'fast-check'
import { admin } from './admin.ts'
import { execution } from './service.ts'

const happenings = ['create', 'request', 'store', 'confirm', 'execute', 'approve', 'reject', 'advance'] as const

/** Random calls of one tenant. Each number chooses one of the things that the call can be about. */
export const stories = fc.array(
  fc.record({ what: fc.constantFrom(...happenings), which: fc.nat(1000), isSequential: fc.boolean() }),
  { minLength: 1, maxLength: 25 },
)

type Story = typeof stories extends fc.Arbitrary<infer Type> ? Type : never

/** The state of a tenant after a call, as the admin API shows it, and the number of its events. */
interface Moment {
  readonly events: number
  readonly shown: unknown
}

/** Makes the calls of a story. Returns the mock, and what it showed after each call. */
export async function play(story: Story, options = {}) {
  const mock = admin(options)
  const id = mock.mock.tenants.idOf(mock.key)
  const workflows: string[] = []
  const uploads = { requested: [] as Upload[], stored: [] as Upload[] }
  const documents: string[] = []
  const moments: Moment[] = []
  const pick = <Item>(items: readonly Item[], which: number) => items[which % Math.max(items.length, 1)]
  for (const { what, which, isSequential } of story) {
    if (what === 'create') workflows.push((await mock.created({ name: `Workflow ${which}`, isSequential })).workflow_id)
    else if (what === 'request') uploads.requested.push(await mock.requested())
    else if (what === 'store') uploads.stored.push(await mock.stored())
    else if (what === 'confirm') {
      const upload = pick(uploads.stored, which)
      if (upload) documents.push((await mock.call('POST', confirmPath, mock.confirmation(upload))).json.document_id)
    } else if (what === 'execute') {
      const [workflow, document] = [pick(workflows, which), pick(documents, which)]
      if (workflow && document) await mock.call('POST', `/api/v1/workflows/${workflow}/execute`, execution(document))
    } else if (what === 'advance') mock.mock.advance(which * 60_000, mock.key)
    else {
      const open = [...mock.world.executions()].flatMap(({ executionId, stages }) =>
        stages.flat().flatMap(({ status, step }) => (status === 'assigned' ? { executionId, step } : [])),
      )
      const chosen = pick(open, which)
      const decision = what === 'approve' ? 'approved' : 'rejected'
      if (chosen)
        mock.mock.decide({ execution_id: chosen.executionId, step_id: chosen.step.step_id, decision }, mock.key)
    }
    if (mock.world.journal.length > (moments.at(-1)?.events ?? 0)) {
      moments.push({ events: mock.world.journal.length, shown: await show(mock.steer, id) })
    }
  }
  return { ...mock, id, moments, documents }
}

interface Upload {
  readonly session_id: string
  readonly key: string
}

const confirmPath = '/api/v1/upload/confirm'

type Steer = ReturnType<typeof admin>['steer']

/** Reads everything that the admin API shows of a tenant, now or after an event. */
export async function show(steer: Steer, tenantId: string, asOf?: number): Promise<unknown> {
  const query = `?tenant_id=${tenantId}${asOf === undefined ? '' : `&as_of=${asOf}`}`
  const read = async (path: string) => (await steer('GET', `${path}${query}`)).json
  const lists = [await read('/workflows'), await read('/executions'), await read('/uploads')]
  const [{ workflows }, { executions }] = lists
  const details: unknown[] = []
  for (const { workflow_id: id } of workflows) details.push(await read(`/workflows/${id}`))
  for (const { execution_id: id } of executions) details.push(await read(`/executions/${id}`))
  return { lists, details }
}
