import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type Ended, runNode } from './run-node.ts'

const folder = fileURLToPath(new URL('../src/contract', import.meta.url))
const bin = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

/**
 * Runs the Redocly CLI in src/contract, where its configuration is: without it there are no rules, and so no findings. It runs without
 * telemetry and without its check for updates, so it calls only the server under test.
 */
export function redocly(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return runNode([bin, ...args], { cwd: folder, env: { ...process.env, ...quiet, ...env } })
}
