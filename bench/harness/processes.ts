import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNode } from '../../scripts/run-node.ts'
import { freePort } from '../../test/support/postgres.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cleanups: (() => unknown)[] = []

/** Runs when the row has ended, also if it failed. */
export function afterRow(cleanup: () => unknown): void {
  cleanups.unshift(cleanup)
}

/** Stops every server and removes every folder of a row. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0)) await cleanup()
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  afterRow(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A server in its own process. */
export interface Server {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

export const startMock = (...flags: string[]) => start('cli/countersign.js', 'mock', '--port', '0', '--json', ...flags)

/** Starts the reference with one thing broken, or with other choices where the document is silent. */
export const startSelftest = (flag: '--mutant' | '--variant', value: string) =>
  start('--import', 'tsx', 'conformance/selftest/serve.ts', flag, value)

/** Starts a server on plain `node:http`, whose GET answers the bytes of `file`. */
export const startBare = (file = '') => start('bench/bare.js', file)

/** Starts Prism on the same contract, without its log of each request. */
export async function startPrism(): Promise<Server> {
  const cli = createRequire(import.meta.url).resolve('@stoplight/prism-cli')
  return start(cli, 'mock', 'openapi.yaml', '--port', String(await freePort()), '--verboseLevel', 'info')
}

/** Starts a server in the project's folder, on plain `node`. Resolves when it prints its address. */
function start(...args: string[]): Promise<Server> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = once(child, 'close')
    const stop = async () => {
      child.kill('SIGKILL')
      await closed
    }
    afterRow(stop)
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const url = /(http:\/\/[\w.]+:\d+).*\n/.exec(printed)?.[1]
      if (url !== undefined) resolve({ url, pid: child.pid ?? 0, stop })
    })
    closed.then(() => reject(new Error(`${args.join(' ')} ended before it listened. It printed: ${printed}`)), reject)
  })
}

/** Runs a command of Node to its end, and measures the seconds that it takes. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const begun = performance.now()
  const { code, stdout, stderr } = await runNode(args, { cwd: root, env: { ...process.env, ...env } })
  const seconds = (performance.now() - begun) / 1000
  process.stderr.write(stderr)
  return { code, printed: stdout, seconds }
}

/** Reads the processor time of a process in seconds, and its resident memory in MiB, from the kernel (Linux). */
export function usageOf({ pid }: Server) {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  return { cpuSeconds: (user + system) / 100, mib: mib('VmRSS'), highestMib: mib('VmHWM') }
}
