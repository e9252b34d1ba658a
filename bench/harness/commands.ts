import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a command of Node to its end; gives what it printed. Throws where it fails. */
export function run(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      if (code === 0) resolve(printed)
      else reject(new Error(`Failed to run ${args.join(' ')}: because it ended with ${code}: ${printed}${errors}`))
    })
  })
}

/** Seconds from a command to its end. */
export async function secondsOf(args: readonly string[]): Promise<number> {
  const begun = performance.now()
  await run(args)
  return (performance.now() - begun) / 1000
}
