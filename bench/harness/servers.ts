import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A server in a process of its own. */
export interface Server {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** How the servers that are compared are started: each with plain `node`, ready when it prints its address. */
export const bare = (file?: string) => start(['bench/servers/bare.js', ...(file === undefined ? [] : [file])])

export const mock = (...flags: string[]) => start(['bin/countersign.js', 'mock', '--port', '0', '--json', ...flags])

/** The reference with one thing broken on purpose, by the mutant's id. */
export const mutant = (id: string) => start(['--import', 'tsx', 'conformance/selftest/serve.ts', '--mutant', id])

/** Only drops a body and answers its SHA-256. */
export const hashing = () => start(['bench/servers/hash.js'])

/** Prism on the same contract, without its log of each request. */
export async function prism(): Promise<Server> {
  const cli = createRequire(import.meta.url).resolve('@stoplight/prism-cli')
  return await start([cli, 'mock', 'openapi.yaml', '--port', String(await freePort()), '--verboseLevel', 'info'])
}

/** The mock with a workflow behind which so many executions lie, and the document that was executed. */
export async function withHistory(executions: number): Promise<Server & { readonly document: string }> {
  const { printed, ...server } = await start(['--import', 'tsx', 'bench/servers/history.ts', String(executions)])
  return { ...server, document: JSON.parse(printed).document }
}

async function start(args: readonly string[]): Promise<Server & { readonly printed: string }> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const { url, printed } = await addressOf(child, args.join(' '))
  return { url, printed, pid: child.pid ?? 0, stop: () => stopped(child) }
}

/** Waits for the first line that names an address. */
function addressOf({ stdout }: ChildProcess, command: string): Promise<{ url: string; printed: string }> {
  let printed = ''
  return new Promise((resolve, reject) => {
    stdout?.on('data', (chunk) => {
      printed += chunk
      const [line, url] = /^.*(http:\/\/[\w.]+:\d+).*\n/m.exec(printed) ?? []
      if (line && url) resolve({ url, printed: line })
    })
    stdout?.once('close', () => reject(new Error(`Failed to start ${command}: because it ended, printing: ${printed}`)))
  })
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve())
    child.kill('SIGKILL')
  })
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Resident memory of a process in MiB, now and at its highest (Linux). */
export function memoryOf({ pid }: Server): { readonly now: number; readonly highest: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  return { now: mib('VmRSS'), highest: mib('VmHWM') }
}

/** Processor time that a process has used so far, in seconds, at the kernel's 100 ticks a second (Linux). */
export function cpuSeconds({ pid }: Server): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  return (user + system) / 100
}
