/** Measures every row and prints one table: `npm run bench`, `-- --only NAME,…` for some rows, `-- --json` for machines. */
import { loadavg } from 'node:os'
import type { Finding } from './harness/row.ts'
import { tableOf } from './harness/table.ts'
import { rows } from './rows/index.ts'

const { argv } = process
const only = argv.includes('--only') ? argv[argv.indexOf('--only') + 1]?.split(',') : undefined
const chosen = rows.filter(({ name }) => only === undefined || only.includes(name))
if (chosen.length === 0) {
  const names = rows.map(({ name }) => name).join(', ')
  process.stderr.write(`Failed to measure: because there is no row '${only?.join()}'. Use one of ${names}.\n`)
  process.exit(3)
}

const load = loadavg()
const findings: (Finding & { readonly row: string })[] = []
for (const { name, measure } of chosen) {
  process.stderr.write(`${name} …\n`)
  try {
    findings.push(...(await measure()).map((finding) => ({ row: name, ...finding })))
  } catch (error) {
    // What the other rows find took minutes, and is not lost.
    process.stderr.write(`${error instanceof Error ? error.message : error}\nThe row '${name}' is missing.\n`)
    process.exitCode = 1
  }
}
const machine = { node: process.version, loadBefore: load, loadAfter: loadavg() }
const loads = [load, machine.loadAfter].map(([minute = 0]) => minute.toFixed(1)).join(' before, ')
const report = argv.includes('--json')
  ? JSON.stringify({ machine, findings }, undefined, 2)
  : `${tableOf(findings)}\n\nNode ${process.version}; load of the machine ${loads} after.`
process.stdout.write(`${report}\n`)
