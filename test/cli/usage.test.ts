/** Commands that end before they send anything, each with one line that says what to do. */
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { recordedHar } from '../conformance/replay/recording.ts'
import { mustFail, runHere, runWith, withoutProgress } from '../support/command.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { addressOf, deadAddress } from '../support/serve.ts'

const key = { COUNTERSIGN_API_KEY: 'test_a' }
const live = { COUNTERSIGN_API_KEY: 'sk_live_123456789' }
const upstream = 'mock --upstream https://a.test'
const conformance = 'conformance --url https://a.test'
const report = /^The report \S+ does not exist\. Name a complete report\.json, or the folder that contains it\.$/
const side = 'Name a URL, reference, a report, a profile or a HAR file.'
const host = 'Use a host name or an address, such as 127.0.0.1.'

const wrong: [command: string, message: string | RegExp, env?: Record<string, string>][] = [
  ['mock --port 70000', 'Use a number from 0 to 65535'],
  ['mock --scenario nothing', "'nothing' is invalid. Allowed choices are empty, first-day, busy-quarter"],
  ['mock --latency 9..1', 'Use milliseconds up to'],
  ['mock --latency p50=900,p99=80', 'such as 200, 100..800 or p50=80,p99=900'],
  ['mock --rate-limit 0', 'Use requests per second, such as 5/s'],
  ['mock --clock-speed -1', 'Use a number from 0'],
  ['mock --max-upload-size much', 'Use a number with a unit'],
  ['mock --public-base-url ftp://x', 'starts with http'],
  ['mock --base-path team', 'a path such as /team'],
  ['mock --upstream-calls getWorkflow', 'need --upstream URL'],
  ['mock --colour', "unknown option '--colour'"],
  ['mock --seed --port 0', "argument '--port' is invalid. Its value is missing."],
  ['mock --port 0 --host ', host],
  ['mock --port 0 --host \t', host],
  ['mock --port 0 --host http://localhost', host],
  ['frobnicate', "unknown command 'frobnicate'"],
  [upstream, /^No API key is set for https:\/\/a\.test\. Set it in COUNTERSIGN_API_KEY\.$/],
  [upstream, /no test-mode prefix.*Use a test key\.$/, live],
  [`${upstream} --host 0.0.0.0`, /Leave out --host\.$/, key],
  [`${upstream} --upstream-calls putObject`, "no call 'putObject'", key],
  [conformance, 'No API key is set for https://a.test. Set it in COUNTERSIGN_API_KEY.'],
  [
    conformance,
    'COUNTERSIGN_API_KEY_2 has the same key as COUNTERSIGN_API_KEY. Use a key of another tenant.',
    { ...key, COUNTERSIGN_API_KEY_2: 'test_a' },
  ],
  ['conformance --report json,pdf', "There is no report 'pdf'. Use one or more of json,junit,html,ctrf,har."],
  ['conformance --baseline none.json', /^The baseline none\.json does not exist\. .*--baseline\.$/],
  ['conformance --reads none.json', 'Name a file that recordReads or trackReads has written'],
  ['judge', "missing required argument 'reports'"],
  ['judge none.json', report],
  ['judge .', report],
  ['replay none.har', /^The session none\.har does not exist\. .*Name a HAR file/],
  ['replay .', 'Name a HAR file'],
  ['replay session.har --url https://a.test', 'The key has no test-mode prefix', live],
  ['compare reference none', side],
  ['compare reference ftp://a.example', side],
  ['compare reference a.json', 'The profile a.json cannot be used'],
  [
    'compare https://a.test https://b.test',
    'No API key is set for https://b.test. Set it in COUNTERSIGN_API_KEY_B.',
    key,
  ],
  ['compare reference https://a.example --explore 50', /^--explore sends up to 50 requests, .* Add --yes/, key],
  ['tenant export', 'COUNTERSIGN_API_KEY'],
  ['tenant import none.json', 'none.json', key],
]

/** The second line of the parser of the command line. */
const help = /'countersign.* --help' lists the options\.\n$/

test.each(wrong)('%#: %s is bad usage', async (command, message, env = {}) => {
  const files = { 'session.har': await recordedHar(), 'a.json': { locator: {} } }
  const { code, stdout, stderr } = await runWith(files, command.split(' '), env)
  const line = typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message)
  expect([code, stdout, withoutProgress(stderr).replace(help, '').trim().split('\n')]).toEqual([3, '', [line]])
  expect(stderr).not.toContain('123456789')
})

const entry = { request: { method: 'GET', url: 'https://other.example/pets', headers: [] }, response: { status: 200 } }

test.each<[file: string, content: () => string | object | Promise<string>, message: RegExp]>([
  ['of no JSON', () => 'GET / HTTP/1.1', /^The session a is not JSON/],
  ['of no HAR', () => ({ entries: [] }), /^The file is not HAR/],
  ['of another API', () => ({ log: { version: '1.2', entries: [entry] } }), /^The file has no call of this API/],
  ['that is truncated', async () => (await recordedHar()).slice(0, -400), /^The session a ends in the middle/],
])('a session %s is refused by all commands that read one', async (_, content, message) => {
  const file = await content()
  for (const args of nonEmpty([
    ['replay', 'a'],
    ['learn', '--from', 'a'],
    ['compare', 'reference', 'reference', '--session', 'a'],
  ])) {
    const { code, stdout, stderr, folder } = await runWith({ a: file }, args)
    expect([code, stdout, stderr.trim().split('\n')]).toEqual([3, '', [expect.stringMatching(message)]])
    expect(readdirSync(folder)).toEqual(['a'])
  }
})

const flaw = (operation: string, body: object) => ({ version: 1, answers: { [operation]: { status: 200, body } } })

test.each([
  [
    'learn --url http://127.0.0.1:1 --profile a',
    { version: 2 },
    '/version is 2, and only 1 is known; update countersign',
  ],
  ['docs --like a', flaw('getWorkflow', { a: { $magic: 1 } }), 'at /answers/getWorkflow/body/a'],
  ['mock --port 0 --like a', flaw('getWorkflow', { a: { $: '/workflow/name' } }), 'at /answers/getWorkflow/body/a/$'],
  [
    'mock --port 0 --like a',
    flaw('createWorkflow', { a: [{ $: '/answer/titel' }] }),
    "at /answers/createWorkflow/body/a/0/$, the answer has no 'titel'; use one of workflow_id, name,",
  ],
])('%#: %s refuses a flawed profile', async (command, profile, place) => {
  const { code, stdout, stderr, folder } = await runWith({ a: profile }, command.split(' '), key)
  expect([code, stdout, readdirSync(folder)]).toEqual([3, '', ['a']])
  expect(stderr).toMatch(/^The profile a cannot be used: .+\. Correct it\.\n$/)
  expect(stderr).toContain(place)
})

test.each([
  ['conformance', '--url'],
  ['replay', 'session.har', '--url'],
  ['compare', 'reference'],
])('where nothing listens %s exits with 4', async (...args) => {
  const address = await deadAddress()
  const { code, stderr } = await runWith({ 'session.har': await recordedHar() }, [...args, address], key)
  expect([code, stderr]).toEqual([
    4,
    `${address} cannot be reached (ECONNREFUSED). Check the address, and that the deployment runs.\n`,
  ])
})

test('a busy port is one line that names it', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  expect(await runHere(['mock'], { COUNTERSIGN_PORT: String(port) })).toEqual({
    ...{ code: 4, stdout: '' },
    stderr: `Port ${port} is in use. Choose another with --port, or 0 for any free one.\n`,
  })
})

test('a folder that cannot be written is noticed before anything is sent', async () => {
  let asked = 0
  const count = async () => {
    asked += 1
    return new Response()
  }
  const args = ['conformance', '--url', await addressOf(count), '--report-dir', 'taken']
  const complaint = /^The report cannot be written: .*\. Choose another folder\.\n$/
  await mustFail(runWith({ taken: '' }, args, key), 4, complaint)
  expect(asked).toBe(0)
})
