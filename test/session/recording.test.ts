import { Ajv } from 'ajv'
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import formats from 'ajv-formats'
import schemas from 'har-schema'
import { expect, test } from 'vitest'
import { replay } from '../../conformance/replay/replay.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { readHar } from '../../conformance/session/read-har.ts'
import { Target } from '../../conformance/wire/target.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { leaksOf } from '../support/leaks.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { workflow } from '../support/service.ts'
import { started } from '../support/started.ts'

const key = 'test_canary_1a2b3c4d5e6f'
const other = 'test_second_9f8e7d6c5b4a'

interface Entry {
  readonly request: { readonly url: string; readonly postData?: { readonly text?: string; readonly comment?: string } }
}

/** Sends the documented flow to a mock. */
async function useMock(mock: Mock, apiKey: string, bytes = new Uint8Array([1, 2, 255])): Promise<void> {
  const target = new Target({ url: 'http://mock.test', apiKey, fetch: mock.fetch })
  const created = (await target.createWorkflow(workflow())).json as { workflow_id: string }
  const file = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: bytes.byteLength }
  const upload = (await target.requestUpload(file)).json as { upload_url: string; session_id: string; key: string }
  await target.putObject(upload.upload_url, 'application/pdf', bytes)
  const completed_files = [{ key: upload.key, file_name: 'a.pdf' }]
  const { session_id } = upload
  const confirmed = (await target.confirmUpload({ session_id, completed_files })).json as { document_id: string }
  const { document_id } = confirmed
  const execution = { document_id, submitter_email: 'sam@example.com' } as const
  await target.executeWorkflow(created.workflow_id, execution)
  await target.getWorkflow(created.workflow_id)
  await target.getWorkflow(created.workflow_id, { headers: { Authorization: 'Bearer wrong_key_12345' } })
}

/** Sends a recorded session to another mock. */
function replayed(session: unknown, options: Partial<Parameters<typeof replay>[0]> = {}) {
  const read = readHar(session, { needsBodies: false })
  const other = { url: 'http://other.test', apiKey: 'test_other', fetch: createMock().fetch, time: virtualTime() }
  return replay({ ...other, session: read, ...options })
}

async function recorded(use: (mock: Mock) => Promise<void> = (mock) => useMock(mock, key)) {
  const mock = createMock({ record: true })
  await use(mock)
  return { mock, session: await mock.recording.read() }
}

test('a recorded session fits the schema of HAR 1.2', async () => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addMetaSchema(draft06)
  for (const schema of nonEmpty(Object.values(schemas))) ajv.addSchema(schema)
  const { session } = await recorded()
  const validate = ajv.getSchema('har.json#')
  expect(validate?.(session), ajv.errorsText(validate?.errors)).toBe(true)
  expect(session.log.entries).toHaveLength(7)
})

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
  const signatures: string[] = []
  const { session } = await recorded(async (mock) => {
    const fetch: Mock['fetch'] = async (input, init) => {
      const { url } = input as Request
      const signature = new URL(url).searchParams.get('X-Amz-Signature')
      if (signature) signatures.push(signature)
      return mock.fetch(input, init)
    }
    await useMock({ ...mock, fetch }, key)
    await useMock({ ...mock, fetch }, other)
  })
  const text = JSON.stringify(session)
  expect(signatures).toHaveLength(2)
  for (const secret of nonEmpty([key.slice(5), other.slice(5), 'wrong_key_12345', ...signatures])) {
    expect(leaksOf(text, secret)).toEqual([])
  }
  expect(text).toContain('***key***')
  expect(text).toContain('***key-2***')
})

test('two keys of a session are sent as two keys', async () => {
  const { session } = await recorded(async (mock) => {
    await useMock(mock, key)
    await useMock(mock, other)
  })
  const alone = await replayed(session)
  expect(alone.verdict).toBe('undecided')
  expect(alone.calls.at(-7)?.reason).toBe('The recording used a second tenant. Set COUNTERSIGN_API_KEY_2.')
  const both = await replayed(session, { secondKey: 'test_b_key' })
  expect(both.verdict).toBe('same')
})

test('a large upload is recorded by its size and digest', async () => {
  const { session } = await recorded((mock) => useMock(mock, key, new Uint8Array(300_000).fill(255)))
  const [put] = (session.log.entries as Entry[]).filter(({ request }) => request.url.includes('/storage/'))
  expect(put?.request.postData?.text).toBe('')
  expect(put?.request.postData?.comment).toMatch(/^300000 bytes, SHA-256 [\da-f]{64}$/)
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
  expect([answer.status, answer.headers.get('Content-Disposition')]).toEqual([
    200,
    'attachment; filename="session.har"',
  ])
  expect(await answer.json()).toEqual(await mock.recording.read())
  expect((await mock.recording.read()).log.entries).toHaveLength(7)
})
