/** Measures every row and prints one table: `npm run bench`, `-- --only NAME,…` for some rows, `-- --json` for machines. */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { Finding } from './harness/row.ts'
import { tableOf } from './harness/table.ts'
import { rows } from './rows/index.ts'

const names = rows.map(({ name }) => name)

/** Parses the command line. Reports mistakes before the first measurement, which takes minutes. */
function parseCommandLine(): { readonly only: readonly string[]; readonly json: boolean } {
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'boolean' } } })
    const only = values.only?.split(',') ?? names
    const unknown = only.find((name) => !names.includes(name))
    if (unknown !== undefined) throw new Error(`Unknown row '${unknown}'.`)
    return { only, json: values.json ?? false }
  } catch (error) {
    const problem = error instanceof Error ? error.message : error
    process.stderr.write(`${problem} Use --json, or --only with some of ${names.join(', ')}.\n`)
    process.exit(3)
  }
}

const { only, json } = parseCommandLine()
const chosen = rows.filter(({ name }) => only.includes(name))

const load = loadavg()
const findings: (Finding & { readonly row: string })[] = []
for (const { name, measure } of chosen) {
  process.stderr.write(`${name} …\n`)
  try {
    findings.push(...(await measure()).map((finding) => ({ row: name, ...finding })))
  } catch (error) {
    // The other rows took minutes, so their results are kept.
    process.stderr.write(`${error instanceof Error ? error.message : error}\nThe row '${name}' is left out.\n`)
    process.exitCode = 1
  }
}
const machine = { node: process.version, loadBefore: load, loadAfter: loadavg() }
const loads = [load, machine.loadAfter].map(([minute = 0]) => minute.toFixed(1)).join(' before, ')
const report = json
  ? JSON.stringify({ machine, findings }, undefined, 2)
  : `${tableOf(findings)}\n\nNode ${process.version}; load of the machine ${loads} after.`
process.stdout.write(`${report}\n`)
