import { linkSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import type { JournalFile } from '../../src/node/journal/journal-file.ts'
import { openUnlocked } from '../../src/node/lock-file.ts'
import type { RecordedEvent } from '../../src/world/events.ts'
import { createKeptMock, journalPath, openedJournal, write } from '../support/kept.ts'

/** Returns the number of events of each tenant in a journal. */
function countsIn(path: string): Record<string, number> {
  const counts: Record<string, number> = {}
  const { journal } = openedJournal(path)
  journal.read(({ tenantId, record }) => {
    counts[tenantId] = (counts[tenantId] ?? 0) + 1
    expect((record as RecordedEvent).seq).toBe(counts[tenantId])
  })
  journal.close()
  return counts
}

/** Writes lines, most of which a reset then makes dead. */
function fill(journal: JournalFile, live: number, dead: number): void {
  write(journal, 'live', live)
  write(journal, 'dead', dead)
  journal.forget('dead')
}

/** Does the same, and waits until the dead lines are removed. */
async function fillAndCompact(journal: JournalFile): Promise<void> {
  fill(journal, 10, 100)
  await journal.settled()
}

const filesBeside = (path: string) => readdirSync(dirname(path)).sort()

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Acts in each turn of the event loop until a journal is compacted. */
async function untilSettled(journal: JournalFile, act: () => void): Promise<void> {
  let isSettled = false
  const settled = journal.settled().then(() => {
    isSettled = true
  })
  while (!isSettled) {
    act()
    await nextTurn()
  }
  await settled
}

test('after a reset, dead lines are removed while other keys write', async () => {
  const { path, journal } = openedJournal()
  for (let place = 1; place <= 1000; place += 1) {
    write(journal, 'dead', 2, place * 2 - 1)
    write(journal, 'live', 1, place)
  }
  const before = statSync(path).size
  journal.forget('dead')
  const settled = journal.settled()
  // Written while lines are being copied.
  write(journal, 'live', 10, 1001)
  write(journal, 'new', 5)
  await settled
  write(journal, 'live', 1, 1011)
  expect(statSync(path).size).toBeLessThan(before * 0.4)
  journal.close()
  expect(countsIn(path)).toEqual({ live: 1011, new: 5 })
  expect(filesBeside(path)).toEqual(['journal.jsonl', 'journal.jsonl.objects'])
})

test('a key that is reset while lines are being copied is not in the copy', async () => {
  const { path, journal } = openedJournal()
  write(journal, 'early', 600)
  write(journal, 'dead', 2000)
  write(journal, 'live', 600)
  journal.forget('dead')
  // The first slice copies lines of this key.
  await nextTurn()
  await nextTurn()
  journal.forget('early')
  write(journal, 'early', 3)
  await journal.settled()
  journal.close()
  expect(countsIn(path)).toEqual({ early: 3, live: 600 })
})

test('other work is done between the slices of a compaction', async () => {
  const { journal } = openedJournal()
  fill(journal, 2000, 3000)
  let turns = 0
  await untilSettled(journal, () => {
    turns += 1
  })
  // One slice for each of about 10 MiB.
  expect(turns).toBeGreaterThanOrEqual(9)
})

test('a journal that is mostly dead is compacted when it is opened', async () => {
  const { path, journal } = openedJournal()
  fill(journal, 100, 200)
  // Closing cancels the compaction that the reset has begun.
  journal.close()
  const before = statSync(path).size
  expect(filesBeside(path)).toEqual(['journal.jsonl', 'journal.jsonl.objects'])
  const { journal: again } = openedJournal(path)
  await again.settled()
  expect(statSync(path).size).toBeLessThan(before / 2)
  expect(again.secret).toBe(journal.secret)
  again.close()
  expect(countsIn(path)).toEqual({ live: 100 })
})

test('a reset of all keys during a compaction leaves the header alone', async () => {
  const { path, journal } = openedJournal()
  const header = readFileSync(path, 'utf8')
  fill(journal, 100, 200)
  journal.forget('live')
  await journal.settled()
  expect(readFileSync(path, 'utf8')).toBe(header)
  write(journal, 'live', 1)
  journal.close()
  expect(countsIn(path)).toEqual({ live: 1 })
})

test('repeated resets of one key do not make the file grow', async () => {
  const { path, mock, create, archive } = createKeptMock()
  await create('test_stays')
  let largest = 0
  for (let round = 0; round < 400; round += 1) {
    await create('test_resets')
    mock.reset('test_resets')
    await archive.settled()
    largest = Math.max(largest, statSync(path).size)
  }
  expect(largest).toBeLessThan(140 * 1024)
})

test('both files are locked during the rename, and the new one until the end', async () => {
  const path = journalPath()
  const held: string[] = []
  const log: string[] = []
  const lock = (file: string) => {
    held.push(file)
    log.push(held.join(' '))
    const { file: descriptor, release } = openUnlocked(file)
    const released = () => {
      held.splice(held.indexOf(file), 1)
      release()
    }
    return { file: descriptor, release: released }
  }
  const { journal } = openedJournal(path, { lock })
  await fillAndCompact(journal)
  expect(log).toEqual([path, `${path} ${path}.new`])
  expect(held).toEqual([`${path}.new`])
  journal.close()
  expect(held).toEqual([])
})

test('a compaction that fails is reported once, and the mock continues', async () => {
  const path = journalPath()
  const lock = (file: string) => {
    if (file !== path) throw new Error('no locks left')
    return openUnlocked(file)
  }
  const { journal, warnings } = openedJournal(path, { lock })
  for (const _ of [1, 2, 3]) await fillAndCompact(journal)
  expect(warnings).toEqual([`Cannot compact ${path}: no locks left. The file grows until the next start.`])
  journal.close()
  expect(filesBeside(path)).toEqual(['journal.jsonl', 'journal.jsonl.objects'])
})

test('through a symbolic link the file itself is replaced', async () => {
  const [path, link] = [journalPath(), journalPath()]
  symlinkSync(path, link)
  await fillAndCompact(openedJournal(link).journal)
  // A dead line is 2 KiB long.
  expect(statSync(path).size).toBeLessThan(50 * 2048)
  expect(filesBeside(link)).toEqual(['journal.jsonl'])
})

test('a journal with another hard link is not compacted', async () => {
  const { path, journal } = openedJournal()
  linkSync(path, `${path}.link`)
  await fillAndCompact(journal)
  journal.close()
  expect(statSync(path).ino).toBe(statSync(`${path}.link`).ino)
  expect(countsIn(path)).toEqual({ live: 10 })
})

test('whenever a compaction is killed, the journal is complete', async () => {
  const { path, journal } = openedJournal()
  fill(journal, 700, 1500)
  let seq = 700
  const copy = journalPath()
  await untilSettled(journal, () => {
    write(journal, 'live', 1, ++seq)
    // The files as a kill would leave them at this moment.
    for (const name of filesBeside(path).filter((file) => !file.endsWith('.objects'))) {
      writeFileSync(`${dirname(copy)}/${name}`, readFileSync(`${dirname(path)}/${name}`))
    }
    expect(countsIn(copy)).toEqual({ live: seq })
  })
})

test('damage that is noticed while copying ends the compaction', async () => {
  const { path, journal, warnings } = openedJournal()
  write(journal, 'live', 100)
  write(journal, 'dead', 200)
  const text = readFileSync(path, 'utf8')
  // Changed in place, as by failing hardware.
  writeFileSync(path, text.replace('wf_live_50', 'wf_life_50'), { flag: 'r+' })
  journal.forget('dead')
  await journal.settled()
  expect(warnings).toEqual([expect.stringMatching(/Cannot compact .*: The journal was damaged at byte \d+/)])
  journal.close()
  expect(() => openedJournal(path)).toThrow(/is damaged: line 51/)
})
