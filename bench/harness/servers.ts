import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
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

/** Prism on the same contract, without its log of each request. */
export async function prism(): Promise<Server> {
  const cli = 'node_modules/@stoplight/prism-cli/dist/index.js'
  return await start([cli, 'mock', 'openapi.yaml', '--port', String(await freePort()), '--verboseLevel', 'info'])
}

async function start(args: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await addressOf(child, args.join(' '))
  return { url, pid: child.pid ?? 0, stop: () => stopped(child) }
}

function addressOf({ stdout }: ChildProcess, command: string): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    stdout?.on('data', (chunk) => {
      printed += chunk
      const found = /http:\/\/[\w.]+:\d+/.exec(printed)
      if (found) resolve(found[0])
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
