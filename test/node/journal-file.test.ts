import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seal } from '../../src/node/journal/format.ts'
import { openJournal } from '../../src/node/journal/journal-file.ts'
import { createKeptMock, fill, journalPath, key } from '../support/kept.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { cases } from '../support/sample.ts'
import { workflow } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

test('a mock restores events, objects and open work from its journal', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  const { workflowId, storageKey } = await fill(first)
  first.stop()
  const second = createKeptMock(path, { approvers: 'auto' })
  expect(second.world.journal.read()).toEqual(first.world.journal.read())
  expect(storedBytes(second.world, storageKey)).toEqual(first.pdf)
  second.world.clock.advance(30 * 86_400_000)
  expect((await second.details(workflowId)).json.execution_metrics).toMatchObject({ total: 1, running: 0 })
})

test('identifiers are never repeated after restarts', async () => {
  const path = journalPath()
  const restart = async () => {
    const mock = createKeptMock(path)
    const id = await mock.create()
    mock.stop()
    return id
  }
  const ids = [await restart(), await restart(), await restart()]
  expect(new Set(ids).size).toBe(3)
})

test('a mock that starts before its scenario has loaded keeps its history', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  await first.create()
  first.stop()
  const second = createKeptMock(path, { scenario: 'first-day' })
  expect(second.world.journal.length).toBe(1)
  await second.mock.ready
  expect(second.world.journal.length).toBe(1)
})

test('the journal does not show the key', async () => {
  const path = journalPath()
  await fill(createKeptMock(path))
  expect(readFileSync(path, 'utf8')).not.toContain(key)
})

test('a reset without a key resets restored worlds and truncates the file', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  const [header] = readFileSync(path, 'utf8').split('\n')
  await fill(first)
  first.stop()
  const { mock } = createKeptMock(path)
  expect(mock.journal.read().length).toBeGreaterThan(0)
  mock.reset()
  expect(mock.journal.read()).toEqual([])
  expect(readFileSync(path, 'utf8').split('\n')).toEqual([header, expect.stringContaining('"clock"'), ''])
})

test('a body that arrives across a reset leaves a sound journal', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  const { mock, requested, pdf } = first
  const { upload_url } = await requested()
  const json = { Authorization: key, 'Content-Type': 'application/json' }
  const text = new TextEncoder().encode(JSON.stringify(workflow()))
  const put = inHalves(upload_url, 'PUT', { 'Content-Type': 'application/pdf' }, pdf)
  const create = inHalves('http://mock.test/api/v1/workflows', 'POST', json, text)
  const answers = [mock.fetch(put.request), mock.fetch(create.request)]
  await Promise.all([put.halfRead, create.halfRead])
  mock.reset()
  put.finish()
  create.finish()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 201])
  first.stop()
  const events = createKeptMock(path).world.journal.read()
  expect(events.map(({ type }) => type)).toEqual(['WorkflowCreated'])
})

/** Returns a request whose body pauses in the middle until `finish` is called. */
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
  const sized = { ...headers, 'Content-Length': `${bytes.byteLength}` }
  const request = new Request(url, { method, headers: sized, body, duplex: 'half' } as RequestInit)
  return { request, halfRead, finish: () => finish() }
}

test('a last line torn at any byte is dropped with a warning', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  await first.create()
  first.mock.advance('PT1H', key)
  const whole = readFileSync(path)
  const lastLine = whole.lastIndexOf(0x0a, whole.length - 2) + 1
  const lengths = Array.from({ length: whole.length - 2 - lastLine }, (_, index) => lastLine + 1 + index)
  for (const length of nonEmpty(lengths.filter((_, index) => index % cases(1, 16) === 0))) {
    writeFileSync(path, whole.subarray(0, length))
    const warnings: string[] = []
    openJournal(path, { warn: (message) => warnings.push(message) })
    expect(warnings).toEqual([`The last line of ${path} is incomplete. It is dropped: ${length - lastLine} bytes.`])
    expect(readFileSync(path)).toEqual(whole.subarray(0, lastLine))
  }
})

test.each([0, 1, 2, 3])('a last line torn after %i bytes of a character is dropped', (bytes) => {
  const path = journalPath()
  openJournal(path).close()
  const whole = readFileSync(path)
  writeFileSync(path, Buffer.concat([whole, Buffer.from('{"tenant":"'), Buffer.from('📄').subarray(0, bytes)]))
  openJournal(path).close()
  expect(readFileSync(path)).toEqual(whole)
})

test('a journal whose first line is torn at any byte is started afresh', () => {
  const path = journalPath()
  openJournal(path).close()
  const whole = readFileSync(path)
  const lengths = Array.from({ length: whole.length - 1 }, (_, length) => length)
  for (const length of nonEmpty(lengths.filter((_, index) => index % cases(1, 16) === 0))) {
    writeFileSync(path, whole)
    truncateSync(path, length)
    const warnings: string[] = []
    const warn = (message: string) => warnings.push(message)
    openJournal(path, { warn }).close()
    expect(warnings).toHaveLength(length === 0 ? 0 : 1)
    openJournal(path, { warn }).close()
    expect(warnings).toHaveLength(length === 0 ? 0 : 1)
  }
})

test('opening and closing a journal does not make it longer', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  await first.create()
  first.stop()
  const before = readFileSync(path)
  openJournal(path).close()
  expect(readFileSync(path)).toEqual(before)
})

test('through a symbolic link the objects beside the file itself are used', async () => {
  const path = journalPath()
  const link = journalPath()
  const first = createKeptMock(path)
  const { storageKey } = await fill(first)
  first.stop()
  symlinkSync(path, link)
  expect(storedBytes(createKeptMock(link).world, storageKey)).toBeDefined()
  expect(readdirSync(join(link, '..'))).toEqual(['journal.jsonl'])
})

test.each([
  ['something else', 'hello\n', /is not a Countersign journal\. Choose/],
  ['a later version', '{"countersign":"journal","version":6}\n', /version 6, and this Countersign reads version 5/],
  [
    'other line ends',
    '{"countersign":"journal","version":5,"id":"y","secret":"x"}\r\n',
    /end with CRLF\. Change them back/,
  ],
  [
    'a header without a checksum',
    '{"countersign":"journal","version":5,"id":"y","secret":"x"}\n',
    /is damaged: line 1/,
  ],
])('a file with %s is refused and stays as it is', (_, text, message) => {
  const path = journalPath()
  writeFileSync(path, text)
  expect(() => openJournal(path)).toThrow(message)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('an empty file becomes a journal', () => {
  const path = journalPath()
  writeFileSync(path, '')
  openJournal(path).close()
  expect(readFileSync(path, 'utf8')).toMatch(/^\{"countersign":"journal","version":5,"id":"[0-9a-f]{32}",/)
})

test('a line that does not follow from the lines before it sets its tenant aside', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  await fill(first)
  const [header = '', ...all] = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  // Without the workflow, but with right checksums.
  let sum = Number.parseInt(header.slice(-10, -2), 16)
  const lines = all
    .filter((line) => !line.includes('WorkflowCreated'))
    .map((line) => {
      const sealed = seal(line.replace(/,"sum":"[0-9a-f]{8}"}$/, '}'), sum)
      sum = sealed.sum
      return `${sealed.line}\n`
    })
  writeFileSync(path, `${header}\n${lines.join('')}`)
  expect(() => createKeptMock(path).mock.journal.read(key)).toThrow(
    /is set aside: event \d, .*\(line \d of the journal\)/,
  )
})

test('a rewriting that was killed leaves nothing behind after the next start', () => {
  const path = journalPath()
  openJournal(path).close()
  writeFileSync(`${path}.new`, 'half')
  openJournal(path).close()
  expect(readdirSync(join(path, '..')).sort()).toEqual(['journal.jsonl', 'journal.jsonl.objects'])
})

test('other files in the folder of objects stay', () => {
  const path = journalPath()
  mkdirSync(join(`${path}.objects`, 'folder'), { recursive: true })
  writeFileSync(join(`${path}.objects`, 'notes.txt'), 'mine')
  createKeptMock(path).stop()
  expect(readdirSync(`${path}.objects`).sort()).toEqual(['countersign-objects.txt', 'folder', 'notes.txt'])
})
