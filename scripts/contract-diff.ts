/**
 * Tells which changes of the contracts since a tag break users: `npm run contract:diff [-- REF]`, the last tag where none is
 * named. Exits 1 when one does and the package's version does not say so, 3 when there is no such REF.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { breaking, judgeVersion } from './compatibility.ts'
import { changesBetween } from './redocly.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const contracts = ['openapi.yaml', 'src/contract/admin.yaml']

const ref = process.argv[2] ?? git('describe', '--tags', '--abbrev=0')?.trim()
if (ref === undefined) {
  process.stdout.write('There is no tag yet, so there is no contract to compare with.\n')
} else if (git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`) === undefined) {
  process.stderr.write(`Failed to compare: because there is no '${ref}' here. Name a tag or a commit.\n`)
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
    return breaking(await changesBetween(base, join(root, contract)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What Git prints; nothing where it fails. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}
