import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { recordedHar } from '../conformance/replay/recording.ts'
import { mustPrint, runWith } from '../support/command.ts'
import { addressOf } from '../support/serve.ts'
import { freshKey } from '../support/service.ts'

/** Replays a session, the recorded one unless `har` is another. */
async function replay(args: readonly string[] = [], har?: object) {
  const files = { 'session.har': har ?? (await recordedHar()) }
  return runWith(files, ['replay', 'session.har', ...args], { COUNTERSIGN_API_KEY: freshKey() })
}

test('it prints each call and the verdict, writes reports, and exits with 0', async () => {
  const url = await addressOf(createMock().fetch)
  const reporting = ['--report', 'json,junit,html', '--report-dir', 'out']
  const { code, stdout, stderr, read, folder } = await replay(['--url', url, ...reporting])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^same {7}create workflow 1$/m)
  expect(stdout).toContain(`session of http://mock.test at ${url}: same (13 same)`)
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(['junit.xml', 'report.css', 'report.html', 'report.json'])
  const details = { counts: { same: 13, other: 0, unsent: 0 } }
  expect(JSON.parse(read('out', 'report.json'))).toMatchObject({ schemaVersion: 1, verdict: 'same', details })
})

test('without a URL, the session is sent to the built-in reference', async () => {
  await mustPrint(replay(), 0, 'at http://reference.invalid: same')
})

test('another outcome exits with 1, and says which', async () => {
  const mock = createMock()
  const url = await addressOf(async (request) =>
    request.method === 'GET' ? Response.json({ error: 'Moved.' }, { status: 410 }) : mock.fetch(request),
  )
  const refused = /^other {6}read workflow 1: It was accepted \(answered 200\), and is refused \(answered 410/m
  await mustPrint(replay(['--url', url, '--settle', '0']), 1, refused)
})

test('calls of a second tenant without a key are one line, which names the variable', async () => {
  const har = JSON.parse(await recordedHar())
  // The first call stays with the first tenant.
  for (const { request } of har.log.entries.slice(1)) {
    for (const header of request.headers) if (/authorization/i.test(header.name)) header.value = '***key-2***'
  }
  const { code, stdout } = await replay(['--url', await addressOf(createMock().fetch)], har)
  expect(code).toBe(2)
  expect(stdout.match(/^unsent.*/gm)).toEqual([
    expect.stringMatching(/ and 10 more calls: The recording used a second tenant\. Set COUNTERSIGN_API_KEY_2\.$/),
  ])
})
