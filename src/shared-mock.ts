import { scenarios } from '../mocks/scenarios/index.ts'
import { buildMock, type Mock, type MockOptions } from './mock.ts'
import { OutgoingRecords } from './world/shared/outgoing-records.ts'
import { Rounds } from './world/shared/rounds.ts'
import type { Stream } from './world/shared/stream.ts'
import { Tenants } from './world/tenants.ts'

/** A mock that shares its tenants with other mocks, and what gives turns to its calls. */
export interface SharedMock extends Mock {
  readonly rounds: Rounds
}

/** Builds a mock that shares its tenants with other mocks. */
export async function buildSharedMock(options: MockOptions, stream: Stream): Promise<SharedMock> {
  const { scenario = 'empty', ...rest } = options
  // A scenario by its name would be loaded later.
  const first = typeof scenario === 'string' && Object.hasOwn(scenarios, scenario) ? scenarios[scenario] : scenario
  const archive = new OutgoingRecords(stream.secret)
  let rounds!: Rounds
  const turns = (held: Tenants) => {
    rounds = new Rounds(stream, archive, held, scenarios)
    return rounds
  }
  // The memory of one mock is not that of the others.
  const own = { ...rest, ...(!rest.files && { maxStoredBytes: 0 }), archive, scenario: first }
  const mock = buildMock(own, (settings) => new Tenants({ ...settings, turns }))
  await rounds.open()
  return { ...mock, rounds }
}
