/** Measures every row and prints one table: `npm run bench`, `-- --only NAME,…` for some rows. */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Finding, type Row, tableOf } from './harness/measure.ts'
import { cleanUp } from './harness/processes.ts'
import { create, flow, like, read } from './rows/calls.ts'
import { memory, put, start, suite, waits } from './rows/commands.ts'
import { console } from './rows/console.ts'
import { postgres } from './rows/postgres.ts'
import { turns } from './rows/turns.ts'

/** All rows in the order of the table. */
const rows: Readonly<Record<string, Row>> = {
  ...{ create, read, like, flow, turns, start, put, suite, waits, memory, console, postgres },
}
const { values } = parseArgs({ options: { only: { type: 'string' } } })
const names = values.only?.split(',') ?? Object.keys(rows)
const unknown = names.find((name) => !(name in rows))
if (unknown !== undefined) {
  process.stderr.write(`Unknown row '${unknown}'. Use some of ${Object.keys(rows).join(', ')}.\n`)
  process.exit(3)
}

const findings: (Finding & { readonly row: string })[] = []
for (const name of names) {
  process.stderr.write(`${name} …\n`)
  try {
    for (const finding of (await rows[name]?.()) ?? []) findings.push({ row: name, ...finding })
  } catch (error) {
    // The other rows took minutes, so their results are kept.
    process.stderr.write(`${error instanceof Error ? error.message : error}\nThe row '${name}' is left out.\n`)
    process.exitCode = 1
  }
  await cleanUp()
}
process.stdout.write(`${tableOf(findings)}\n`)
process.stderr.write(`${JSON.stringify({ node: process.version, load: loadavg() })}\n`)
