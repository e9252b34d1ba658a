import { expect, onTestFinished, test } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../src/index.ts'
import { buildSharedMock } from '../../src/shared-mock.ts'
import type { RecordedEvent } from '../../src/world/events.ts'
import { journalPath, openedJournal } from '../support/kept.ts'
import { MemoryStreams } from '../support/memory-stream.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { clientOf, freshKey } from '../support/service.ts'

/** A place that keeps the state of mocks. `append` adds events that no mock has decided. */
interface Keeper {
  open(options: MockOptions): Promise<Mock>
  append(tenantId: string, events: readonly RecordedEvent[]): Promise<void>
}

const keepers: Record<string, () => Keeper> = {
  'a file'() {
    const path = journalPath()
    let close = () => {}
    const open = () => {
      close()
      const { journal } = openedJournal(path)
      close = () => journal.close()
      return journal
    }
    return {
      open: async (options) => createMock({ ...options, archive: open() }),
      append: async (tenantId, events) => open().append(tenantId, events),
    }
  },
  streams() {
    const streams = new MemoryStreams()
    return {
      async open(options) {
        const mock = await buildSharedMock(options, streams.connect())
        onTestFinished(() => mock.tenants.stop())
        return mock
      },
      async append(tenantId, records) {
        const stream = streams.connect()
        const after = await stream.position(tenantId)
        await stream.append({ tenantId, after, records, due: undefined, isOpen: true })
      },
    }
  },
}

const steps = [{ step_id: 'one', name: 'One', order: 1, approvers: [], estimated_duration: 1 }]
const definition = { name: 'Nobody', description: '', isSequential: true, steps }
const ids = { executionId: 'exe_1', workflowId: 'wf_1' }
const request = { document_id: 'doc', priority: 'normal' }
const uploadFor = (documentId: string) => ({ type: 'UploadConfirmed', sessionId: 'none', documentId }) as const

/** Events after the creation of a workflow, which no rule would let happen. */
const impossible: [what: string, events: readonly object[], flaw: RegExp][] = [
  ['an execution of no workflow', [{ type: 'ExecutionStarted', ...ids, request, stages: [] }], /event 2.*no workflow/],
  ['a confirmation of no upload', [uploadFor('doc')], /event 2, UploadConfirmed, .*no upload/],
  ['a gap', [{ ...uploadFor('doc'), seq: 3 }], /event 3, .*: event 2 is missing/],
  ['an unknown event', [{ type: 'Other' }], /event 2, Other/],
]
const unassignable: (typeof impossible)[number] = [
  'a step without approvers',
  [
    { type: 'WorkflowCreated', workflowId: 'wf_1', definition },
    { type: 'ExecutionStarted', ...ids, request, stages: [steps] },
  ],
  /it cannot go on: Step 'one' has no approvers/,
]
const places = [
  ...Object.keys(keepers).flatMap((kind) => impossible.map((row) => [kind, ...row] as const)),
  // Only a file can end between a start and its assignments.
  ['a file', ...unassignable] as const,
]

test.each(places)('in %s, %s sets its tenant aside until a reset', async (kind, _, events, flaw) => {
  const [keeper, bad, good] = [(keepers[kind] as () => Keeper)(), freshKey(), freshKey()]
  const warnings: string[] = []
  const options: MockOptions = { admin: {}, approvers: 'manual', onWarning: (message) => warnings.push(message) }
  const first = await keeper.open(options)
  const create = (mock: Mock, key: string) => clientOf(mock, key).create()
  for (const key of [bad, good]) expect((await create(first, key)).status).toBe(201)
  const tenantId = first.tenants.idOf(bad)
  const file = (await clientOf(first, good).get('/__admin/tenants/export')).json
  const recorded = events.map((event, index) => ({ seq: index + 2, at: Date.now(), ...event }) as RecordedEvent)
  await keeper.append(tenantId, recorded)

  for (const _ of ['the first start', 'another one']) {
    warnings.length = 0
    const mock = await keeper.open(options)
    const [refused, other] = [await create(mock, bad), await create(mock, good)]
    expect([refused.status, refused.json.code, other.status]).toEqual([409, 'tenant-set-aside', 201])
    expect(refused.json.detail).toMatch(flaw)
    expect(refused.json.detail).toMatch(/Reset it with POST \/__admin\/reset, or import it again\.$/)
    expect(warnings).toEqual([refused.json.detail])
    expect(warnings[0]).toContain(`Tenant ${tenantId} is set aside`)
    if (kind === 'a file' && events !== unassignable[1]) expect(warnings[0]).toMatch(/ \(line \d+ of the journal\)/)
    // A call for all tenants is carried out for the others.
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ duration: 'PT1H' })
    const all = await mock.fetch('http://localhost/__admin/clock/advance', { method: 'POST', headers, body })
    expect(all.status).toBe(200)
  }

  const mock = await keeper.open(options)
  const imported = await clientOf(mock, bad).call('POST', '/__admin/tenants/import', file)
  expect([imported.status, imported.json.last_event]).toEqual([201, 1])
  await keeper.append(tenantId, [{ seq: 9, at: Date.now(), ...uploadFor('doc') }])
  const again = await keeper.open(options)
  expect((await create(again, bad)).status).toBe(409)
  expect((await clientOf(again, bad).call('POST', '/__admin/reset')).status).toBe(204)
  expect((await create(again, bad)).status).toBe(201)
  const last = await keeper.open(options)
  expect((await create(last, bad)).status).toBe(201)
})

test.each(nonEmpty(Object.keys(keepers)))(
  'in %s, a tenant that fails while it is used does not stop the others',
  async (kind) => {
    const [keeper, bad, good] = [(keepers[kind] as () => Keeper)(), freshKey(), freshKey()]
    const mock = await keeper.open({ approvers: 'manual' })
    const create = (key: string) => clientOf(mock, key).create()
    for (const key of [bad, good]) expect((await create(key)).status).toBe(201)
    const fail = async () =>
      mock.tenants.withWorld(mock.tenants.idOf(bad), (world) =>
        world.apply({ ...impossible[1]?.[1][0], seq: 2, at: 0 } as RecordedEvent),
      )
    await expect(fail()).rejects.toThrow('event 2, UploadConfirmed, cannot be applied')
    // What is only in memory is read again from streams.
    expect((await create(bad)).status).toBe(kind === 'streams' ? 201 : 409)
    expect((await create(good)).status).toBe(201)
  },
)
