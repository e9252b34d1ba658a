/**
 * Measures opening a journal of n MiB (by default 1024): the time, and the memory beside the live state:
 * `node --expose-gc --import tsx bench/journal.ts 1024`. Prints one line of JSON for each kind of journal, or only for the
 * kind that is named.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMock } from '../src/mock.ts'
import { type JournalFile, openJournal } from '../src/node/journal/journal-file.ts'
import { noArchive } from '../src/world/archive.ts'
import { Clock } from '../src/world/clock.ts'
import type { RecordedEvent } from '../src/world/events.ts'
import { World } from '../src/world/world.ts'
import { definition } from './harness/history.ts'
import { play } from './simulation.ts'

const mib = 1024 * 1024
const tenants = 8

/** Returns the events of a world with n executions. */
function historyOf(executions: number): RecordedEvent[] {
  const events: RecordedEvent[] = []
  const archive = { ...noArchive, append: (_: string, more: readonly RecordedEvent[]) => void events.push(...more) }
  const world = new World('bench', { seed: '1', clock: new Clock({ speed: 0, start: 0 }), archive })
  play(world, { workflow: definition, meanGapMinutes: 120, executions, seed: 1 })
  return events.map((event) => (event.type === 'ObjectStored' ? { ...event, sha256: '0'.repeat(64) } : event))
}

const kinds = {
  /** Writes executions of a few keys, most of which are forgotten on opening. */
  executions(journal: JournalFile, isFull: () => boolean): void {
    const events = historyOf(5000)
    const first = events.findIndex(({ type }) => type === 'ExecutionStarted')
    const [before, story] = [events.slice(0, first), events.slice(first)]
    for (let tenant = 0; tenant < tenants; tenant += 1) journal.append(`tenant${tenant}`, before)
    for (let round = 0; !isFull(); round += 1) {
      const later = { at: round * 10 ** 11, seq: round * story.length }
      for (const event of story) {
        if (isFull()) break
        const moved = { ...event, at: event.at + later.at, seq: event.seq + later.seq }
        const named = 'executionId' in moved ? { ...moved, executionId: `${moved.executionId}_${round}` } : moved
        const shifted = 'takenUpAt' in named ? { ...named, takenUpAt: named.takenUpAt + later.at } : named
        for (let tenant = 0; tenant < tenants; tenant += 1) journal.append(`tenant${tenant}`, [shifted])
      }
    }
  },
  /** Writes workflows that are never executed. Two of five keys were reset. */
  workflows(journal: JournalFile, isFull: () => boolean): void {
    for (let round = 1; !isFull(); round += 1) {
      for (let tenant = 0; tenant < 5; tenant += 1) {
        const workflowId = `wf_${tenant}_${round}`
        journal.append(`tenant${tenant}`, [{ seq: round, at: round, type: 'WorkflowCreated', workflowId, definition }])
      }
    }
    journal.forget('tenant0')
    journal.forget('tenant1')
  },
}

function measure(kind: keyof typeof kinds, bytes: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  try {
    const path = join(folder, 'journal.jsonl')
    const journal = openJournal(path)
    const isFull = () => statSync(path).size >= bytes
    let calls = 0
    let wasFull = false
    kinds[kind](journal, () => {
      calls += 1
      if (calls % 1000 === 0) wasFull = isFull()
      return wasFull
    })
    journal.close()
    const self = fileURLToPath(import.meta.url)
    const { stdout } = spawnSync(process.execPath, [...process.execArgv, self, '--open', path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    process.stdout.write(`${JSON.stringify({ kind, ...JSON.parse(stdout) })}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Opens a journal in a process of its own. */
function open(path: string): void {
  const size = statSync(path).size
  const rssBefore = process.memoryUsage().rss
  const before = process.cpuUsage()
  const begun = performance.now()
  const archive = openJournal(path)
  const verified = performance.now()
  const mock = createMock({ archive, approvers: 'manual' })
  const ended = performance.now()
  const { user, system } = process.cpuUsage(before)
  const { maxRSS } = process.resourceUsage()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  const inMib = (bytes: number) => Math.round(bytes / mib)
  const figures = {
    mib: inMib(size),
    seconds: Math.round((ended - begun) / 100) / 10,
    processorSeconds: Math.round((user + system) / 1e5) / 10,
    verifiedAfter: Math.round((verified - begun) / 100) / 10,
    liveMib: inMib(heapUsed + external),
    peakRssMib: Math.round(maxRSS / 1024),
    rssBeforeMib: inMib(rssBefore),
    events: mock.journal.read().length,
    sizeAfterMib: inMib(statSync(path).size),
  }
  process.stdout.write(JSON.stringify(figures))
}

const [argument = '1024', second] = process.argv.slice(2)
if (argument === '--open' && second !== undefined) open(second)
else {
  const wanted = (Object.keys(kinds) as (keyof typeof kinds)[]).filter(
    (kind) => second === undefined || kind === second,
  )
  for (const kind of wanted) measure(kind, Number(argument) * mib)
}
