import fc from 'fast-check'
import { admin } from './admin.ts'
import type { Upload } from './service.ts'

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

/** Makes the calls of a story at a new mock. Returns the mock, and what it showed after each call. */
export const play = (story: Story, options = {}) => playOn(admin(options), story)

/** Makes the calls of a story, also about what a mock has already. */
export async function playOn(mock: ReturnType<typeof admin>, story: Story) {
  const world = mock.mock.tenants.ofKey(mock.key)
  const workflows: string[] = (await mock.read('/workflows')).workflows.map((one: Members) => one.workflow_id)
  const documents: string[] = (await mock.read('/uploads')).uploads.flatMap((one: Members) => one.document_id ?? [])
  const stored: Upload[] = []
  const moments: Moment[] = []
  const pick = <Item>(items: readonly Item[], which: number) => items[which % Math.max(items.length, 1)]
  for (const { what, which, isSequential } of story) {
    if (what === 'create') workflows.push((await mock.created({ name: `Workflow ${which}`, isSequential })).workflow_id)
    else if (what === 'request') await mock.requested()
    else if (what === 'store') stored.push(await mock.stored())
    else if (what === 'confirm') {
      const upload = pick(stored, which)
      if (upload) documents.push((await mock.confirm(upload)).json.document_id)
    } else if (what === 'execute') {
      const [workflow, document] = [pick(workflows, which), pick(documents, which)]
      if (workflow && document) await mock.execute(workflow, document)
    } else if (what === 'advance') mock.mock.advance(which * 60_000, mock.key)
    else {
      const open = [...world.executions()].flatMap(({ executionId, stages }) =>
        stages.flat().flatMap(({ status, step }) => (status === 'assigned' ? { executionId, step } : [])),
      )
      const chosen = pick(open, which)
      if (chosen) mock.decide(chosen.executionId, chosen.step.step_id, what === 'approve' ? 'approved' : 'rejected')
    }
    const events = world.journal.length
    if (events > (moments.at(-1)?.events ?? 0)) moments.push({ events, shown: await show(mock.steer, mock.id) })
  }
  return { ...mock, moments }
}

type Members = Readonly<Record<string, string>>

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
