import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Change } from './compatibility.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

/** How a command ended, and what it printed on both streams. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the Redocly CLI, which calls nobody but who is tested: no telemetry, and no look for a newer version. */
export function redocly(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  // Where redocly.yaml is; without it there are no rules, and so no findings.
  const options = { cwd: root, env: { ...process.env, ...quiet, ...env }, maxBuffer: Number.POSITIVE_INFINITY }
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [bin, ...args], options, (error, stdout, stderr) => {
      // A text says that the command could not be started; how it ended is a number.
      if (typeof error?.code === 'string') reject(error)
      else resolve({ code: child.exitCode, stdout, stderr })
    })
  })
}

/** What changed from one contract, in a file, to another. */
export async function changesBetween(base: string, revision: string): Promise<readonly Change[]> {
  const { code, stdout, stderr } = await redocly(['diff', base, revision, '--format', 'json', '--fail-on', 'none'])
  if (code !== 0) throw new Error(`Failed to compare ${base} with ${revision}: because redocly diff says: ${stderr}`)
  return JSON.parse(stdout).changes
}
