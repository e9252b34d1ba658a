import { execFile, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a command of Node to its end and returns what it prints. Throws if it fails. */
export async function run(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...env } }
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  return stdout
}

/** Measures the seconds that a command takes. */
export async function secondsOf(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const begun = performance.now()
  await run(args, env)
  return (performance.now() - begun) / 1000
}

/** Runs a command of Node to its end, with any exit code, and measures the seconds that it takes. */
export async function endOf(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ readonly code: number | null; readonly seconds: number }> {
  const begun = performance.now()
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'ignore' })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, seconds: (performance.now() - begun) / 1000 }
}
