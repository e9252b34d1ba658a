/** Finds the changes of the contracts between two revisions of the repository. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Change, describeChanges } from './compatibility.ts'
import { changesBetween } from './redocly.ts'

const contracts = ['openapi.yaml', 'src/contract/admin.yaml']

/** The changes from one version of the contracts to the next, each in a sentence. */
export interface ContractChanges {
  readonly from: string
  readonly to: string
  readonly breaks: readonly string[]
  readonly others: readonly string[]
}

/** Runs Git in a repository and returns its output, or undefined if it fails. */
export function git(root: string, ...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

/** Compares the contracts of a revision with those of another, or with the files if `to` is left out. */
export async function contractChanges(root: string, from: string, to?: string): Promise<ContractChanges> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  const changes: Change[] = []
  try {
    for (const contract of contracts) {
      const before = write(root, contract, join(folder, `before-${basename(contract)}`), from)
      const after = write(root, contract, join(folder, `after-${basename(contract)}`), to)
      if (before && after) changes.push(...(await changesBetween(before, after)))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return { from, to: to ?? 'now', ...describeChanges(changes) }
}

/** Writes a contract of a revision, or the file as it is now. Returns its new path, or undefined if there is no such contract. */
function write(root: string, contract: string, path: string, ref?: string): string | undefined {
  const file = join(root, contract)
  const now = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const text = ref === undefined ? now : git(root, 'show', `${ref}:${contract}`)
  if (text === undefined) return undefined
  writeFileSync(path, text)
  return path
}

/** Returns the tags of the releases up to this commit, the latest first. */
function releases(root: string, ...options: string[]): string[] {
  const tags = git(root, 'tag', '--list', 'v*', '--merged', 'HEAD', ...options, '--sort=-v:refname')
  return tags?.split('\n').filter(Boolean) ?? []
}

/** Returns the tag of the last release before this commit, or undefined. A release is compared with the one before it, not with itself. */
export function lastRelease(root: string): string | undefined {
  return releases(root, '--no-contains', 'HEAD')[0]
}

/** Compares each released version with the one before it, and the files with the last; the latest first. */
export async function contractHistory(root: string): Promise<ContractChanges[]> {
  const tags = releases(root)
  const history: ContractChanges[] = []
  for (const [place, from] of tags.entries()) history.push(await contractChanges(root, from, tags[place - 1]))
  const [latest] = history
  // Right after a release, the files are those of the tag.
  if (latest?.to === 'now' && latest.breaks.length + latest.others.length === 0 && history.length > 1) history.shift()
  return history
}
