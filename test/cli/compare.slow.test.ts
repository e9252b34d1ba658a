import { setupServer } from 'msw/node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { jsonReport, jsonText } from '../../conformance/report/json.ts'
import { mutantOf } from '../../conformance/selftest/mutants/index.ts'
import { reference, runningReference } from '../../conformance/selftest/reference.ts'
import { runOn } from '../../conformance/selftest/run-on.ts'
import type { ServerFunction } from '../../conformance/selftest/wrapper.ts'
import like from '../../examples/like-a-deployment/profile.json' with { type: 'json' }
import { handlers } from '../../mocks/handlers.ts'
import { createMock } from '../../src/index.ts'
import { startMock } from '../../src/node/index.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { sessionOn } from '../conformance/learning/session.ts'
import { recordedHar } from '../conformance/replay/recording.ts'
import { mustFail, mustPrint, runWith } from '../support/command.ts'
import { addressOf } from '../support/serve.ts'
import { freshKey } from '../support/service.ts'

/** Compares two sides in a folder with a recorded session and other files, with all keys that are given. */
async function compare(sides: readonly string[], keys: Record<string, string> = {}, files: object = {}) {
  const all = { 'session.har': await recordedHar(), ...files }
  return runWith(all, ['compare', ...sides, '--settle', '0'], { COUNTERSIGN_API_KEY: freshKey(), ...keys })
}

const ofSession = ['--session', 'session.har']

/** Serves a deployment, and collects the keys that it is sent. */
async function deployment(fetch: ServerFunction = runningReference()) {
  const seen = new Set<string | null>()
  const url = await addressOf((request) => {
    seen.add(request.headers.get('authorization'))
    return fetch(request)
  })
  return { url, seen }
}

test('a profile is a side, answered by the mock', async () => {
  const { url, close } = await startMock({ port: 0, storagePort: 0, like: like as Profile })
  onTestFinished(close)
  const same = await compare(['profile.json', url, ...ofSession], {}, { 'profile.json': like })
  expect(same.code, same.stderr).toBe(0)
  await mustPrint(
    compare(['profile.json', 'reference', ...ofSession], {}, { 'profile.json': like }),
    ...([1, /^shape {6}create workflow 1 \(call 1\) and \d+ more calls: Only A: \/data \(object\)\.$/m] as const),
  )
})

test('what MSW handlers have recorded replays, and compares as the same', async () => {
  const mock = createMock({ record: true, storageOrigin: 'http://mock.test' })
  const network = setupServer(...handlers({ baseUrl: 'http://mock.test', mock }))
  network.listen({ onUnhandledRequest: 'error' })
  await sessionOn((request) => fetch(request)).finally(() => network.close())
  const files = { 'session.har': JSON.stringify(await mock.recording.read()) }
  const replayed = await runWith(files, ['replay', 'session.har'])
  expect([replayed.code, replayed.stdout.match(/^same/gm)?.length]).toEqual([0, 13])
  expect(await compare(['session.har', 'reference'], {}, files)).toMatchObject({ code: 0, stderr: '' })
})

test('two deployments with the same outcomes exit with 0, each with its own key', async () => {
  const [a, b] = [await deployment(), await deployment()]
  const [first, second] = [freshKey(), freshKey()]
  const keys = { COUNTERSIGN_API_KEY: first, COUNTERSIGN_API_KEY_B: second }
  const same = `A ${a.url} and B ${b.url}: same`
  expect((await mustPrint(compare([a.url, b.url, ...ofSession], keys), 0, same)).stderr).toBe('')
  expect([a.seen, b.seen]).toEqual([new Set([first, null]), new Set([second, null])])
})

/** Answers all keys for one tenant, as a deployment that does not tell tenants apart. */
const mixing: ServerFunction = (() => {
  const sound = runningReference()
  return (request) => {
    const headers = new Headers(request.headers)
    if (headers.has('authorization')) headers.set('authorization', 'test_all')
    return sound(new Request(request, { headers: Object.fromEntries(headers) }))
  }
})()

/** Returns a session in which another tenant reads the first workflow. */
async function tenantsHar() {
  const har = JSON.parse(await recordedHar())
  const read = structuredClone(har.log.entries.find(({ _name }: { _name: string }) => _name === 'read workflow 1'))
  for (const header of read.request.headers) if (/authorization/i.test(header.name)) header.value = '***key-2***'
  har.log.entries.push({ ...read, _name: 'read as another tenant' })
  return har
}

test('with two keys for each side, what tenants see of each other is compared', async () => {
  const [a, b] = [await deployment(), await deployment(mixing)]
  const [first = '', second = '', third = '', fourth = ''] = [1, 2, 3, 4].map(freshKey)
  const keys = { COUNTERSIGN_API_KEY: first, COUNTERSIGN_API_KEY_2: second, COUNTERSIGN_API_KEY_B: third }
  const compared = async (more: object) =>
    compare([a.url, b.url, ...ofSession], { ...keys, ...more }, { 'session.har': await tenantsHar() })
  const difference = 'read as another tenant (call 7): It is refused (404) by A, and accepted (200) by B.'
  const { stdout } = await mustPrint(compared({ COUNTERSIGN_API_KEY_B_2: fourth }), 1, difference)
  expect([a.seen, b.seen]).toEqual([new Set([first, second, null]), new Set([third, fourth, null])])
  expect(stdout).not.toContain('Tenants')
  await mustPrint(compared({}), 0, 'Note: Tenants were not compared: COUNTERSIGN_API_KEY_B_2 is not set.\n')
})

test('a recording beside a deployment that has changed exits with 1', async () => {
  const sound = runningReference()
  const { url } = await deployment(async (request) =>
    request.url.endsWith('/execute') ? Response.json({}, { status: 409 }) : sound(request),
  )
  const difference =
    /^meaning {4}execute workflow 1 \(call 5\)[^:]*: It is accepted \(202\) by A, and refused \(409\) by B\.$/m
  const sides = ['session.har', url, '--report', 'json,junit,html', '--report-dir', 'out']
  const { read } = await mustPrint(compare(sides), 1, difference)
  expect(JSON.parse(read('out/report.json'))).toMatchObject({ verdict: 'different' })
  expect(read('out/report.html')).toContain('<html')
})

let open: Promise<string> | undefined

/** The report of a run on a deployment that needs no key for creating workflows, which tests share. */
function openReport(): Promise<string> {
  const server = mutantOf('open-createWorkflow')?.wrapper(reference())
  if (!server) throw new TypeError('There is no such mutant.')
  open ??= runOn(server, { gaps: true }).then((result) => jsonText(jsonReport(result)))
  return open
}

test('a report is compared with a run on a profile, whose storage is where it says', async () => {
  const apart = { version: 1, hasStorageOrigin: true, answers: {} }
  const files = { 'a.json': await openReport(), 'apart.json': apart }
  const difference = /^meaning {4}.*auth\.key-is-required: .* A: failed, Without the key, POST.* B: verified/m
  const { stdout } = await mustPrint(compare(['a.json', 'apart.json'], {}, files), 1, difference)
  const place = "A: on the service's own origin. B: on another origin."
  expect(stdout).toContain(`gap.storage-address: What is the format of a storage URL? ${place}`)
})

test('a report cannot be compared with a session', async () => {
  const files = { 'a.json': await openReport() }
  await mustFail(compare(['a.json', 'session.har'], {}, files), 3, /^A report has a run of the suite/)
})

test('no word of a profile is taken for a key of the side that answers it', async () => {
  const body = { workflow: { $: '/answer' }, performance_by_step: true, conformance_of_parts: true }
  const profile = { version: 1, answers: { getWorkflow: { status: 200, body } } }
  const comparing = compare(['reference', 'a.json', ...ofSession], {}, { 'a.json': profile })
  const { stdout } = await mustPrint(comparing, 1, '/performance_by_step (boolean), /conformance_of_parts')
  expect(stdout).not.toContain('***')
})

test('on a terminal, one line shows the runs, and is erased at the end', async () => {
  vi.stubEnv('TERM', 'xterm')
  const was = process.stderr.isTTY
  process.stderr.isTTY = true
  onTestFinished(() => {
    process.stderr.isTTY = was
    vi.unstubAllEnvs()
  })
  const comparing = compare(['reference', 'session.har'], { NO_COLOR: '1' })
  const { stderr } = await mustPrint(comparing, 0, 'A reference and B ')
  const lines = stderr.split('\r\x1b[2K')
  expect(lines[1]).toMatch(/^\d+ s · 1 request · run 1 of reference$/)
  expect([lines[0], lines.at(-1)]).toEqual(['', ''])
})
