/**
 * Runs the suite on every mutant, and records the failed checks (kills.gen.json) and the ground of each failure (grounds.gen.json).
 * `--new` runs only the mutants that are not recorded yet. The gate of the selftest compares each run with the records, and the page on
 * traceability shows them.
 */
import { readFileSync } from 'node:fs'
import { groundsOf } from '../conformance/selftest/gate.ts'
import { mutants } from '../conformance/selftest/mutants/index.ts'
import { reference } from '../conformance/selftest/reference.ts'
import { runOn } from '../conformance/selftest/run-on.ts'
import { writeGenerated } from './write-generated.ts'

const [kills, grounds] = ['conformance/selftest/kills.gen.json', 'conformance/selftest/grounds.gen.json'] as const

type Grounds = Readonly<Record<string, string>>

const known: Readonly<Record<string, Grounds>> = JSON.parse(
  readFileSync(new URL(`../${grounds}`, import.meta.url), 'utf8'),
)
const isNew = process.argv.includes('--new')
const found: [id: string, red: Grounds][] = []
for (const { id, wrapper } of mutants) {
  const recorded = isNew ? known[id] : undefined
  found.push([id, recorded ?? groundsOf((await runOn(wrapper(reference()))).checks)])
}

/** Writes one mutant a line. */
const recordsOf = (entries: readonly (readonly [id: string, value: unknown])[]) =>
  `{\n${entries.map(([id, value]) => `  ${JSON.stringify(id)}: ${JSON.stringify(value)}`).join(',\n')}\n}\n`

const red = found.map(([id, checks]) => [id, Object.keys(checks)] as const)
writeGenerated({ [kills]: recordsOf(red), [grounds]: recordsOf(found) }, 'npm run mutants')
