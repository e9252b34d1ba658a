import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Change } from './compatibility.ts'

const folder = fileURLToPath(new URL('../src/contract', import.meta.url))
const bin = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

/** The exit code and the output of a command. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs the Redocly CLI in src/contract, where its configuration is: without it there are no rules, and so no findings. It runs without
 * telemetry and without its check for updates, so it calls only the server under test.
 */
export function redocly(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { cwd: folder, env: { ...process.env, ...quiet, ...env }, maxBuffer: Number.POSITIVE_INFINITY }
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [bin, ...args], options, (error, stdout, stderr) => {
      // The code is a string if the command could not be started, and a number if it ran.
      if (typeof error?.code === 'string') reject(error)
      else resolve({ code: child.exitCode, stdout, stderr })
    })
  })
}

/** Lists the changes between two contract files. */
export async function changesBetween(base: string, revision: string): Promise<readonly Change[]> {
  const { code, stdout, stderr } = await redocly(['diff', base, revision, '--format', 'json', '--fail-on', 'none'])
  if (code !== 0) throw new Error(`redocly diff could not compare ${base} with ${revision}. It printed: ${stderr}`)
  return JSON.parse(stdout).changes
}
