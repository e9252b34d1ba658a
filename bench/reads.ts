/**
 * Measures what tracking costs: the processor time of parsing and reading a workflow's details with it, over the time without it.
 * `npx tsx bench/reads.ts` prints both ratios.
 */
import { examples } from '../src/contract/examples.gen.ts'
import { trackReads } from '../src/reads/index.ts'

const details = examples.getWorkflow['200']?.examples.used as Details
const [execution] = Object.values(examples.executeWorkflow['202']?.examples ?? {})
const text = JSON.stringify({ ...details, recent_executions: Array.from({ length: 20 }, () => execution) })
const url = 'https://approvals.example/api/v1/workflows/wf_1'

interface Details {
  readonly name: string
  readonly steps: readonly { readonly name: string; readonly approvers: readonly { readonly email: string }[] }[]
  readonly recent_executions: readonly {
    readonly status: string
    readonly steps: readonly {
      readonly name: string
      readonly status: string
      readonly assignee: { readonly name: string }
    }[]
  }[]
}

/** Reads what a page would show, and returns its HTML. */
function show({ name, steps, recent_executions }: Details): string {
  const items = steps.map((step) => `<li>${step.name}: ${step.approvers.map(({ email }) => email).join(', ')}</li>`)
  const rows = recent_executions.map(
    (one) =>
      `<tr><td>${one.status}</td>${one.steps.map((step) => `<td>${step.name} ${step.status} ${step.assignee?.name}</td>`)}</tr>`,
  )
  return `<h1>${name}</h1><ol>${items.join('')}</ol><table>${rows.join('')}</table>`
}

async function parse(fetch: () => Promise<Response>): Promise<Details> {
  return (await fetch()).json() as Promise<Details>
}

async function millisecondsOf(rounds: number, work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round += 1) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const answer = async () => new Response(text, { headers: { 'content-type': 'application/json' } })
const rounds = 2000

async function measure(fetch: () => Promise<Response>): Promise<{ parsing: number; reading: number }> {
  const value = await parse(fetch)
  const run = async () => ({
    parsing: await millisecondsOf(rounds, () => parse(fetch)),
    reading: await millisecondsOf(rounds, () => show(value)),
  })
  await run()
  return run()
}

const plain = await measure(answer)
const reads = trackReads({ reader: () => 'a test' })
const followed = reads.follow(async (_: string) => answer())
const tracked = await measure(() => followed(url))
reads.stop()
for (const part of ['parsing', 'reading'] as const) {
  const [without, withIt] = [plain[part], tracked[part]].map((ms) => ((ms * 1000) / rounds).toFixed(1))
  process.stdout.write(
    `${part} an answer of ${text.length} characters: ${without} µs without, ${withIt} µs with tracking, ${(tracked[part] / plain[part]).toFixed(1)} times as much\n`,
  )
}
