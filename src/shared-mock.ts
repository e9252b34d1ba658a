import { scenarios } from '../mocks/scenarios/index.ts'
import { buildMock, type Mock, type MockOptions } from './mock.ts'
import { SharedTenants } from './world/shared/shared-tenants.ts'
import type { Stream } from './world/shared/stream.ts'

/** Builds a mock that shares its tenants with other mocks. */
export async function buildSharedMock(options: MockOptions, stream: Stream): Promise<Mock> {
  const { scenario = 'empty', ...rest } = options
  let tenants: SharedTenants | undefined
  // A scenario by its name would be loaded later.
  const first = typeof scenario === 'string' && Object.hasOwn(scenarios, scenario) ? scenarios[scenario] : scenario
  const mock = buildMock({ ...rest, scenario: first }, (settings) => {
    tenants = new SharedTenants(stream, { ...settings, scenarios })
    return tenants
  })
  await tenants?.open()
  return mock
}
