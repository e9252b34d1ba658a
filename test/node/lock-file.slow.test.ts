import { spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lock } from '../../src/node/lock-file.ts'
import { type Locker, startLockingProcess, startLockingThread } from '../support/lockers.ts'
import { scratch } from '../support/scratch.ts'

const isTaken = /^Another mock has the journal .+ open\. Stop it, or choose another file\.$/

/** Creates a journal with several names: symbolic links, hard links and combinations. */
function journal() {
  const folder = scratch()
  const path = join(folder, 'journal.jsonl')
  writeFileSync(path, '')
  mkdirSync(join(folder, 'other'))
  const names = ['symbolic', 'hard', 'symbolic-to-hard', 'other/hard', 'linked-folder/hard'].map((name) =>
    join(folder, name),
  )
  const [symbolic = '', hard = '', symbolicToHard = '', elsewhere = ''] = names
  symlinkSync(path, symbolic)
  linkSync(path, hard)
  symlinkSync(hard, symbolicToHard)
  linkSync(path, elsewhere)
  symlinkSync(join(folder, 'other'), join(folder, 'linked-folder'))
  return { path, names }
}

/** Returns the number of lockers that get the lock if all try at the same moment. */
async function holders(lockers: readonly Locker[], pathOf: (index: number) => string): Promise<number> {
  const at = Date.now() + 2
  const held = await Promise.all(lockers.map((locker, index) => locker.tell({ do: 'lock', path: pathOf(index), at })))
  return held.filter(Boolean).length
}

test('a lock is refused under every name of the file until it is released', () => {
  const { path, names } = journal()
  for (const first of [path, ...names]) {
    const { release } = lock(first)
    for (const second of [path, ...names]) expect(() => lock(second), `${first}, ${second}`).toThrow(isTaken)
    release()
  }
})

// LOCK_ROUNDS=10000 is the figure of docs/reliability.md.
const rounds = Number(process.env.LOCK_ROUNDS ?? 100)

test('of four processes that lock one file at once, exactly one succeeds', async () => {
  const lockers = [0, 1, 2, 3].map(() => startLockingProcess())
  const { path, names } = journal()
  const folder = scratch()
  for (let round = 0; round < rounds; round += 1) {
    // In every second round the file does not exist yet.
    const fresh = join(folder, `${round}`)
    const pathOf = (index: number) => (round % 2 === 0 ? ([path, ...names][index] ?? path) : fresh)
    expect(await holders(lockers, pathOf), `round ${round}`).toBe(1)
    await Promise.all(lockers.map((locker) => locker.tell({ do: 'release' })))
  }
}, 600_000)

test('a lock ends with its process, even after a crash', async () => {
  const { path } = journal()
  const holder = startLockingProcess()
  expect(await holder.tell({ do: 'lock', path, at: 0 })).toBe(true)
  expect(() => lock(path)).toThrow(isTaken)
  await holder.kill()
  lock(path).release()
})

test('a thread of the same process does not get the lock either', async () => {
  const { path } = journal()
  const thread = startLockingThread()
  const { release } = lock(path)
  expect(await thread.tell({ do: 'lock', path, at: 0 })).toBe(false)
  release()
  expect(await thread.tell({ do: 'lock', path, at: 0 })).toBe(true)
  expect(() => lock(path)).toThrow(isTaken)
})

const unshare = ['unshare', '--pid', '--fork', '--kill-child']
const canUnshare = spawnSync('env', [...unshare, 'true']).status === 0
const where = canUnshare ? '' : ' (left out: unshare needs root and Linux)'

test.skipIf(!canUnshare)(`processes that each have the number 1 do not share a lock${where}`, async () => {
  const { path } = journal()
  const containers = [startLockingProcess(unshare), startLockingProcess(unshare)]
  for (let round = 0; round < 20; round += 1) {
    expect(await holders(containers, () => path), `round ${round}`).toBe(1)
    expect(() => lock(path)).toThrow(isTaken)
    await Promise.all(containers.map((locker) => locker.tell({ do: 'release' })))
  }
  lock(path).release()
})

test('releasing a lock again leaves the next one alone', () => {
  const { path } = journal()
  const { release } = lock(path)
  release()
  const { release: releaseNext } = lock(path)
  release()
  expect(() => lock(path)).toThrow(isTaken)
  releaseNext()
})

test.each([
  ['an empty lock file', ''],
  ['a lock file that names a running process', `${process.ppid}\n`],
])('%s of an earlier version does not block', (_, content) => {
  const { path } = journal()
  writeFileSync(`${path}.lock`, content)
  lock(path).release()
})

test('a lock stays with a file that replaces another under its name', () => {
  const { path } = journal()
  const { release: releaseOld } = lock(path)
  writeFileSync(`${path}.new`, '')
  const { release: releaseNew } = lock(`${path}.new`)
  renameSync(`${path}.new`, path)
  releaseOld()
  expect(() => lock(path)).toThrow(isTaken)
  releaseNew()
  lock(path).release()
})

test('the lock is held while its holder replaces the file repeatedly', async () => {
  const { path } = journal()
  const holder = startLockingProcess()
  const others = [startLockingProcess(), startLockingProcess()]
  expect(await holder.tell({ do: 'lock', path, at: 0 })).toBe(true)
  const [, ...held] = await Promise.all([
    holder.tell({ do: 'replace', path, times: 5_000 }),
    ...others.map((locker) => locker.tell({ do: 'try', path, times: 10_000 })),
  ])
  expect(held).toEqual([false, false])
})

test('a file that cannot be locked is refused, with what to do', () => {
  const folder = scratch()
  expect(() => lock(folder)).toThrow(/EISDIR.* Choose a file that can be written, in a folder that exists\.$/)
  expect(() => lock(join(folder, 'missing', 'journal'))).toThrow(/ENOENT.* Choose a file that can be written/)
})
