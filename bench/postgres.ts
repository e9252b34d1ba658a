/**
 * Measures opening a tenant of n events (by default 1,000,000) in PostgreSQL: the time to the first answer, and the memory.
 * `npx tsx bench/postgres.ts 1000000`. Prints one line of JSON for each of three times.
 */
import { readFileSync } from 'node:fs'
import { openPostgres } from '../src/node/postgres/postgres-stream.ts'
import { noArchive } from '../src/world/archive.ts'
import { Clock } from '../src/world/clock.ts'
import type { RecordedEvent } from '../src/world/events.ts'
import { start } from '../src/world/shared/stream.ts'
import { Tenants } from '../src/world/tenants.ts'
import { World } from '../src/world/world.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { startReplica } from '../test/support/replicas.ts'
import { definition } from './harness/history.ts'
import { play } from './simulation.ts'

const key = 'test_bench'
/** The number of records in one statement. */
const batch = 1000

/** Returns the events of a world with some executions. */
function historyOf(executions: number): RecordedEvent[] {
  const events: RecordedEvent[] = []
  const archive = { ...noArchive, append: (_: string, more: readonly RecordedEvent[]) => void events.push(...more) }
  const world = new World('bench', { seed: '1', clock: new Clock({ speed: 0, start: 0 }), archive })
  play(world, { workflow: definition, meanGapMinutes: 120, executions, seed: 1 })
  return events
}

/** Repeats the executions of a history, each time later and with other identifiers. */
function* repeat(events: readonly RecordedEvent[], most: number): Generator<RecordedEvent> {
  const first = events.findIndex(({ type }) => type === 'ExecutionStarted')
  yield* events.slice(0, first)
  const story = events.slice(first)
  const span = (story.at(-1)?.at ?? 0) - (story[0]?.at ?? 0) + 1
  for (let count = first, round = 0; count < most; round += 1) {
    for (const event of story) {
      if (count >= most) return
      count += 1
      const moved = { ...event, at: event.at + round * span, seq: count }
      const named = 'executionId' in moved ? { ...moved, executionId: `${moved.executionId}_${round}` } : moved
      yield 'takenUpAt' in named ? { ...named, takenUpAt: named.takenUpAt + round * span } : named
    }
  }
}

/** Writes the stream of a tenant. Returns the identifier of its workflow. */
async function fill(journal: string, most: number): Promise<string> {
  const stream = await openPostgres(journal)
  const tenantId = new Tenants({ seed: '1', clockSpeed: 1 }).idOf(key)
  const events = historyOf(5000)
  const begin = { scenario: 'empty', at: 0, approvers: 'manual', generation: 'bench' } as const
  let after = start
  const append = async (records: Parameters<typeof stream.append>[0]['records']) => {
    after = (await stream.append({ tenantId, after, records, due: undefined, isOpen: true })) ?? after
  }
  await append([{ begin }])
  let records: RecordedEvent[] = []
  for (const event of repeat(events, most)) {
    records.push(event)
    if (records.length < batch) continue
    await append(records)
    records = []
  }
  await append([...records, { clock: { told: 4e12, real: Date.now(), speed: 1 } }])
  await stream.close()
  const created = events.find(({ type }) => type === 'WorkflowCreated')
  return created?.type === 'WorkflowCreated' ? created.workflowId : ''
}

/** Starts a mock and reads the details of a workflow. Returns what that took. */
async function measure(journal: string, workflowId: string) {
  const replica = await startReplica(journal)
  const { pid = 0 } = replica.process
  const [before, begun] = [processorSeconds(pid), performance.now()]
  const read = async () => {
    const response = await fetch(`${replica.url}/api/v1/workflows/${workflowId}`, { headers: { Authorization: key } })
    const text = await response.text()
    if (response.status !== 200) throw new Error(text)
    return JSON.parse(text).execution_metrics.total
  }
  const executions = await read()
  const figures = {
    executions,
    seconds: round((performance.now() - begun) / 1000),
    processorSeconds: round(processorSeconds(pid) - before),
    peakRssMib: Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024),
  }
  return { figures, replica }
}

/** Returns the processor time of a process so far. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100
}

const most = Number(process.argv[2] ?? 1_000_000)
const postgres = await startPostgres()
try {
  const journal = await postgres.createJournal()
  const workflowId = await fill(journal, most)
  for (let times = 0; times < 3; times += 1) {
    const { figures, replica } = await measure(journal, workflowId)
    process.stdout.write(`${JSON.stringify({ events: most, ...figures })}\n`)
    await replica.end('SIGKILL')
  }
} finally {
  await postgres.close()
}
