import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { replay } from '../../../conformance/replay/replay.ts'
import { reportOfReplay } from '../../../conformance/replay/replay-report.ts'
import { sessionWriters, summaryLines } from '../../../conformance/replay/session-report.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { virtualTime } from '../../../conformance/selftest/virtual-time.ts'
import { readHar } from '../../../conformance/session/read-har.ts'
import { Target } from '../../../conformance/wire/target.ts'
import { createMock } from '../../../src/index.ts'
import { leaksOf } from '../../support/leaks.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { recordedHar } from './recording.ts'
import { replayOn, testReplays } from './replay.ts'

testReplays([{ 'workflow-id': 'uuid' }])

type Har = {
  log: { entries: { request: { method: string; url: string; postData?: { text?: string; comment?: string } } }[] }
}

/** Returns the recorded session with changed entries. */
async function changed(change: (entries: Har['log']['entries']) => Har['log']['entries']) {
  const har = JSON.parse(await recordedHar()) as Har
  return readHar({ log: { ...har.log, entries: change(har.log.entries) } }, { needsBodies: false })
}

test('a fault is named at the call that it changes', async () => {
  const sound = reference()
  const { calls, verdict } = await replayOn(async (request) =>
    request.url.endsWith('/execute') ? Response.json({ error: 'Not today.' }, { status: 409 }) : sound(request),
  )
  expect(verdict).toBe('different')
  const others = calls.filter(({ outcome }) => outcome === 'other')
  expect(others.map(({ name }) => name)).toEqual(['execute workflow 1', 'execute workflow 2'])
  expect(others[0]?.reason).toBe('It was accepted (answered 202), and is refused (answered 409 ("Not today.")).')
})

test.each([
  ['another status', () => new Response(null, { status: 201 }), 'answered 201'],
  ['a body', () => new Response('OK'), 'answered 200 and 2 bytes'],
])('storage that answers with %s has another outcome', async (_, answer, how) => {
  const sound = reference()
  const { calls } = await replayOn(async (request) => {
    const response = await sound(request)
    return request.method === 'PUT' && response.ok ? answer() : response
  })
  const before = 'It was accepted (answered 200), and is accepted with another answer'
  expect(calls.flatMap(({ name, reason }) => (reason === undefined ? [] : `${name}: ${reason}`))).toEqual([
    `put object 1: ${before} (${how}).`,
    expect.stringContaining('put object 2'),
  ])
})

test('a call whose data come from a call that failed is not sent', async () => {
  const mock = createMock()
  const sent: string[] = []
  const { calls, verdict } = await replayOn(async (request) => {
    sent.push(`${request.method} ${new URL(request.url).pathname}`)
    return request.url.endsWith('/upload/') ? Response.json({ error: 'No.' }, { status: 400 }) : mock.fetch(request)
  })
  expect(verdict).toBe('different')
  expect(sent.filter((one) => one.startsWith('PUT'))).toEqual([])
  const unsent = calls.filter(({ outcome }) => outcome === 'unsent')
  expect(unsent.map(({ name }) => name)).toContain('put object 1')
  expect(unsent[0]?.reason).toMatch(/^It uses ".*" of the call 'request upload 1', which did not succeed\.$/)
})

test('a workflow that is older than the session cannot be read elsewhere', async () => {
  const session = await changed((entries) => entries.filter(({ request }) => request.method === 'GET'))
  const { calls, verdict } = await replayOn(createMock().fetch, Promise.resolve(session))
  expect(verdict).toBe('undecided')
  expect(calls.map(({ outcome }) => outcome)).toEqual(['unsent', 'unsent'])
  expect(calls[0]?.reason).toMatch(/which no earlier answer shows\. Record the session from the call that makes it\.$/)
})

test('a file that the recording only describes is made up, with its digest', async () => {
  const size = 200_000
  const sha256 = 'ab'.repeat(32)
  const session = await changed((entries) =>
    entries.map((entry) => {
      const { request } = entry
      if (request.method === 'PUT') request.postData = { text: '', comment: `${size} bytes, SHA-256 ${sha256}` }
      const { postData } = request
      if (request.url.endsWith('/upload/') && postData?.text !== undefined) {
        postData.text = postData.text.replace(/"file_size":\d+/, `"file_size":${size}`)
      }
      if (request.url.endsWith('/confirm') && postData?.text !== undefined) {
        postData.text = postData.text.replace('"file_name"', `"sha256":"${sha256}","file_name"`)
      }
      return entry
    }),
  )
  const { calls } = await replayOn(createMock().fetch, Promise.resolve(session))
  expect(calls.filter(({ outcome }) => outcome !== 'same')).toEqual([])
})

test('nothing is sent to an address that only the recording has', async () => {
  const session = await changed((entries) =>
    entries.map((entry) => {
      entry.request.url = entry.request.url.replace('http://mock.test', 'http://recorded.test')
      return entry
    }),
  )
  const mock = createMock()
  const hosts = new Set<string>()
  const { calls } = await replayOn((request) => {
    hosts.add(new URL(request.url).host)
    return mock.fetch(request)
  }, Promise.resolve(session))
  expect(calls.length).toBeGreaterThan(5)
  expect([...hosts]).toEqual(['replay.test'])
})

test('keys of a recording are sent nowhere, and no report has a key', async () => {
  const [recordedKey, ownKey] = ['test_recorded_4e5d6c7b8a', 'test_canary_9f8e7d6c5b4b']
  const text = (await recordedHar()).replaceAll('***key***', recordedKey)
  const mock = createMock()
  const keys = new Set<string | null>()
  const fetch = (request: Request) => {
    keys.add(request.headers.get('authorization'))
    return mock.fetch(request)
  }
  const session = readHar(JSON.parse(text), { needsBodies: false })
  const result = await replay({ url: 'http://replay.test', apiKey: ownKey, fetch, session, time: virtualTime() })
  expect(result.verdict).toBe('same')
  expect(keys).toEqual(new Set([ownKey, null]))
  const report = reportOfReplay(result)
  for (const { write } of nonEmpty(Object.values(sessionWriters))) {
    expect(leaksOf(write(report), recordedKey.slice(5))).toEqual([])
    expect(leaksOf(write(report), ownKey.slice(5))).toEqual([])
  }
})

test('hostile names and messages stay inert in every report', async () => {
  const hostile = '</title><script>alert(1)</script>\u001b[2J'
  const har = JSON.parse(await recordedHar()) as { log: { entries: { _name: string }[] } }
  for (const entry of nonEmpty(har.log.entries)) entry._name = hostile
  const session = readHar(har)
  const fetch = async () => Response.json({ error: hostile }, { status: 400 })
  const result = await replay({ url: 'http://replay.test', apiKey: 'test_a', fetch, session, time: virtualTime() })
  const report = reportOfReplay(result)
  for (const { write } of nonEmpty(Object.values(sessionWriters))) {
    expect(write(report)).not.toContain('<script>')
    expect(write(report)).not.toContain('\u001b')
  }
  expect(summaryLines(report, false)).not.toContain('\u001b')
})

/** The mock, which refuses some names of workflows. */
function refusing(status: number, isRefused: (name: string) => boolean) {
  const mock = createMock()
  return async (request: Request) => {
    if (!request.url.endsWith('/workflows')) return mock.fetch(request)
    const { name } = (await request.clone().json()) as { name: string }
    return isRefused(name) ? Response.json({ error: 'No.' }, { status }) : mock.fetch(request)
  }
}

test('names that must be unique are changed if they are taken', async () => {
  const taken = new Set<string>()
  const { verdict, notes } = await replayOn(refusing(409, (name) => taken.has(name) || !taken.add(name)))
  expect(verdict).toBe('same')
  expect(notes).toContain(
    "'create workflow 2' was accepted only with another name, since names are unique here and its own is taken.",
  )
})

test('a name that is refused for another reason than uniqueness is a difference', async () => {
  const { verdict, calls } = await replayOn(refusing(400, (name) => name.endsWith('contract')))
  expect(verdict).toBe('different')
  const others = calls.filter(({ outcome }) => outcome === 'other')
  expect(others.map(({ name }) => name)).toEqual(['create workflow 1', 'create workflow 2'])
})

test('runs that share a signal share its listener, and all stop with it', async () => {
  const stopping = new AbortController()
  const time = { now: () => 0, sleep: () => new Promise<void>(() => {}) }
  const options = { url: 'http://replay.test', apiKey: 'test_replay', signal: stopping.signal, time }
  const waits = Array.from({ length: 12 }, () => new Target(options).transport.sleep(60_000))
  expect(getEventListeners(stopping.signal, 'abort').length).toBe(1)
  stopping.abort()
  await Promise.all(waits)
})
