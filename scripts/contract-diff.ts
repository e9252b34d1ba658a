/**
 * Lists the changes of the contracts that break users: `npm run contract:diff [-- REF]` compares with REF, by default the
 * last release before this commit. Exits 1 if there is such a change and the package's version does not announce it, 3 if REF does not exist.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judgeVersion } from './compatibility.ts'
import { contractChanges, git, lastRelease } from './contract-history.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const ref = process.argv[2] ?? lastRelease(root)
if (ref === undefined) {
  process.stdout.write('There is no release yet (a tag such as v0.2.0), so there is no contract to compare with.\n')
} else if (git(root, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`) === undefined) {
  process.stderr.write(`Unknown revision '${ref}'. Pass a tag or a commit of this repository.\n`)
  process.exitCode = 3
} else {
  process.exitCode = await compare(ref)
}

async function compare(ref: string): Promise<number> {
  const { breaks } = await contractChanges(root, ref)
  for (const sentence of breaks) process.stdout.write(`Breaks users: ${sentence}\n`)
  const before: string = JSON.parse(git(root, 'show', `${ref}:package.json`) ?? '{}').version
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { accepted, sentence } = judgeVersion(breaks, before, version)
  process.stdout.write(`${sentence}\n`)
  return accepted ? 0 : 1
}
