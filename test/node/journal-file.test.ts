import { appendFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJournal } from '../../src/node/journal-file.ts'
import { scratch as emptyFolder } from '../support/scratch.ts'
import { service, workflow } from '../support/service.ts'

const scratch = () => join(emptyFolder(), 'journal.jsonl')
const key = 'test_kept'
const auth = { Authorization: key }

/** A mock that keeps what happens in a file. */
function kept(path: string, options = {}) {
  const warnings: string[] = []
  const archive = openJournal(path, (message) => warnings.push(message))
  const mine = service({ archive, ...options })
  return { ...mine, warnings, world: mine.mock.tenants.ofKey(key) }
}

/** Creates a workflow and uploads a document under the kept key. */
async function fill({ call, put, pdf, confirmation }: ReturnType<typeof kept>) {
  const { workflow_id } = (await call('POST', '/api/v1/workflows', workflow(), auth)).json
  const file = { file_name: '../../etc/passwd'.replaceAll('/', '_'), content_type: 'application/pdf', file_size: 256 }
  const upload = (await call('POST', '/api/v1/upload/', file, auth)).json
  await put(upload.upload_url, pdf, upload.headers)
  const body = confirmation(upload, file.file_name)
  const { document_id } = (await call('POST', '/api/v1/upload/confirm', body, auth)).json
  const execution = { document_id, submitter_email: 'sam@example.com' }
  await call('POST', `/api/v1/workflows/${workflow_id}/execute`, execution, auth)
  return { workflow_id, key: upload.key as string }
}

test('a mock starts with the events, objects and queued work of another', async () => {
  const path = scratch()
  const first = kept(path)
  const { workflow_id, key: storageKey } = await fill(first)
  const second = kept(path, { approvers: 'auto' })
  expect(second.world.journal.read()).toEqual(first.world.journal.read())
  expect(second.world.objects.get(storageKey)).toEqual(Buffer.from(first.pdf))
  second.world.clock.advance(30 * 86_400_000)
  const { json } = await second.call('GET', `/api/v1/workflows/${workflow_id}`, undefined, auth)
  expect(json.execution_metrics).toMatchObject({ total: 1, running: 0 })
})

test('after a restart time does not go back, and files are kept within bounds', async () => {
  const path = scratch()
  const first = kept(path)
  first.world.clock.advance(90 * 86_400_000)
  const { key: storageKey } = await fill(first)
  const second = kept(path, { maxStoredBytes: 255 })
  expect(second.world.clock.now()).toBeGreaterThanOrEqual(first.world.journal.read().at(-1)?.at ?? 0)
  expect(second.world.objects.get(storageKey)).toBeUndefined()
})

test('identifiers never come twice', async () => {
  const path = scratch()
  const create = async () => (await kept(path).call('POST', '/api/v1/workflows', workflow(), auth)).json.workflow_id
  const ids = [await create(), await create(), await create()]
  expect(new Set(ids).size).toBe(3)
})

test('an upload address outlives the mock', async () => {
  const path = scratch()
  const first = kept(path)
  const file = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 256 }
  const upload = (await first.call('POST', '/api/v1/upload/', file, auth)).json
  const archive = openJournal(path, () => {})
  const second = service({ archive })
  expect((await second.put(upload.upload_url, second.pdf, upload.headers)).status).toBe(200)
})

test('objects are files named by their digest, never by what the client calls them', async () => {
  const path = scratch()
  await fill(kept(path))
  expect(readdirSync(`${path}.objects`)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
})

test('the file does not show the key', async () => {
  const path = scratch()
  await fill(kept(path))
  expect(readFileSync(path, 'utf8')).not.toContain(key)
})

test('a torn last line is dropped with a warning, and nothing else is lost', async () => {
  const path = scratch()
  await fill(kept(path))
  const whole = readFileSync(path)
  const lastLine = whole.lastIndexOf(0x0a, whole.length - 2) + 1
  const lines = whole.toString().trimEnd().split('\n')
  for (let length = lastLine + 1; length < whole.length; length += 1) {
    writeFileSync(path, whole)
    truncateSync(path, length)
    const { warnings, world } = kept(path)
    expect(warnings).toEqual([`The last line of ${path} was torn and is dropped: ${length - lastLine} bytes.`])
    const before = lines.slice(1, -1).map((line) => JSON.parse(line))
    const restored = world.journal.read().map((event) => ({ tenant: world.tenantId, ...event }))
    expect(restored.slice(0, before.length)).toEqual(before)
    expect(readFileSync(path, 'utf8').startsWith(`${lines.slice(0, -1).join('\n')}\n`)).toBe(true)
  }
})

test.each([0, 1, 2, 3])('a line torn after %i of 4 bytes of a character is dropped', (bytes) => {
  const path = scratch()
  openJournal(path, () => {}).close()
  const whole = readFileSync(path)
  const torn = Buffer.concat([Buffer.from('{"tenant":"'), Buffer.from('📄').subarray(0, bytes)])
  writeFileSync(path, Buffer.concat([whole, torn]))
  const warnings: string[] = []
  openJournal(path, (message) => warnings.push(message)).close()
  expect(warnings).toEqual([`The last line of ${path} was torn and is dropped: ${torn.length} bytes.`])
  expect(readFileSync(path)).toEqual(whole)
})

test('a journal whose first line is torn starts anew, and can be read again', () => {
  const path = scratch()
  openJournal(path, () => {}).close()
  const whole = readFileSync(path)
  for (let length = 1; length < whole.length; length += 1) {
    truncateSync(path, length)
    const warnings: string[] = []
    const journal = openJournal(path, (message) => warnings.push(message))
    journal.append('tenant', [])
    journal.forget('tenant')
    journal.close()
    expect(warnings).toEqual([`The last line of ${path} was torn and is dropped: ${length} bytes.`])
    openJournal(path, (message) => warnings.push(message)).close()
    expect(warnings).toHaveLength(1)
    writeFileSync(path, whole)
  }
})

test('after a reset there is nothing to begin from', async () => {
  const path = scratch()
  const first = kept(path)
  await fill(first)
  first.mock.reset()
  expect(kept(path).world.journal.read()).toEqual([])
})

test('a reset without a key includes keys not seen since the start', async () => {
  const path = scratch()
  await fill(kept(path))
  const archive = openJournal(path, () => {})
  const { mock } = service({ archive })
  expect(mock.journal.read().length).toBeGreaterThan(0)
  mock.reset()
  expect(mock.journal.read()).toEqual([])
  expect(readFileSync(path, 'utf8')).toBe('{"countersign":"journal","version":1}\n')
})

test('a body that arrives during a reset belongs to the time after it', async () => {
  const path = scratch()
  const { mock, call, pdf } = kept(path)
  const file = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 256 }
  const { upload_url } = (await call('POST', '/api/v1/upload/', file, auth)).json
  const json = { ...auth, 'Content-Type': 'application/json' }
  const text = new TextEncoder().encode(JSON.stringify(workflow()))
  const put = inHalves(upload_url, 'PUT', { 'Content-Type': 'application/pdf' }, pdf)
  const create = inHalves('http://mock.test/api/v1/workflows', 'POST', json, text)
  const answers = [mock.fetch(put.request), mock.fetch(create.request)]
  await Promise.all([put.halfRead, create.halfRead])
  mock.reset()
  put.finish()
  create.finish()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 201])
  expect(
    kept(path)
      .world.journal.read()
      .map(({ type }) => type),
  ).toEqual(['WorkflowCreated'])
})

/** A request whose body stops in the middle until it is told to go on. */
function inHalves(url: string, method: string, headers: Record<string, string>, bytes: Uint8Array) {
  let tell = () => {}
  let finish = () => {}
  const halfRead = new Promise<void>((resolve) => {
    tell = resolve
  })
  const going = new Promise<void>((resolve) => {
    finish = resolve
  })
  const body = new ReadableStream(
    {
      async pull(controller) {
        controller.enqueue(bytes.slice(0, 9))
        tell()
        await going
        controller.enqueue(bytes.slice(9))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const request = new Request(url, { method, headers, body, duplex: 'half' } as RequestInit)
  return { request, halfRead, finish: () => finish() }
}

test('files of others in the folder of objects stay', () => {
  const path = scratch()
  mkdirSync(join(`${path}.objects`, 'folder'), { recursive: true })
  writeFileSync(join(`${path}.objects`, 'notes.txt'), 'mine')
  openJournal(path, () => {}).close()
  expect(readdirSync(`${path}.objects`).sort()).toEqual(['folder', 'notes.txt'])
})

test.each([
  ['something else', 'hello\n', /is not a Countersign journal/],
  ['another version', '{"countersign":"journal","version":2}\n', /version 2, and this is version 1/],
  ['other line ends', '{"countersign":"journal","version":1}\r\n', /its lines end with CRLF/],
  ['a line that is no event', '{"countersign":"journal","version":1}\nnonsense\n{}\n', /line 2 is not an event/],
])('a file with %s is refused, and stays as it is', (_, text, message) => {
  const path = scratch()
  writeFileSync(path, text)
  expect(() => openJournal(path, () => {})).toThrow(message)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('a line that is lost, or written twice, is named, and nothing changes', async () => {
  const path = scratch()
  await fill(kept(path))
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  for (let place = 1; place < lines.length - 1; place += 1) {
    for (const changed of [lines.toSpliced(place, 1), lines.toSpliced(place, 0, lines[place] as string)]) {
      const text = changed.map((line) => `${line}\n`).join('')
      writeFileSync(path, text)
      expect(() => openJournal(path, () => {})).toThrow(/line \d+ is event \d+ of its key, and \d+ would be next/)
      expect(readFileSync(path, 'utf8')).toBe(text)
    }
  }
})

test('objects of a reset world and half-written files are gone at the next start', async () => {
  const path = scratch()
  const first = kept(path)
  await fill(first)
  writeFileSync(join(`${path}.objects`, `${crypto.randomUUID()}.part`), 'half')
  openJournal(path, () => {}).close()
  expect(readdirSync(`${path}.objects`)).toHaveLength(1)
  first.mock.reset(key)
  openJournal(path, () => {}).close()
  expect(readdirSync(`${path}.objects`)).toEqual([])
})

test('an empty file is a journal of nothing', () => {
  const path = scratch()
  appendFileSync(path, '')
  expect(openJournal(path, () => {}).past('x')).toEqual([])
})
