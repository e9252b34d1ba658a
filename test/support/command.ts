import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the command as a user does. */
export function start(args: string[], env: Record<string, string> = {}, cwd?: string) {
  return startNode([bin, ...args], env, cwd)
}

/** Starts Node; the environment has nothing of ours unless it is given. */
export function startNode(args: string[], env: Record<string, string> = {}, cwd?: string) {
  const { COUNTERSIGN_URL, COUNTERSIGN_API_KEY, COUNTERSIGN_PORT, GITHUB_STEP_SUMMARY, ...clean } = process.env
  const child = spawn(process.execPath, args, { env: { ...clean, ...env }, cwd })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => {
    stdout += data
  })
  child.stderr.on('data', (data) => {
    stderr += data
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
  return { child, ended, printed: (text: string) => printed(child, () => stdout, text) }
}

/** Runs the command to its end. */
export function run(args: string[], env: Record<string, string> = {}, cwd?: string): Promise<Ended> {
  return start(args, env, cwd).ended
}

/** Waits until the command has printed a text; gives all that it has printed. */
function printed({ stdout }: ChildProcess, soFar: () => string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (soFar().includes(text)) resolve(soFar())
    }
    stdout?.on('data', look)
    stdout?.once('close', () => reject(new Error(`It ended without printing ${text}: ${soFar()}`)))
    look()
  })
}
