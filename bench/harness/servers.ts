import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A server in its own process. */
export interface Server {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Starts a server on plain `node:http`, whose GET answers the bytes of `file`. */
export const startBare = (file?: string) => start(['bench/servers/bare.js', ...(file === undefined ? [] : [file])])

export const startMockCommand = (...flags: string[]) =>
  start(['bin/countersign.js', 'mock', '--port', '0', '--json', ...flags])

/** Starts the reference with one thing broken on purpose, by the mutant's id. */
export const startMutant = (id: string) => start(['--import', 'tsx', 'conformance/selftest/serve.ts', '--mutant', id])

/** Starts the reference with other choices where the document is silent. */
export const startVariant = (variant: string) =>
  start(['--import', 'tsx', 'conformance/selftest/serve.ts', '--variant', variant])

/** Starts a server on plain `node:http` that appends each body to the table `plain` of a database. */
export const startBareOnPostgres = (database: string) => start(['bench/servers/bare-postgres.js', database])

/** Starts a server that drops a body and answers its CRC-32. */
export const startSumming = () => start(['bench/servers/checksum.js'])

/** Starts Prism on the same contract, without its log of each request. */
export async function startPrism(): Promise<Server> {
  const cli = createRequire(import.meta.url).resolve('@stoplight/prism-cli')
  return await start([cli, 'mock', 'openapi.yaml', '--port', String(await freePort()), '--verboseLevel', 'info'])
}

/** Starts the mock with a workflow that has `executions` ended executions. Returns the executed document too. */
export async function startWithHistory(executions: number): Promise<Server & { readonly document: string }> {
  const { printed, ...server } = await start(['--import', 'tsx', 'bench/servers/history.ts', String(executions)])
  return { ...server, document: JSON.parse(printed).document }
}

/** Starts a server with plain `node`. Resolves when it prints its address. */
async function start(args: readonly string[]): Promise<Server & { readonly printed: string }> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const { url, printed } = await addressOf(child, args.join(' '))
  return { url, printed, pid: child.pid ?? 0, stop: () => stop(child) }
}

/** Waits for the first line that contains an address. */
function addressOf({ stdout }: ChildProcess, command: string): Promise<{ url: string; printed: string }> {
  let printed = ''
  return new Promise((resolve, reject) => {
    const look = (chunk: Buffer) => {
      printed += chunk
      const [line, url] = /^.*(http:\/\/[\w.]+:\d+).*\n/m.exec(printed) ?? []
      if (!line || !url) return
      // What follows is read and dropped.
      stdout?.off('data', look).resume()
      resolve({ url, printed: line })
    }
    stdout?.on('data', look)
    stdout?.once('close', () => reject(new Error(`${command} ended before it listened. It printed: ${printed}`)))
  })
}

function stop(child: ChildProcess): Promise<void> {
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

/** Reads the resident memory of a process in MiB, current and highest (Linux). */
export function memoryOf({ pid }: Server): { readonly now: number; readonly highest: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  return { now: mib('VmRSS'), highest: mib('VmHWM') }
}

/** Reads the processor time of a process in seconds, from the kernel's 100 ticks a second (Linux). */
export function cpuSeconds({ pid }: Server): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  return (user + system) / 100
}
