import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JournalOptions } from '../../src/node/journal/line-file.ts'
import { createKeptMock, fill, key, openedJournal, restart } from '../support/kept.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { cases } from '../support/sample.ts'

/** Returns a journal of two keys, one of them reset, as it is after a stop or a kill. */
async function journalAfter(end: 'stop' | 'kill') {
  const mock = createKeptMock()
  const { path } = mock
  await mock.create('test_other')
  await fill(mock)
  mock.mock.reset('test_other')
  await mock.create('test_other')
  mock.mock.advance('PT2H', key)
  if (end === 'stop') mock.stop()
  const bytes = readFileSync(path)
  const refusalOf = (changed: readonly string[]) => reopen(path, joinLines(changed)).refusal
  return { path, bytes, lines: bytes.toString().split('\n').slice(0, -1), refusalOf }
}

/** Opens a journal with other bytes. Returns the refusal, or the warnings, and the bytes afterwards. */
function reopen(path: string, changed: Buffer | string, options: JournalOptions = {}) {
  writeFileSync(path, changed)
  try {
    const { warnings } = openedJournal(path, options)
    return { warnings, bytes: readFileSync(path) }
  } catch (error) {
    return { refusal: (error as Error).message, bytes: readFileSync(path) }
  }
}

const joinLines = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

/** The distance of the bits to flip. In a sample it meets all eight bits of a byte in turn. */
const stride = cases(1, 41)

test.each([true, false])('every flipped bit is refused and changes nothing; closed: %s', async (isClosed) => {
  const { path, journal } = openedJournal()
  const upload = { sessionId: 's', key: 'k', request: { file_name: 'é', content_type: 'text/plain', file_size: 0 } }
  journal.append('ab', [{ seq: 1, at: 1, type: 'UploadRequested', ...upload }])
  journal.append('cd', [{ seq: 1, at: 2, type: 'ObjectStored', sessionId: 's', sha256: 'ef' }])
  journal.forget('cd')
  journal.append('ab', [{ clock: { mockTime: 1, wallTime: 2, speed: 3 } }])
  if (isClosed) journal.close()
  const bytes = readFileSync(path)
  expect(reopen(path, bytes)).toEqual({ warnings: [], bytes })
  const last = bytes.length - 1
  const flip = (bit: number) => bytes.with(bit >> 3, (bytes[bit >> 3] as number) ^ (1 << (bit & 7)))
  for (let bit = 0; bit < last * 8; bit += stride) {
    const flipped = Buffer.from(flip(bit))
    const { refusal, bytes: after } = reopen(path, flipped)
    if (!refusal) throw new Error(`Bit ${bit & 7} of byte ${bit >> 3} was flipped unnoticed.`)
    expect(after.equals(flipped)).toBe(true)
  }
  // Only the last line break carries no information; it is restored.
  for (let bit = last * 8; bit < bytes.length * 8; bit += 1) {
    expect(reopen(path, Buffer.from(flip(bit)))).toEqual({ warnings: [], bytes })
  }
})

test('the message names the damaged line and what to do', async () => {
  const { lines, refusalOf } = await journalAfter('stop')
  expect(lines.length).toBeGreaterThan(8)
  const refusals = lines.map((line, place) => refusalOf(lines.with(place, line.replace('":', '"_'))))
  const damaged = (place: number) => new RegExp(`is damaged: line ${place + 1} does not match .*repair it`)
  expect(refusals).toEqual(
    lines.map((_, place) => expect.stringMatching(place === 0 ? /is not a Countersign journal/ : damaged(place))),
  )
})

test.each(['stop', 'kill'] as const)('after a %s, removed, repeated and swapped lines are refused', async (end) => {
  const { lines, refusalOf } = await journalAfter(end)
  expect(refusalOf(lines)).toBeUndefined()
  for (const [place, line] of nonEmpty(lines.entries())) {
    // After a kill, a missing last line cannot be noticed; after a stop, neither can a missing closing line.
    if (place < lines.length - 1) expect(refusalOf(lines.toSpliced(place, 1))).toBeDefined()
    expect(refusalOf(lines.toSpliced(place, 0, line))).toBeDefined()
    for (let other = place + 1; other < lines.length; other += 1) {
      expect(refusalOf(lines.with(place, lines[other] as string).with(other, line))).toBeDefined()
    }
  }
})

test('after a stop, all lines of a key or the last line of a key cannot be missing', async () => {
  const { lines, refusalOf } = await journalAfter('stop')
  expect(refusalOf(lines)).toBeUndefined()
  const tenants = new Set(lines.slice(1, -1).map((line) => JSON.parse(line).tenant as string))
  expect(tenants.size).toBe(3)
  for (const tenant of nonEmpty(tenants)) {
    const own = lines.filter((line) => line.startsWith(`{"tenant":"${tenant}"`))
    for (const missing of nonEmpty([own, own.slice(-1)])) {
      expect(refusalOf(lines.filter((line) => !missing.includes(line)))).toBeDefined()
    }
  }
})

test('a repair keeps the lines before the damage and moves the rest aside', async () => {
  const { path, bytes, lines } = await journalAfter('stop')
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: lines.length - 1 }), fc.nat(), async (place, position) => {
      const begin = Buffer.byteLength(joinLines(lines.slice(0, place)))
      const length = Buffer.byteLength(lines[place] as string)
      const damaged = Buffer.from(bytes)
      damaged[begin + (position % length)] = 0x7f
      const before = readdirSync(dirname(path))
      const { warnings, bytes: after } = reopen(path, damaged, { repair: true })
      expect(after.equals(bytes.subarray(0, begin))).toBe(true)
      const added = readdirSync(dirname(path)).find((name) => !before.includes(name) && name.includes('.damaged'))
      expect(readFileSync(`${dirname(path)}/${added}`).equals(damaged.subarray(begin))).toBe(true)
      for (const part of [
        ...[`line ${place + 1} does not match`, `Lines 1 to ${place} were kept`, `were moved to ${path}.damaged`],
        `(${bytes.length - begin} bytes: ${lines.length - place} line`,
      ]) {
        expect(warnings).toEqual([expect.stringContaining(part)])
      }
    }),
    { numRuns: 50 },
  )
})

test('a mock continues from a repaired journal, which can be opened again', async () => {
  const { path, lines } = await journalAfter('stop')
  const place = lines.findIndex((line) => line.includes('ExecutionStarted'))
  writeFileSync(path, joinLines(lines.with(place, (lines[place] as string).replace('sam@', 'tom@'))))
  const repaired = createKeptMock(path, {}, { repair: true })
  expect(repaired.world.journal.read().map(({ type }) => type)).toEqual([
    'WorkflowCreated',
    'UploadRequested',
    'ObjectStored',
    'UploadConfirmed',
  ])
  await repaired.create()
  const again = restart(repaired)
  expect(again.warnings).toEqual([])
  expect(again.world.journal.length).toBe(5)
})

test('a repair of a damaged header moves everything aside', async () => {
  const { path, lines } = await journalAfter('kill')
  const damaged = joinLines(lines.with(0, (lines[0] as string).replace('"secret":"', '"secret":"_')))
  const { warnings } = reopen(path, damaged, { repair: true })
  expect(warnings).toEqual([expect.stringContaining('Nothing was kept')])
  expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(damaged)
})
