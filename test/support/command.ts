import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { main } from '../../cli/main.ts'
import { failureOf, type StartThread, type ThreadMessage } from '../../cli/thread.ts'
import { carryOut } from '../../cli/work.ts'
import { type Files, folderOf } from './scratch.ts'

const bin = fileURLToPath(new URL('../../cli/countersign.js', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the command in a process of its own, as a user does. */
export function start(args: string[], env: Record<string, string> = {}, cwd?: string) {
  return startNode([bin, ...args], env, cwd)
}

/** Variables that the command reads. Tests set them explicitly. */
const variables = [
  'COUNTERSIGN_URL',
  'COUNTERSIGN_API_KEY',
  'COUNTERSIGN_API_KEY_2',
  'COUNTERSIGN_API_KEY_B',
  'COUNTERSIGN_API_KEY_B_2',
  'COUNTERSIGN_KEY_PASSPHRASE',
  'COUNTERSIGN_ADMIN_TOKEN',
  'COUNTERSIGN_PORT',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'GITHUB_ACTIONS',
  'GITHUB_STEP_SUMMARY',
]

/** Starts Node without the variables that the command reads, except for those in `env`. */
export function startNode(args: string[], env: Record<string, string> = {}, cwd?: string) {
  const others = Object.entries(process.env).filter(([name]) => !variables.includes(name))
  const child = spawn(process.execPath, args, { env: { ...Object.fromEntries(others), ...env }, cwd })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => {
    stdout += data
  })
  child.stderr.on('data', (data) => {
    stderr += data
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
  return { child, ended, printed: (text: string) => waitUntilPrinted(child, () => stdout, text) }
}

/**
 * Runs the command in this process, also a run of the suite, and returns what it printed. This takes a tenth of the time of a new
 * process, but cannot start a mock or learn, which need the build.
 */
export async function runHere(args: string[], env: Record<string, string> = {}, cwd?: string): Promise<Ended> {
  const printed = { stdout: '', stderr: '' }
  const restore = replaceSurroundings(printed, env, cwd)
  try {
    const code = await main(args, startHere)
    return { code, ...printed }
  } finally {
    restore()
  }
}

/** Runs the command in this process, in a folder of its own with these files. `read` returns the text of a file that is there afterwards. */
export async function runWith(files: Files, args: string[], env: Record<string, string> = {}) {
  const folder = folderOf(files)
  const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8')
  return { ...(await runHere(args, env, folder)), folder, read }
}

/** Carries out a task in this thread. Task and messages are copied, as between threads. */
const startHere: StartThread = (task) => {
  const events = new EventEmitter()
  const stopping = new AbortController()
  const tell = (message: ThreadMessage) => void events.emit('message', structuredClone(message))
  void carryOut(structuredClone(task), { tell, signal: stopping.signal })
    .then(
      (result) => tell({ kind: 'ended', result }),
      (error) => tell(failureOf(error)),
    )
    .then(() => events.emit('exit'))
  return Object.assign(events, { postMessage: () => stopping.abort(), terminate: () => stopping.abort() })
}

/** Sets variables and the working directory, and collects what is printed. Returns a function that undoes all of it. */
function replaceSurroundings(printed: { stdout: string; stderr: string }, env: Record<string, string>, cwd?: string) {
  const before = process.cwd()
  if (cwd) process.chdir(cwd)
  for (const name of [...variables, ...Object.keys(env)]) vi.stubEnv(name, env[name])
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += text
      return true
    }),
  )
  return () => {
    for (const spy of spies) spy.mockRestore()
    vi.unstubAllEnvs()
    process.chdir(before)
  }
}

/** Returns what was printed, without the lines of progress that a slow machine sees. */
export const withoutProgress = (stderr: string) => stderr.replaceAll(/^After \d+ s: .*\n/gm, '')

/** Runs the command in a process of its own, as a user does. */
export function run(args: string[], env: Record<string, string> = {}, cwd?: string): Promise<Ended> {
  return start(args, env, cwd).ended
}

/** Waits until the command has printed a text. Returns everything that it has printed by then. */
function waitUntilPrinted({ stdout }: ChildProcess, soFar: () => string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (soFar().includes(text)) resolve(soFar())
    }
    stdout?.on('data', look)
    stdout?.once('close', () => reject(new Error(`It ended without printing ${text}: ${soFar()}`)))
    look()
  })
}
