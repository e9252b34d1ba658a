import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a command of Node to its end; gives what it printed. Throws where it fails. */
export async function run(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

/** Seconds from a command to its end. */
export async function secondsOf(args: readonly string[]): Promise<number> {
  const begun = performance.now()
  await run(args)
  return (performance.now() - begun) / 1000
}
