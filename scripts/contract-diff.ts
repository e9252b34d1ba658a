/**
 * Lists the changes of the contracts that break users: `npm run contract:diff [-- REF]` compares with REF, by default the
 * last tag. Exits 1 if there is such a change and the package's version does not announce it, 3 if REF does not exist.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeBreaks, judgeVersion } from './compatibility.ts'
import { changesBetween } from './redocly.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const contracts = ['openapi.yaml', 'src/contract/admin.yaml']

const ref = process.argv[2] ?? git('describe', '--tags', '--abbrev=0')?.trim()
if (ref === undefined) {
  process.stdout.write('There is no tag yet, so there is no contract to compare with.\n')
} else if (git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`) === undefined) {
  process.stderr.write(`Unknown revision '${ref}'. Pass a tag or a commit of this repository.\n`)
  process.exitCode = 3
} else {
  process.exitCode = await compare(ref)
}

async function compare(ref: string): Promise<number> {
  const breaks: string[] = []
  for (const contract of contracts) breaks.push(...(await breaksIn(contract, ref)))
  for (const sentence of breaks) process.stdout.write(`Breaks users: ${sentence}\n`)
  const before: string = JSON.parse(git('show', `${ref}:package.json`) ?? '{}').version
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { accepted, sentence } = judgeVersion(breaks, before, version)
  process.stdout.write(`${sentence}\n`)
  return accepted ? 0 : 1
}

async function breaksIn(contract: string, ref: string): Promise<string[]> {
  const before = git('show', `${ref}:${contract}`)
  if (before === undefined) return []
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  try {
    const base = join(folder, basename(contract))
    writeFileSync(base, before)
    return describeBreaks(await changesBetween(base, join(root, contract)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs Git and returns its output, or undefined if it fails. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}
