import { afterAll, beforeAll, beforeEach, expect, type TestContext } from 'vitest'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { ReplicatedMocks } from '../support/replicated.ts'
import { answerWith } from '../support/service.ts'

// The tests of the handlers, with three mocks on PostgreSQL in place of one in memory, each request at another one. Left out are those
// of what each mock has for itself, such as the request log, of calls that are refused before any state is read, and of looks.
import '../http/admin.test.ts'
import '../http/flow.test.ts'
import '../http/storage.test.ts'
import '../http/written.test.ts'

/** Tests that several mocks cannot pass, and why. */
const leftOut: Readonly<Record<string, string>> = {
  'reset brings back the exact state of the start: worlds, clock, settings and log':
    'Each mock has its own request log.',
  'every spelling of an upload URL is the same address': 'Addresses are compared before any state is read.',
  'an upload URL with another meaning is never accepted':
    'It makes 10,000 calls, and signatures are the same for any state.',
}

let postgres: TestPostgres
let mocks: ReplicatedMocks
let context: TestContext
const counts = { all: 0, leftOut: 0 }

beforeAll(async () => {
  postgres = await startPostgres()
  mocks = new ReplicatedMocks(postgres, (what) => {
    counts.leftOut += 1
    return context.skip(`Only a mock in memory has ${what}.`)
  })
  answerWith(mocks.create)
})
beforeEach((current) => {
  context = current
  counts.all += 1
  const reason = leftOut[current.task.name]
  if (reason === undefined) return
  counts.leftOut += 1
  current.skip(reason)
})
afterAll(async () => {
  answerWith()
  await mocks.close()
  await postgres.close()
  // Tests that use more of a mock in memory would be left out silently.
  expect(counts.leftOut).toBeLessThan(counts.all / 3)
})
