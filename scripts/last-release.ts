import { execFileSync } from 'node:child_process'

/** Returns the tag of the last release before this commit, or undefined. A release is compared with the one before it, not with itself. */
export function lastRelease(root: string): string | undefined {
  const args = ['tag', '--list', 'v*', '--merged', 'HEAD', '--no-contains', 'HEAD', '--sort=-v:refname']
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')[0] || undefined
}
