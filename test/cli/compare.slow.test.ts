import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import like from '../../examples/like-a-deployment/profile.json' with { type: 'json' }
import { handlers } from '../../mocks/handlers.ts'
import { createMock } from '../../src/index.ts'
import { startMock } from '../../src/node/index.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { sessionOn } from '../conformance/learning/session.ts'
import { recordedHar } from '../conformance/replay/recording.ts'
import { runHere } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'

/** Writes a session and a profile into a folder of their own. */
function folderWith(session: string): string {
  const folder = scratch()
  writeFileSync(join(folder, 'session.har'), session)
  writeFileSync(join(folder, 'profile.json'), JSON.stringify(like))
  return folder
}

test('a profile is a side, answered by the mock', async () => {
  const folder = folderWith(await recordedHar())
  const deployment = await startMock({ port: 0, storagePort: 0, like: like as Profile })
  onTestFinished(deployment.close)
  const session = ['--session', 'session.har', '--settle', '0']
  const env = { COUNTERSIGN_API_KEY: freshKey() }
  const same = await runHere(['compare', 'profile.json', deployment.url, ...session], env, folder)
  expect(same.code, same.stderr).toBe(0)
  const other = await runHere(['compare', 'profile.json', 'reference', ...session], env, folder)
  expect(other.code).toBe(1)
  expect(other.stdout).toMatch(
    /^shape {6}create workflow 1 \(call 1\) and \d+ more calls: Only A: \/data \(object\)\.$/m,
  )
})

test('a profile of a deployment with storage at another origin has it there', async () => {
  const folder = folderWith(await recordedHar())
  writeFileSync(join(folder, 'apart.json'), JSON.stringify({ version: 1, hasStorageOrigin: true, answers: {} }))
  const { stdout } = await runHere(['compare', 'apart.json', 'reference'], {}, folder)
  const place = "A: on another origin. B: on the service's own origin."
  expect(stdout).toContain(`gap.storage-address: What is the format of a storage URL? ${place}`)
})

test('what MSW handlers have recorded replays, and compares as the same', async () => {
  const mock = createMock({ record: true, storageOrigin: 'http://mock.test' })
  const network = setupServer(...handlers({ baseUrl: 'http://mock.test', mock }))
  network.listen({ onUnhandledRequest: 'error' })
  try {
    await sessionOn((request) => fetch(request))
  } finally {
    network.close()
  }
  const folder = folderWith(JSON.stringify(await mock.recording.read()))
  const replayed = await runHere(['replay', 'session.har'], {}, folder)
  expect([replayed.code, replayed.stdout.match(/^same/gm)?.length]).toEqual([0, 13])
  const compared = await runHere(['compare', 'session.har', 'reference'], {}, folder)
  expect([compared.code, compared.stderr]).toEqual([0, ''])
})
