/**
 * Lists what changed in the contracts: `npm run contract:diff [-- REF]` compares with REF, by default the last release before this
 * commit, as `redocly diff` does. Exits 1 if a contract's `info.version` does not announce its changes, 3 if REF does not exist.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lastRelease } from './last-release.ts'
import { redocly } from './redocly.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const ref = process.argv[2] ?? lastRelease(root)
if (ref === undefined) {
  process.stdout.write('There is no release yet (a tag such as v0.2.0), so there is no contract to compare with.\n')
} else {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  try {
    for (const contract of ['openapi.yaml', 'src/contract/admin.yaml']) await compare(ref, contract, folder)
  } catch {
    process.stderr.write(`Unknown revision '${ref}'. Pass a tag or a commit of this repository.\n`)
    process.exitCode = 3
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function compare(ref: string, contract: string, folder: string): Promise<void> {
  const before = join(folder, 'before.yaml')
  writeFileSync(before, execFileSync('git', ['show', `${ref}:${contract}`], { cwd: root, stdio: 'pipe' }))
  const { code, stdout, stderr } = await redocly([
    'diff',
    before,
    join(root, contract),
    '--check-version',
    '--fail-on=none',
  ])
  process.stdout.write(`${contract}\n${stdout}`)
  if (code === 0) return
  process.stderr.write(stderr)
  process.exitCode = 1
}
