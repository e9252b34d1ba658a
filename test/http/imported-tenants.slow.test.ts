import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scenarios } from '../../mocks/scenarios/index.ts'
import { createMock, type TenantFile } from '../../src/index.ts'
import { openJournal } from '../../src/node/journal/journal-file.ts'
import { admin } from '../support/admin.ts'
import { journalPath } from '../support/kept.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { draws } from '../support/sample.ts'
import { freshKey } from '../support/service.ts'
import { playOn, stories } from '../support/tenant-story.ts'

type Members = Record<string, unknown>

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
/** Returns a function that starts a mock with a journal, again without stopping it before. */
function keptMocks() {
  const [path, key] = [journalPath(), freshKey()]
  let close = () => {}
  const start = () => {
    close()
    const archive = openJournal(path)
    close = () => archive.close()
    const warnings: string[] = []
    const mine = admin({ archive, onWarning: (message: string) => warnings.push(message) }, key)
    expect(warnings).toEqual([])
    return mine
  }
  return { start, close: () => close() }
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
    fc.asyncProperty(fc.nat(3), mutations, stories, stories, async (which, changed, before, after) => {
      const file = changed.reduce<unknown>(mutate, files[which] ?? files[0])
      const { start, close } = keptMocks()
      try {
        const first = start()
        if ((await first.steerOwn('POST', '/tenants/import', file)).status === 400) return
        accepted += 1
        await playOn(first, before)
        const second = start()
        await playOn(second, after)
        const { json } = await start().steerOwn('GET', '/tenants/export')
        expect((await admin().steerOwn('POST', '/tenants/import', json)).status).toBe(201)
      } finally {
        close()
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
