import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import like from '../../examples/like-a-deployment/profile.json' with { type: 'json' }
import { createMock } from '../../src/index.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { openWatchedPage } from '../support/browser.ts'
import { runHere } from '../support/command.ts'
import { everythingIn, leaksOf } from '../support/leaks.ts'
import { bundlePage, servePages } from '../support/pages.ts'
import { scratch } from '../support/scratch.ts'
import { clientOf, freshKey, workflow } from '../support/service.ts'
import { started } from '../support/started.ts'
import type {} from './pages/session.ts'

/** Records with Chromium how a page uses a deployment with its own shapes. Returns the path of the HAR file. */
async function record(folder: string, key: string): Promise<string> {
  const { mock } = await started({ storagePort: 0, like: like as Profile, approvers: 'manual' })
  const pages = await servePages({ '/page.js': await bundlePage('session.ts') })
  onTestFinished(pages.close)
  const path = join(folder, 'session.har')
  const { page } = await openWatchedPage({ recordHar: { path, content: 'embed' } })
  await page.goto(pages.url)
  await page.waitForFunction(() => 'play' in globalThis)
  const purchases = { name: 'Purchases', description: 'Above 10,000' }
  const definitions = [{ name: 'Leases' }, purchases].map((change) => ({ ...workflow(), ...change }))
  await page.evaluate((given) => globalThis.play(...given), [mock.url, key, definitions] as const)
  await page.context().close()
  return path
}

test('what Chromium recorded of a page teaches the mock to answer like its deployment', async () => {
  const [folder, key] = [scratch(), freshKey()]
  const recording = await record(folder, key)
  const { code, stdout, stderr } = await runHere(['learn', '--from', recording, '--out', 'learned'], {}, folder)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^Read 14 calls of http:\/\/127\.0\.0\.1:\d+\. Left out: [1-9]\d* to other origins, 0 that/)
  expect(stdout).not.toContain('Not learned')
  expect(stdout).toContain('The likeness was not measured')
  expect(stdout).not.toContain('requests were sent')
  expect([0, 2]).toContain(code)
  const learned: Profile = JSON.parse(readFileSync(join(folder, 'learned/profile.json'), 'utf8'))
  expect(leaksOf(everythingIn(join(folder, 'learned')), key, 8)).toEqual([])

  const answer = async (profile: Profile) => {
    const { data } = await clientOf(createMock({ like: profile })).created()
    return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, typeof value]))
  }
  const shape = await answer(like as Profile)
  expect(shape).toHaveProperty('workflowId', 'number')
  expect(await answer(learned)).toEqual(shape)
})
