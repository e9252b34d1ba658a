import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { lastRelease } from '../../scripts/last-release.ts'
import { scratch } from '../support/scratch.ts'

/** Creates a repository whose commits have these tags, in this order. Returns its folder. */
function repositoryOf(...commits: readonly (readonly string[])[]): string {
  const root = scratch()
  const inRoot = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })
  const author = ['-c', 'user.name=test', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  inRoot('init', '-q')
  for (const tags of commits) {
    inRoot(...author, 'commit', '-q', '--allow-empty', '-m', 'Change')
    for (const tag of tags) inRoot('tag', tag)
  }
  return root
}

test.each([
  ['no tag', [[], []], undefined],
  ['a release and later commits', [['v0.2.0'], []], 'v0.2.0'],
  ['two releases', [['v0.9.0'], ['v0.10.0'], []], 'v0.10.0'],
  ['a release at this commit', [['v0.2.0'], [], ['v0.3.0']], 'v0.2.0'],
  ['only a release at this commit', [[], ['v0.2.0']], undefined],
  ['a later tag that is no release', [['v0.2.0'], ['nightly'], []], 'v0.2.0'],
] as const)('with %s, contract:diff finds the last release', (_, commits, found) => {
  expect(lastRelease(repositoryOf(...commits))).toBe(found)
})
