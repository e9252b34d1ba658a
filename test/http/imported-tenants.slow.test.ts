import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scenarios } from '../../mocks/scenarios/index.ts'
import type { Schemas } from '../../src/contract/operations.ts'
import { createMock, type TenantFile } from '../../src/index.ts'
import { openJournal } from '../../src/node/journal/journal-file.ts'
import { admin } from '../support/admin.ts'
import { journalPath } from '../support/kept.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { draws } from '../support/sample.ts'
import { clientOf, freshKey } from '../support/service.ts'

type Members = Record<string, unknown>
type ExecutionStep = Schemas['ExecutionStep']

/** Returns all members of objects and lists in a JSON value. */
function placesIn(value: unknown): [holder: Members, name: string][] {
  if (typeof value !== 'object' || value === null) return []
  const own = Object.keys(value).map((name): [Members, string] => [value as Members, name])
  return [...own, ...Object.values(value).flatMap(placesIn)]
}

/** Changes one member. Its name is drawn first, so that rare members are changed as often as others. */
function mutate(file: unknown, { name, which, draw }: Mutation): unknown {
  const copy = structuredClone(file)
  const places = placesIn(copy)
  const names = [...new Set(places.map(([, known]) => known))]
  const named = places.filter(([, known]) => known === names[name % names.length])
  const [holder, member] = named[which % named.length] as (typeof places)[number]
  holder[member] = another(holder[member], draw)
  return copy
}

const numbers = [0, -1, 1, 0.5, 1e300, -1e300, Number.MAX_SAFE_INTEGER, Date.UTC(9998, 0)]
const texts = ['', 'same', '\ud800', 'x'.repeat(5000), 'low', 'high', 'approved', 'rejected']

/** Returns a value of the same type, which rules may overlook more easily than another type. */
function another(old: unknown, draw: number): unknown {
  if (typeof old === 'number') return draw % 2 === 0 ? numbers[(draw / 2) % numbers.length] : old + draw - 500
  if (typeof old === 'string') return draw % 2 === 0 ? texts[(draw / 2) % texts.length] : `${old}${draw}`
  if (typeof old === 'boolean') return !old
  if (Array.isArray(old)) return [[], [...old, ...old], old.toReversed(), old.slice(1)][draw % 4]
  return [{}, [], null, old][draw % 4]
}

type Mutation = typeof mutation extends fc.Arbitrary<infer Type> ? Type : never
const mutation = fc.record({ name: fc.nat(1000), which: fc.nat(1000), draw: fc.nat(1000) })
const mutations = fc.array(mutation, { maxLength: 2 })
const callKinds = ['create', 'execute', 'read', 'request', 'approve', 'reject', 'advance', 'auto', 'restart'] as const
const calls = fc
  .array(fc.record({ what: fc.constantFrom(...callKinds), which: fc.nat(50) }), { maxLength: 12 })
  .map((drawn) => [...drawn, ...(['execute', 'approve', 'read'] as const).map((what) => ({ what, which: 0 }))])

/** A mock with a journal that starts again without being stopped, and whose answers must never be 500. */
function keptMock() {
  const path = journalPath()
  let close = () => {}
  const start = () => {
    close()
    const archive = openJournal(path)
    close = () => archive.close()
    const warnings: string[] = []
    const options = { archive, admin: {}, approvers: 'manual', clockSpeed: 0 } as const
    const mock = createMock({ ...options, onWarning: (message) => warnings.push(message) })
    expect(warnings).toEqual([])
    return mock
  }
  let mock = start()
  const call = async (key: string, method: string, target: string, body?: unknown) => {
    const answer = await clientOf(mock, key).call(method, target, body)
    if (answer.status === 500) throw new Error(`${method} ${target} answers 500: ${answer.text}`)
    return answer
  }
  const restart = () => {
    mock = start()
  }
  return { call, restart, close: () => close() }
}

/** Carries out a call of a tenant that was imported. `which` chooses what it is about. */
async function carryOut({ call, restart }: ReturnType<typeof keptMock>, key: string, what: string, which: number) {
  const pick = <Item>(items: readonly Item[]) => items[which % Math.max(items.length, 1)]
  const list = async (name: string) => (await call(key, 'GET', `/__admin/${name}`)).json[name] as Members[]
  const workflow = pick(await list('workflows'))?.workflow_id
  if (what === 'restart') restart()
  else if (what === 'auto')
    await call(key, 'PUT', '/__admin/settings', { approvers: pick(['auto', 'instant', 'manual']) })
  else if (what === 'advance') await call(key, 'POST', '/__admin/clock/advance', { duration: `P${which ** 3}D` })
  else if (what === 'request') {
    const file = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: which }
    await call(key, 'POST', '/api/v1/upload/', file)
  } else if (what === 'execute' && workflow) {
    const document = pick((await list('uploads')).filter(({ document_id }) => document_id !== null))?.document_id
    const body = { document_id: document ?? 'none', submitter_email: 'sam@example.com' }
    await call(key, 'POST', `/api/v1/workflows/${workflow}/execute`, body)
  } else if (what === 'read' && workflow) {
    await call(key, 'GET', `/api/v1/workflows/${workflow}`)
    await call(key, 'GET', `/__admin/workflows/${workflow}`)
    for (const { execution_id } of await list('executions'))
      await call(key, 'GET', `/__admin/executions/${execution_id}`)
  } else if (what === 'approve' || what === 'reject') {
    const running = pick((await list('executions')).filter(({ status }) => status === 'running'))?.execution_id
    if (!running) return
    const { json } = await call(key, 'GET', `/__admin/executions/${running}`)
    const step = pick((json.execution.steps as ExecutionStep[]).filter(({ status }) => status === 'assigned'))
    if (!step) return
    const body = { approver_email: step.assignee?.email, decision: what === 'approve' ? 'approved' : 'rejected' }
    await call(key, 'POST', `/__admin/executions/${running}/steps/${step.step_id}/decision`, body)
  }
}

/** Files to change: before an execution, amid one, and after it. A workflow that was executed is repeated in its executions. */
async function originals(): Promise<TenantFile[]> {
  const idle = admin()
  await idle.created()
  await idle.confirmed()
  const { mock, key, executed, stored, decide } = admin()
  const { execution_id: executionId } = await executed()
  await stored('second.pdf')
  const before = await mock.exportTenant(key)
  decide(executionId, 'legal')
  decide(executionId, 'finance', 'rejected')
  return [await idle.mock.exportTenant(idle.key), before, await mock.exportTenant(key)]
}

test('what an import accepts never makes a call fail or stops a start', async () => {
  const files = await originals()
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(3), mutations, calls, async (which, changed, calls) => {
      const file = changed.reduce<unknown>(mutate, files[which] ?? files[0])
      const kept = keptMock()
      const key = freshKey()
      try {
        const { status } = await kept.call(key, 'POST', '/__admin/tenants/import', file)
        if (status === 400) return
        accepted += 1
        for (const { what, which } of calls) await carryOut(kept, key, what, which)
        kept.restart()
        const { json } = await kept.call(key, 'GET', '/__admin/tenants/export')
        const copy = await kept.call(freshKey(), 'POST', '/__admin/tenants/import', json)
        expect(copy.status).toBe(201)
      } finally {
        kept.close()
      }
    }),
    { numRuns: draws(400) },
  )
  expect(accepted).toBeGreaterThan(0)
})

test.each(nonEmpty(Object.values(scenarios)))(
  'the tenant of scenario $name is imported as it was exported',
  async (scenario) => {
    const [key, mock] = [freshKey(), createMock({ scenario, approvers: 'manual', clockSpeed: 0 })]
    const file = await mock.exportTenant(key)
    const other = createMock({ approvers: 'manual', clockSpeed: 0 })
    await other.importTenant(file, key)
    expect(await other.exportTenant(key)).toEqual(file)
  },
)
