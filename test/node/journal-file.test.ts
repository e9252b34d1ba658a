import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seal } from '../../src/node/journal/format.ts'
import { createKeptMock, fill, journalPath, key, openedJournal, restart } from '../support/kept.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { cases } from '../support/sample.ts'
import { workflow } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

test('a mock restores events, objects and open work from its journal', async () => {
  const first = createKeptMock()
  const { workflowId, storageKey } = await fill(first)
  const second = restart(first, { approvers: 'auto' })
  expect(second.world.journal.read()).toEqual(first.world.journal.read())
  expect(storedBytes(second.world, storageKey)).toEqual(first.pdf)
  second.world.clock.advance(30 * 86_400_000)
  expect((await second.details(workflowId)).json.execution_metrics).toMatchObject({ total: 1, running: 0 })
})

test('identifiers are never repeated after restarts', async () => {
  const ids = new Set<string>()
  let mock = createKeptMock()
  for (const _ of [1, 2, 3]) {
    ids.add(await mock.create())
    mock = restart(mock)
  }
  expect(ids.size).toBe(3)
})

test('a mock that starts before its scenario has loaded keeps its history', async () => {
  const first = createKeptMock()
  await first.create()
  const { mock, world } = restart(first, { scenario: 'first-day' })
  expect(world.journal.length).toBe(1)
  await mock.ready
  expect(world.journal.length).toBe(1)
})

test('the journal does not show the key', async () => {
  const mock = createKeptMock()
  await fill(mock)
  expect(readFileSync(mock.path, 'utf8')).not.toContain(key)
})

test('a reset without a key resets restored worlds and truncates the file', async () => {
  const first = createKeptMock()
  const lines = () => readFileSync(first.path, 'utf8').split('\n')
  const [header] = lines()
  await fill(first)
  const { mock } = restart(first)
  expect(mock.journal.read().length).toBeGreaterThan(0)
  mock.reset()
  expect(mock.journal.read()).toEqual([])
  expect(lines()).toEqual([header, expect.stringContaining('"clock"'), ''])
})

test('a body that arrives across a reset leaves a sound journal', async () => {
  const first = createKeptMock()
  const { mock, requested, pdf } = first
  const { upload_url } = await requested()
  const json = { Authorization: key, 'Content-Type': 'application/json' }
  const text = new TextEncoder().encode(JSON.stringify(workflow()))
  const sendings = [
    inHalves(upload_url, 'PUT', { 'Content-Type': 'application/pdf' }, pdf),
    inHalves('http://mock.test/api/v1/workflows', 'POST', json, text),
  ]
  const answers = sendings.map(({ request }) => mock.fetch(request))
  await Promise.all(sendings.map(({ halfRead }) => halfRead))
  mock.reset()
  for (const { finish } of sendings) finish()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 201])
  const events = restart(first).world.journal.read()
  expect(events.map(({ type }) => type)).toEqual(['WorkflowCreated'])
})

/** Returns a request whose body pauses in the middle until `finish` is called. */
function inHalves(url: string, method: string, headers: Record<string, string>, bytes: Uint8Array) {
  const { readable: body, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const sized = { ...headers, 'Content-Length': `${bytes.byteLength}` }
  const request = new Request(url, { method, headers: sized, body, duplex: 'half' } as RequestInit)
  const finish = () => void Promise.allSettled([writer.write(bytes.slice(9)), writer.close()])
  return { request, halfRead: writer.write(bytes.slice(0, 9)), finish }
}

/** Returns the lengths from one to another, or some of them. */
const lengthsIn = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index).filter((_, at) => at % cases(1, 16) === 0)

test('a last line torn at any byte is dropped with a warning', async () => {
  const { path, create, mock } = createKeptMock()
  await create()
  mock.advance('PT1H', key)
  const whole = readFileSync(path)
  const lastLine = whole.lastIndexOf(0x0a, whole.length - 2) + 1
  for (const length of nonEmpty(lengthsIn(lastLine + 1, whole.length - 1))) {
    writeFileSync(path, whole.subarray(0, length))
    expect(openedJournal(path).warnings).toEqual([
      `The last line of ${path} is incomplete. It is dropped: ${length - lastLine} bytes.`,
    ])
    expect(readFileSync(path)).toEqual(whole.subarray(0, lastLine))
  }
})

test.each([0, 1, 2, 3])('a last line torn after %i bytes of a character is dropped', (bytes) => {
  const { path } = openedJournal()
  const whole = readFileSync(path)
  writeFileSync(path, Buffer.concat([whole, Buffer.from('{"tenant":"'), Buffer.from('📄').subarray(0, bytes)]))
  openedJournal(path)
  expect(readFileSync(path)).toEqual(whole)
})

test('a journal whose first line is torn at any byte, or empty, is started afresh', () => {
  const { path } = openedJournal()
  const whole = readFileSync(path)
  for (const length of nonEmpty(lengthsIn(0, whole.length - 1))) {
    writeFileSync(path, whole.subarray(0, length))
    expect(openedJournal(path).warnings).toHaveLength(length === 0 ? 0 : 1)
    expect(openedJournal(path).warnings).toEqual([])
    expect(readFileSync(path, 'utf8')).toMatch(/^\{"countersign":"journal","version":5,"id":"[0-9a-f]{32}",/)
  }
})

test('opening and closing a journal does not make it longer', async () => {
  const { path, create, stop } = createKeptMock()
  await create()
  stop()
  const before = readFileSync(path)
  openedJournal(path).journal.close()
  expect(readFileSync(path)).toEqual(before)
})

test('through a symbolic link the objects beside the file itself are used', async () => {
  const [first, link] = [createKeptMock(), journalPath()]
  const { storageKey } = await fill(first)
  first.stop()
  symlinkSync(first.path, link)
  expect(storedBytes(createKeptMock(link).world, storageKey)).toBeDefined()
  expect(readdirSync(join(link, '..'))).toEqual(['journal.jsonl'])
})

const headerWith = (version: number) => `{"countersign":"journal","version":${version},"id":"y","secret":"x"}`

test.each([
  ['something else', 'hello\n', /is not a Countersign journal\. Choose/],
  ['a later version', `${headerWith(6)}\n`, /version 6, and this Countersign reads version 5/],
  ['other line ends', `${headerWith(5)}\r\n`, /end with CRLF\. Change them back/],
  ['a header without a checksum', `${headerWith(5)}\n`, /is damaged: line 1/],
])('a file with %s is refused and stays as it is', (_, text, message) => {
  const path = journalPath()
  writeFileSync(path, text)
  expect(() => openedJournal(path)).toThrow(message)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('a line that does not follow from the lines before it sets its tenant aside', async () => {
  const first = createKeptMock()
  await fill(first)
  const [header = '', ...all] = readFileSync(first.path, 'utf8').split('\n').slice(0, -1)
  // Without the workflow, but with right checksums.
  let sum = Number.parseInt(header.slice(-10, -2), 16)
  const lines = all
    .filter((line) => !line.includes('WorkflowCreated'))
    .map((line) => {
      const sealed = seal(line.replace(/,"sum":"[0-9a-f]{8}"}$/, '}'), sum)
      sum = sealed.sum
      return `${sealed.line}\n`
    })
  writeFileSync(first.path, `${header}\n${lines.join('')}`)
  expect(() => createKeptMock(first.path).mock.journal.read(key)).toThrow(
    /is set aside: event \d, .*\(line \d of the journal\)/,
  )
})

test('a rewriting that was killed leaves nothing behind after the next start', () => {
  const { path } = openedJournal()
  writeFileSync(`${path}.new`, 'half')
  openedJournal(path)
  expect(readdirSync(join(path, '..')).sort()).toEqual(['journal.jsonl', 'journal.jsonl.objects'])
})

test('other files in the folder of objects stay', () => {
  const path = journalPath()
  mkdirSync(join(`${path}.objects`, 'folder'), { recursive: true })
  writeFileSync(join(`${path}.objects`, 'notes.txt'), 'mine')
  createKeptMock(path)
  expect(readdirSync(`${path}.objects`).sort()).toEqual(['countersign-objects.txt', 'folder', 'notes.txt'])
})
