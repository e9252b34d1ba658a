/**
 * Makes the edits that follow mechanically from a new field, rule or check, and marks the places that a person has to fill in:
 * `npm run scaffold -- field Workflow.owner_email`. Refuses a name that exists, and touches nothing then: exit code 3.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPlaces, RefusedError } from './scaffold/plan.ts'
import { planOf } from './scaffold/plan-of.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const next = {
  field: 'npx tsc -p . && npx vitest run test/scaffold.test.ts test/contract',
  rule: 'npx tsc -p . && npx vitest run test/scaffold.test.ts test/contract test/docs test/http/bad-input.test.ts',
  check: 'npm run mutants -- --new && npx vitest run test/scaffold.test.ts test/contract test/conformance/selftest',
} as const

function read(path: string): string | undefined {
  const file = join(root, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Runs a program of this repository. Its output matters only if it fails, and is then part of the error. */
function run(script: string, args: readonly string[]): void {
  execFileSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'pipe' })
}

function scaffold(args: readonly string[]): void {
  const { edited } = planOf(read, args)
  for (const [path, text] of edited) writeFileSync(join(root, path), text)
  const formatted = [...edited.keys()].filter((path) => path.endsWith('.ts'))
  run('node_modules/@biomejs/biome/bin/biome', ['check', '--write', '--log-level=error', ...formatted])
  run('node_modules/tsx/dist/cli.mjs', ['scripts/generate.ts'])
  const places = [...edited.keys()].flatMap((path) => openPlaces(path, read(path) ?? ''))
  process.stdout.write(`Changed ${[...edited.keys()].join(', ')}, and what is generated from them.

Fill in the ${places.length} open places of these files:
${places.map((place) => `  ${place}`).join('\n')}

Then: ${next[args[0] as keyof typeof next]}
To undo it: git checkout .
`)
}

try {
  scaffold(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof RefusedError)) throw error
  process.stderr.write(`${error.message.trim()}\n`)
  process.exitCode = 3
}
