import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { reportOfReplay } from '../../../conformance/replay/replay-report.ts'
import { sessionWriters, summaryLines } from '../../../conformance/replay/session-report.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import type { ServerFunction } from '../../../conformance/selftest/wrapper.ts'
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

/** Replays the recorded session with changed entries. */
async function replayChanged(change: (entries: Har['log']['entries']) => Har['log']['entries']) {
  const har = JSON.parse(await recordedHar()) as Har
  return replayOn(
    createMock().fetch,
    readHar({ log: { ...har.log, entries: change(har.log.entries) } }, { needsBodies: false }),
  )
}

/** A sound server, which answers some requests in another way. */
const instead = (isOther: (request: Request) => boolean, answer: () => Response): ServerFunction => {
  const sound = reference()
  return async (request) => {
    const response = await sound(request)
    return isOther(request) && (request.method !== 'PUT' || response.ok) ? answer() : response
  }
}
const refusal = (error: string, status: number) => () => Response.json({ error }, { status })

/** Returns what became of each call that has another outcome than was recorded. */
const othersOf = ({ calls }: Awaited<ReturnType<typeof replayOn>>) =>
  calls.flatMap(({ name, outcome, reason }) => (outcome === 'same' ? [] : `${name} (${outcome}): ${reason}`))

/** Returns what every report says of a replay. */
const reportsOf = (result: Awaited<ReturnType<typeof replayOn>>) => {
  const report = reportOfReplay(result)
  return [...nonEmpty(Object.values(sessionWriters)).map(({ write }) => write(report)), summaryLines(report, false)]
}

test('a fault is named at the call that it changes', async () => {
  const result = await replayOn(instead(({ url }) => url.endsWith('/execute'), refusal('Not today.', 409)))
  expect(result.verdict).toBe('different')
  expect(othersOf(result)).toEqual([
    'execute workflow 1 (other): It was accepted (answered 202), and is refused (answered 409 ("Not today.")).',
    expect.stringMatching(/^execute workflow 2 \(other\)/),
  ])
})

test('a refused read does not change what later calls name', async () => {
  const result = await replayOn(instead(({ method }) => method === 'GET', refusal('No.', 404)))
  expect(othersOf(result)).toEqual([1, 2].map((number) => expect.stringContaining(`read workflow ${number} (other)`)))
})

test.each([
  ['another status', () => new Response(null, { status: 201 }), 'answered 201'],
  ['a body', () => new Response('OK'), 'answered 200 and 2 bytes'],
])('storage that answers with %s has another outcome', async (_, answer, how) => {
  const result = await replayOn(instead(({ method }) => method === 'PUT', answer))
  expect(othersOf(result)).toEqual([
    `put object 1 (other): It was accepted (answered 200), and is accepted with another answer (${how}).`,
    expect.stringContaining('put object 2'),
  ])
})

test('a call whose data come from a call that failed is not sent', async () => {
  const mock = createMock()
  const methods = new Set<string>()
  const result = await replayOn(async (request) => {
    methods.add(request.method)
    return request.url.endsWith('/upload/') ? Response.json({ error: 'No.' }, { status: 400 }) : mock.fetch(request)
  })
  expect([result.verdict, methods.has('PUT')]).toEqual(['different', false])
  expect(othersOf(result)).toContainEqual(
    expect.stringMatching(
      /^put object 1 \(unsent\): It uses ".*" of the call 'request upload 1', which did not succeed\.$/,
    ),
  )
})

test('a workflow that is older than the session cannot be read elsewhere', async () => {
  const result = await replayChanged((entries) => entries.filter(({ request }) => request.method === 'GET'))
  expect(result.verdict).toBe('undecided')
  const why = 'which no earlier answer shows. Record the session from the call that makes it.'
  expect(othersOf(result)).toEqual([1, 2].map(() => expect.stringMatching(`\\(unsent\\): .*${why}$`)))
})

test('a file that the recording only describes is made up, with its digest', async () => {
  const sha256 = 'ab'.repeat(32)
  const result = await replayChanged((entries) =>
    entries.map((entry) => {
      const { method, postData } = entry.request
      if (method === 'PUT') entry.request.postData = { text: '', comment: `200000 bytes, SHA-256 ${sha256}` }
      else if (postData?.text) {
        postData.text = postData.text
          .replace(/"file_size":\d+/, '"file_size":200000')
          .replace(/("completed_files".*)("file_name")/, `$1"sha256":"${sha256}",$2`)
      }
      return entry
    }),
  )
  expect(othersOf(result)).toEqual([])
})

test('nothing is sent to an address that only the recording has', async () => {
  const mock = createMock()
  const hosts = new Set<string>()
  const recorded = JSON.parse((await recordedHar()).replaceAll('http://mock.test', 'http://recorded.test'))
  const { calls } = await replayOn(
    (request) => {
      hosts.add(new URL(request.url).host)
      return mock.fetch(request)
    },
    readHar(recorded, { needsBodies: false }),
  )
  expect(calls.length).toBeGreaterThan(5)
  expect([...hosts]).toEqual(['replay.test'])
})

test('keys of a recording are sent nowhere, and no report has a key', async () => {
  const [recordedKey, ownKey] = ['test_recorded_4e5d6c7b8a', 'test_canary_9f8e7d6c5b4b']
  const mock = createMock()
  const keys = new Set<string | null>()
  const fetch = (request: Request) => {
    keys.add(request.headers.get('authorization'))
    return mock.fetch(request)
  }
  const session = readHar(JSON.parse((await recordedHar()).replaceAll('***key***', recordedKey)), {
    needsBodies: false,
  })
  const result = await replayOn(fetch, session, ownKey)
  expect([result.verdict, keys]).toEqual(['same', new Set([ownKey, null])])
  for (const text of nonEmpty(reportsOf(result))) {
    expect([recordedKey, ownKey].flatMap((secret) => leaksOf(text, secret.slice(5)))).toEqual([])
  }
})

test('hostile names and messages stay inert in every report', async () => {
  const hostile = '</title><script>alert(1)</script>\u001b[2J'
  const har = JSON.parse(await recordedHar()) as { log: { entries: { _name: string }[] } }
  for (const entry of nonEmpty(har.log.entries)) entry._name = hostile
  const result = await replayOn(async () => Response.json({ error: hostile }, { status: 400 }), readHar(har))
  const reports = reportsOf(result)
  expect(reports.join()).not.toContain('\u001b')
  expect(reports.slice(0, -1).join()).not.toContain('<script>')
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
  const result = await replayOn(refusing(400, (name) => name.endsWith('contract')))
  expect(result.verdict).toBe('different')
  const others = othersOf(result).filter((text) => text.includes('(other)'))
  expect(others).toEqual([1, 2].map((number) => expect.stringContaining(`create workflow ${number} `)))
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
