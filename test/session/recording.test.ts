import { expect, test } from 'vitest'
import { replay } from '../../conformance/replay/replay.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { readHar } from '../../conformance/session/read-har.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { leaksOf } from '../support/leaks.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { clientOf, type Upload } from '../support/service.ts'
import { started } from '../support/started.ts'

const key = 'test_canary_1a2b3c4d5e6f'
const other = 'test_second_9f8e7d6c5b4a'

interface Entry {
  readonly request: { readonly url: string; readonly postData?: { readonly text?: string; readonly comment?: string } }
}

/** Sends the documented flow and a refused call to a mock. Returns the upload session. */
async function useMock({ fetch }: Mock, apiKey: string, bytes = new Uint8Array([1, 2, 255])): Promise<Upload> {
  const client = clientOf({ fetch }, apiKey, 'http://mock.test')
  const { workflow_id } = await client.created()
  const upload = await client.requested('a.pdf', bytes.byteLength)
  await client.store(upload, bytes)
  const { document_id } = (await client.confirm(upload)).json
  await client.execute(workflow_id, document_id)
  await client.details(workflow_id)
  await client.details(workflow_id, { Authorization: 'Bearer wrong_key_12345' })
  return upload
}

/** Sends a recorded session to another mock. */
function replayed(session: unknown, options: Partial<Parameters<typeof replay>[0]> = {}) {
  const read = readHar(session, { needsBodies: false })
  const other = { url: 'http://other.test', apiKey: 'test_other', fetch: createMock().fetch, time: virtualTime() }
  return replay({ ...other, session: read, ...options })
}

async function recorded(...keys: readonly string[]) {
  const mock = createMock({ record: true })
  const uploads: Upload[] = []
  for (const one of keys.length > 0 ? keys : [key]) uploads.push(await useMock(mock, one))
  return { uploads, session: await mock.recording.read() }
}

test('the time of an exchange is the sum of its parts', async () => {
  const { session } = await recorded()
  const entries = session.log.entries as unknown as { time: number; timings: Record<string, number> }[]
  for (const { time, timings } of nonEmpty(entries)) {
    expect(Object.values(timings).reduce((sum, part) => sum + part, 0)).toBe(time)
  }
})

test('a recorded session replays on another mock, with its upload', async () => {
  const { session } = await recorded()
  const uploads: unknown[] = []
  const fresh = createMock()
  const fetch = async (request: Request) => {
    if (request.method === 'PUT') uploads.push([...new Uint8Array(await request.clone().arrayBuffer())])
    return fresh.fetch(request)
  }
  const { verdict, calls } = await replayed(session, { fetch })
  expect(calls.map(({ outcome, reason }) => reason ?? outcome)).toEqual(Array(7).fill('same'))
  expect([verdict, uploads]).toEqual(['same', [[1, 2, 255]]])
})

test('no key and no signature is in a recorded session', async () => {
  const { session, uploads } = await recorded(key, other)
  const text = JSON.stringify(session)
  const signatures = uploads.map(({ upload_url }) => new URL(upload_url).searchParams.get('X-Amz-Signature') ?? '')
  for (const secret of [key.slice(5), other.slice(5), 'wrong_key_12345', ...signatures]) {
    expect(leaksOf(text, secret)).toEqual([])
  }
  for (const standIn of ['***key***', '***key-2***']) expect(text).toContain(standIn)
})

test('two keys of a session are sent as two keys', async () => {
  const { session } = await recorded(key, other)
  const alone = await replayed(session)
  expect(alone.verdict).toBe('undecided')
  expect(alone.calls.at(-7)?.reason).toBe('The recording used a second tenant. Set COUNTERSIGN_API_KEY_2.')
  expect((await replayed(session, { secondKey: 'test_b_key' })).verdict).toBe('same')
})

test('a large upload is recorded by its size and digest', async () => {
  const mock = createMock({ record: true })
  await useMock(mock, key, new Uint8Array(300_000).fill(255))
  const session = await mock.recording.read()
  const put = (session.log.entries as Entry[]).find(({ request }) => request.url.includes('/storage/'))
  const comment = expect.stringMatching(/^300000 bytes, SHA-256 [\da-f]{64}$/)
  expect(put?.request.postData).toMatchObject({ text: '', comment })
  expect((await replayed(session)).verdict).toBe('same')
})

test('a file that comes over a socket in large chunks is recorded as it was', async () => {
  const { mock, storedText } = await started({ record: true })
  const text = 'countersign '.repeat(20_000)
  await storedText(text)
  const { log } = await mock.recording.read()
  expect((log.entries as Entry[]).at(-1)?.request.postData?.text === text).toBe(true)
})

test('calls are recorded from start to stop, and read by tenant', async () => {
  const mock = createMock()
  await useMock(mock, key)
  expect((await mock.recording.read()).log.entries).toEqual([])
  await mock.recording.start()
  await useMock(mock, key)
  await useMock(mock, other)
  mock.recording.stop()
  await useMock(mock, key)
  expect((await mock.recording.read()).log.entries).toHaveLength(14)
  expect((await mock.recording.read(key)).log.entries).toHaveLength(6)
  await mock.recording.start()
  expect((await mock.recording.read()).log.entries).toEqual([])
})

test('the admin API starts, stops and downloads a recording', async () => {
  const mock = createMock({ admin: { trusting: true } })
  const admin = (method: string) => mock.fetch('http://mock.test/__admin/recording', { method })
  expect((await admin('POST')).status).toBe(204)
  await useMock(mock, key)
  expect((await admin('DELETE')).status).toBe(204)
  await useMock(mock, key)
  const answer = await admin('GET')
  expect(answer.headers.get('Content-Disposition')).toBe('attachment; filename="session.har"')
  expect(await answer.json()).toEqual(await mock.recording.read())
  expect((await mock.recording.read()).log.entries).toHaveLength(7)
})
