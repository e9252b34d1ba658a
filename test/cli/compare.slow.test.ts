import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { mutantOf } from '../../conformance/selftest/mutants/index.ts'
import { runningReference } from '../../conformance/selftest/reference.ts'
import type { ServerFunction } from '../../conformance/selftest/wrapper.ts'
import like from '../../examples/like-a-deployment/profile.json' with { type: 'json' }
import { handlers } from '../../mocks/handlers.ts'
import { createMock } from '../../src/index.ts'
import { startMock } from '../../src/node/index.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { sessionOn } from '../conformance/learning/session.ts'
import { recordedHar } from '../conformance/replay/recording.ts'
import { runHere } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'
import { serve } from '../support/serve.ts'
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

async function deployment(fetch: ServerFunction = runningReference()) {
  const seen = new Set<string | null>()
  const { url, close } = await serve((request) => {
    seen.add(request.headers.get('authorization'))
    return fetch(request)
  })
  onTestFinished(close)
  return { url, seen }
}

/** Writes the recorded session into a folder of its own. */
async function sessionFile(): Promise<{ folder: string; path: string }> {
  const folder = scratch()
  const path = join(folder, 'session.har')
  writeFileSync(path, await recordedHar())
  return { folder, path }
}

/** Refuses all executions. */
const refusing: ServerFunction = (() => {
  const sound = runningReference()
  return (request) =>
    request.url.endsWith('/execute') ? Promise.resolve(Response.json({}, { status: 409 })) : sound(request)
})()

test('two deployments with the same outcomes exit with 0, each with its own key', async () => {
  const [{ url: a, seen }, { url: b, seen: other }] = [await deployment(), await deployment()]
  const { path } = await sessionFile()
  const [first, second] = [freshKey(), freshKey()]
  const env = { COUNTERSIGN_API_KEY: first, COUNTERSIGN_API_KEY_B: second }
  const { code, stdout, stderr } = await runHere(['compare', a, b, '--session', path], env)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`A ${a} and B ${b}: same`)
  expect([seen, other]).toEqual([new Set([first, null]), new Set([second, null])])
})

/** Answers all keys for one tenant, as a deployment that does not tell tenants apart. */
const mixingTenants =
  (fetch: ServerFunction): ServerFunction =>
  (request) => {
    const isKeyed = request.headers.has('authorization')
    return fetch(
      isKeyed
        ? new Request(request, { headers: { ...Object.fromEntries(request.headers), authorization: 'test_all' } })
        : request,
    )
  }

/** Writes a session in which another tenant reads the first workflow. */
async function tenantsFile(): Promise<string> {
  const path = join(scratch(), 'tenants.har')
  const har = JSON.parse(await recordedHar()) as {
    log: { entries: { _name: string; request: { headers: { name: string; value: string }[] } }[] }
  }
  const read = har.log.entries.find(({ _name }) => _name === 'read workflow 1')
  if (!read) throw new TypeError('The session reads a workflow.')
  const request = {
    ...read.request,
    headers: read.request.headers.map((one) =>
      /authorization/i.test(one.name) ? { ...one, value: '***key-2***' } : one,
    ),
  }
  har.log.entries.push({ ...read, _name: 'read as another tenant', request })
  writeFileSync(path, JSON.stringify(har))
  return path
}

test('with two keys for each side, what tenants see of each other is compared', async () => {
  const [{ url: a, seen }, { url: b, seen: other }] = [
    await deployment(),
    await deployment(mixingTenants(runningReference())),
  ]
  const [first, second, third, fourth] = [freshKey(), freshKey(), freshKey(), freshKey()]
  const keys = { COUNTERSIGN_API_KEY: first, COUNTERSIGN_API_KEY_B: third }
  const args = ['compare', a, b, '--session', await tenantsFile(), '--settle', '0']
  const { code, stdout } = await runHere(args, {
    ...keys,
    COUNTERSIGN_API_KEY_2: second,
    COUNTERSIGN_API_KEY_B_2: fourth,
  })
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining('read as another tenant (call 7): It is refused (404) by A, and accepted (200) by B.'),
  ])
  expect([seen, other]).toEqual([new Set([first, second, null]), new Set([third, fourth, null])])
  expect(stdout).not.toContain('Tenants')

  const alone = await runHere(args, { ...keys, COUNTERSIGN_API_KEY_2: second })
  expect([alone.code, alone.stdout]).toEqual([
    0,
    expect.stringContaining('Note: Tenants were not compared: COUNTERSIGN_API_KEY_B_2 is not set.\n'),
  ])
})

test('a recording beside a deployment that has changed exits with 1', async () => {
  const { url } = await deployment(refusing)
  const { path, folder } = await sessionFile()
  const env = { COUNTERSIGN_API_KEY: freshKey() }
  const args = ['compare', path, url, '--settle', '0', '--report', 'json,junit,html', '--report-dir', 'out']
  const { code, stdout } = await runHere(args, env, folder)
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^meaning {4}execute workflow 1 \(call 5\)[^:]*: It is accepted \(202\) by A, and refused \(409\) by B\.$/m,
  )
  expect(JSON.parse(readFileSync(join(folder, 'out/report.json'), 'utf8'))).toMatchObject({ verdict: 'different' })
  expect(existsSync(join(folder, 'out/report.html'))).toBe(true)
})

test('the reference can be one side, and a recording the other', async () => {
  const { path } = await sessionFile()
  const { code, stdout } = await runHere(['compare', 'reference', path])
  expect([code, stdout]).toEqual([0, expect.stringContaining('A reference and B ')])
})

test('another host needs a key of its own, and nothing is sent before', async () => {
  const { url, seen } = await deployment()
  const env = { COUNTERSIGN_API_KEY: freshKey() }
  const { code, stderr } = await runHere(['compare', url, 'https://approvals.example'], env)
  expect([code, seen.size]).toEqual([3, 0])
  expect(stderr).toBe('No API key is set for https://approvals.example. Set it in COUNTERSIGN_API_KEY_B.\n')
})

test('a report cannot be compared with a session', async () => {
  const { path, folder } = await sessionFile()
  await runHere(['conformance', '--only', 'workflow.name', '--report-dir', 'out'], {}, folder)
  const { code, stderr } = await runHere(['compare', 'out/report.json', path], {}, folder)
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^A report has a run of the suite/)])
})

test('a side that is neither a URL nor a known file is an error', async () => {
  const folder = scratch()
  writeFileSync(join(folder, 'a.json'), '{"locator": {}}')
  for (const side of ['missing', 'a.json', 'ftp://a.example'] as const) {
    const { code, stderr } = await runHere(['compare', 'reference', side], {}, folder)
    expect([side, code, stderr.trim().split('\n').length]).toEqual([side, 3, 1])
  }
})

test('a report shows when the same deployment has changed since', async () => {
  const folder = scratch()
  const fault = mutantOf('open-createWorkflow')?.create()(runningReference())
  if (!fault) throw new TypeError('There is no such mutant.')
  const { url } = await deployment(fault)
  await runHere(['conformance', '--report-dir', 'out'], {}, folder)
  const env = { COUNTERSIGN_API_KEY: freshKey() }
  const { code, stdout } = await runHere(['compare', 'out', url], env, folder)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^meaning {4}.*auth\.key-is-required: .* A: verified\. B: failed, Without the key, POST/m)
})

test('no word of a profile is taken for a key of the side that answers it', async () => {
  const { path, folder } = await sessionFile()
  const body = { workflow: { $: '/answer' }, performance_by_step: true, conformance_of_parts: true }
  writeFileSync(join(folder, 'a.json'), JSON.stringify({ version: 1, answers: { getWorkflow: { status: 200, body } } }))
  const { code, stdout } = await runHere(['compare', 'reference', 'a.json', '--session', path], {}, folder)
  expect([code, stdout]).toEqual([1, expect.stringContaining('/performance_by_step (boolean), /conformance_of_parts')])
  expect(stdout).not.toContain('***')
})

test('on a terminal, one line shows the runs, and is erased at the end', async () => {
  const { path } = await sessionFile()
  vi.stubEnv('TERM', 'xterm')
  const was = process.stderr.isTTY
  process.stderr.isTTY = true
  onTestFinished(() => {
    process.stderr.isTTY = was
    vi.unstubAllEnvs()
  })
  const { code, stderr } = await runHere(['compare', 'reference', path], { NO_COLOR: '1' })
  expect(code).toBe(0)
  const lines = stderr.split('\r\x1b[2K')
  expect(lines[1]).toMatch(/^\d+ s · 1 request · run 1 of reference$/)
  expect([lines[0], lines.at(-1)]).toEqual(['', ''])
})
