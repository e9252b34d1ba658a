import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import { main } from '../../cli/main.ts'
import { failureOf, type StartThread, type ThreadMessage } from '../../cli/thread.ts'
import { carryOut } from '../../cli/work.ts'
import { type Files, folderOf } from './scratch.ts'

/** The command, as a script for Node. */
export const bin = fileURLToPath(new URL('../../cli/countersign.js', import.meta.url))

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
  ...['URL', 'API_KEY', 'API_KEY_2', 'API_KEY_B', 'API_KEY_B_2', 'KEY_PASSPHRASE', 'ADMIN_TOKEN', 'PORT'].map(
    (name) => `COUNTERSIGN_${name}`,
  ),
  ...['ACCESS_KEY_ID', 'SECRET_ACCESS_KEY', 'SESSION_TOKEN', 'REGION', 'DEFAULT_REGION'].map((name) => `AWS_${name}`),
  ...['GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY'],
]

/** Starts Node, or another program, without the variables that the command reads, except for those in `env`. */
export function startNode(args: string[], env: Record<string, string> = {}, cwd?: string, program = process.execPath) {
  const others = Object.entries(process.env).filter(([name]) => !variables.includes(name))
  const child = spawn(program, args, { env: { ...Object.fromEntries(others), ...env }, cwd })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (data) => (said[name] += data))
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...said })))
  /** Waits until a text was printed. Returns everything that was printed by then. */
  const printed = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (said.stdout.includes(text)) resolve(said.stdout)
      }
      child.stdout.on('data', look)
      child.stdout.once('close', () =>
        reject(new Error(`It ended without printing ${text}: ${said.stdout}${said.stderr}`)),
      )
      look()
    })
  return { child, ended, printed }
}

/** Waits until a mock that was started as a process has printed its address. Returns that, and how to end the mock. */
export async function ready({ child, printed, ended }: ReturnType<typeof startNode>) {
  const output = await printed('\n')
  const [url = ''] = output.match(/http:\/\/[\w.]+:\d+/) ?? []
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> => {
    child.kill(signal)
    return ended
  }
  return { url, output, child, ended, stop }
}

/** Starts a mock as a user does, and waits until it is ready. */
export const startedMock = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  ready(start(['mock', '--port', '0', '--json', ...args], env))

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

type Text = string | RegExp

const likeText = (text: Text) =>
  typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text)

/** Waits for a command, which must end with a code and print a text. Returns what it printed. */
export async function mustPrint<Result extends Ended>(running: Promise<Result>, code: number, text: Text) {
  const ended = await running
  expect([ended.code, ended.stdout], ended.stderr).toEqual([code, likeText(text)])
  return ended
}

/** Waits for a command, which must end with a code and print nothing but a complaint. Returns what it printed. */
export async function mustFail<Result extends Ended>(running: Promise<Result>, code: number, complaint: Text) {
  const ended = await running
  expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', likeText(complaint)])
  return ended
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
