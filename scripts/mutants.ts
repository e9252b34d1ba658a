/**
 * Runs the suite on every mutant, and records the failed checks (kills.gen.json) and the ground of each failure (grounds.gen.json).
 * `--new` runs only the mutants that are not recorded yet. `--check` runs none; it fails if the records have other mutants than the
 * code. (The gate of the selftest compares each run with the records, and the page on traceability shows them.)
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { groundsOf } from '../conformance/selftest/gate.ts'
import { mutants } from '../conformance/selftest/mutants/index.ts'
import { reference } from '../conformance/selftest/reference.ts'
import { runOn } from '../conformance/selftest/run-on.ts'

const kills = new URL('../conformance/selftest/kills.gen.json', import.meta.url)
const grounds = new URL('../conformance/selftest/grounds.gen.json', import.meta.url)

type ById<Value> = Readonly<{ [id: string]: Value }>

const read = <Value>(url: URL): ById<Value> => JSON.parse(readFileSync(url, 'utf8'))
const known = { kills: read<string[]>(kills), grounds: read<ById<string>>(grounds) }
const isRecorded = (id: string) => id in known.kills && id in known.grounds

/** Returns the ground of each check that fails on a mutant. */
async function groundsOn({ create }: (typeof mutants)[number]): Promise<ById<string>> {
  return groundsOf((await runOn(create()(reference()))).checks)
}

function write(url: URL, entries: readonly (readonly [id: string, value: unknown])[]): void {
  const lines = entries.map(([id, value]) => `  ${JSON.stringify(id)}: ${JSON.stringify(value)}`)
  writeFileSync(url, `{\n${lines.join(',\n')}\n}\n`)
}

if (process.argv.includes('--check')) {
  const ids = mutants.map(({ id }) => id).join()
  const areRecorded = [known.kills, known.grounds].every((records) => Object.keys(records).join() === ids)
  if (!areRecorded) {
    process.stderr.write(
      "The records of the selftest have other mutants. Run 'npm run mutants' and commit what changed.\n",
    )
    process.exitCode = 1
  }
} else {
  const isNew = process.argv.includes('--new')
  const found: [id: string, red: ById<string>][] = []
  for (const mutant of mutants) {
    const { id } = mutant
    found.push([id, isNew && isRecorded(id) ? (known.grounds[id] ?? {}) : await groundsOn(mutant)])
  }
  write(
    kills,
    found.map(([id, red]) => [id, Object.keys(red)]),
  )
  write(grounds, found)
}
