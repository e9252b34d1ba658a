import { spawn } from 'node:child_process'
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
  const child = spawn(process.execPath, [bin, ...args], {
    // Where redocly.yaml is; without it there are no rules, and so no findings.
    cwd: root,
    env: { ...process.env, ...quiet, ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => {
    stdout += data
  })
  child.stderr.on('data', (data) => {
    stderr += data
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** What changed from one contract, in a file, to another. */
export async function changesBetween(base: string, revision: string): Promise<readonly Change[]> {
  const { code, stdout, stderr } = await redocly(['diff', base, revision, '--format', 'json', '--fail-on', 'none'])
  if (code !== 0) throw new Error(`Failed to compare ${base} with ${revision}: because redocly diff says: ${stderr}`)
  return JSON.parse(stdout).changes
}
