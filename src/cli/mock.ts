import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Command, Option } from 'commander'
import { type ScenarioName, scenarioNames } from '../../mocks/scenarios/names.ts'
import { DamagedJournalError } from '../node/journal/errors.ts'
import { type RunningMock, startMock } from '../node/start-mock.ts'
import { version } from '../version.gen.ts'
import { type ApproverMode, approverModes } from '../world/approvers.ts'
import { ArchiveError } from '../world/archive.ts'
import type { Settings } from '../world/settings.ts'
import { docsFolder } from './docs.ts'
import { executionCount, host, httpUrl, latency, port, size, speed } from './options.ts'
import { sendable } from './secrets.ts'
import { tryIt } from './try-it.ts'

interface MockFlags {
  readonly port: number
  readonly host: string
  readonly storagePort?: number
  readonly publicBaseUrl?: string
  readonly seed?: string
  readonly approvers: ApproverMode
  readonly clockSpeed: number
  readonly maxUploadSize: number
  readonly maxStoredBytes: number
  readonly maxExecutions: number
  readonly maxMemory?: number
  readonly cors: boolean
  readonly scenario: ScenarioName
  readonly journal?: string
  readonly journalRepair?: boolean
  readonly latency?: Settings['latency']
  readonly admin: boolean
  readonly adminToken?: string
  readonly json?: boolean
}

const help = `
Only defaults, which a flag takes away: it listens on this machine alone (--host); the admin API is open to whoever can
call from this machine, and closed elsewhere unless it has a token (--admin-token); a file has 100 MiB at most
(--max-upload-size), 64 MiB of files (--max-stored-bytes) and 10,000 ended executions of a workflow (--max-executions) are kept, and half of
Node's heap is for what is created (--max-memory). Open by default: any key that looks like a test key is taken, and pages on other origins may call
the service and storage, but never the admin API (--no-cors). With --seed, or with a journal that it began, whoever knows the
seed can forge upload URLs.

Environment: COUNTERSIGN_PORT, COUNTERSIGN_ADMIN_TOKEN. On the command line a token can be read by others on this machine.`

/** `countersign mock`: starts the reference as an HTTP server. */
export function mockCommand(done: (code: number) => void): Command {
  return new Command('mock')
    .description('Start the mock. With a command behind --, run it while the mock is up, and exit with its code.')
    .argument('[command...]', 'what to run, behind --; it finds the address in COUNTERSIGN_URL')
    .addOption(new Option('--port <n>', '0 takes any free port').env('COUNTERSIGN_PORT').argParser(port).default(4010))
    .option('--host <host>', 'address to listen on', host, '127.0.0.1')
    .option('--storage-port <n>', 'give uploads a port, and so an origin, of their own', port)
    .option(
      '--public-base-url <url>',
      'how clients reach the mock, if not as it listens; upload URLs begin with it',
      httpUrl,
    )
    .option(
      '--seed <seed>',
      'repeat identifiers and the secret that signs upload URLs; without it, identifiers follow seed 1 and the secret is drawn at random',
    )
    .addOption(
      new Option(
        '--approvers <mode>',
        'who decides: simulated approvers in their own time, the same at once, or nobody',
      )
        .choices(approverModes)
        .default('auto'),
    )
    .option('--clock-speed <n>', 'times faster than the real time; 0 stands still', speed, 1)
    .addOption(new Option('--scenario <name>', 'what every world begins with').choices(scenarioNames).default('empty'))
    .option(
      '--journal <file>',
      'keep state, time and signing secret in a file, objects in a folder beside it, and begin from them',
    )
    .option(
      '--journal-repair',
      'keep the part of a damaged journal before the damage, and move the rest to a file beside it',
    )
    .option('--latency <ms>', 'how long every answer waits: 200, or 100..800', latency)
    .option('--no-admin', 'no admin API')
    .addOption(
      new Option('--admin-token <token>', 'wanted by the admin API; needed where --host is not loopback').env(
        'COUNTERSIGN_ADMIN_TOKEN',
      ),
    )
    .addOption(new Option('--max-upload-size <size>', 'largest file').argParser(size).default(size('100MiB'), '100MiB'))
    .addOption(
      new Option('--max-stored-bytes <size>', 'file contents kept in memory; of the others, size and digest')
        .argParser(size)
        .default(size('64MiB'), '64MiB'),
    )
    .addOption(
      new Option('--max-executions <n>', 'ended executions kept for each workflow; analytics count all')
        .argParser(executionCount)
        .default(10_000),
    )
    .addOption(
      new Option(
        '--max-memory <size>',
        'memory for workflows, executions, uploads and keys; beyond it, creating answers 507 (default: half of the heap)',
      ).argParser(size),
    )
    .option('--no-cors', 'refuse pages on other origins')
    .option('--json', 'print one machine-readable line when ready, and nothing else')
    .addHelpText('after', help)
    .action(async (command: string[], flags: MockFlags) => {
      const { maxUploadSize: maxUploadBytes, maxMemory, json, ...rest } = flags
      if (rest.adminToken !== undefined) sendable('the admin token', rest.adminToken)
      const server = await start({
        ...rest,
        maxUploadBytes,
        ...(maxMemory !== undefined && { maxMemoryBytes: maxMemory }),
        docs: docsFolder,
      })
      process.stdout.write(`${json ? readyJson(server) : readyText(server, command.length > 0)}\n`)
      const code = command.length > 0 ? await runBeside(command, server) : await stopped()
      await server.close()
      done(code)
    })
}

async function start(options: Parameters<typeof startMock>[0]): Promise<RunningMock> {
  try {
    return await startMock({
      ...options,
      onWarning: (message) => process.stderr.write(`${message}\n`),
      onFault: (error) => process.stderr.write(`${faultText(error)}\n`),
    })
  } catch (error) {
    const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
    if (code === 'EADDRINUSE') {
      const flag = port === options?.storagePort ? '--storage-port' : '--port'
      throw new Error(
        `Failed to start: because port ${port} is in use. Choose another with ${flag}, or 0 for any free one.`,
      )
    }
    if (code === 'EACCES') {
      throw new Error(`Failed to start: because port ${port} needs more rights. Choose one above 1023 with --port.`)
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new Error(
        `Failed to start: because this machine has no address '${address ?? options?.host}'. Choose another with --host.`,
      )
    }
    if (error instanceof DamagedJournalError) {
      throw new Error(`${error.message} To keep the lines before it, add --journal-repair.`)
    }
    throw error
  }
}

/** A full disk is nothing to look for in the code. */
function faultText(error: unknown): string {
  if (error instanceof ArchiveError) return error.message
  return error instanceof Error ? `${error.stack}` : String(error)
}

function readyJson({ url, storageUrl }: RunningMock): string {
  return JSON.stringify({ ready: true, url, storage_url: storageUrl, version })
}

function readyText({ url, storageUrl, freelySteered }: RunningMock, brief: boolean): string {
  const line = `Countersign ${version} is ready at ${url}${storageUrl === url ? '' : `, uploads at ${storageUrl}`}`
  return brief ? line : `${line}\nIts documentation is at ${url}/docs/\n\n${tryIt(url, freelySteered)}`
}

/** What asks to stop; the last comes when the terminal is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ends with the first signal to stop. */
function stopped(): Promise<number> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve(0))
  })
}

/** Runs a command beside the mock; gives its exit code. */
function runBeside([file = '', ...args]: string[], { url, storageUrl }: RunningMock): Promise<number> {
  const env = { ...process.env, COUNTERSIGN_URL: url, COUNTERSIGN_STORAGE_URL: storageUrl }
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'inherit', env })
    for (const signal of signals) process.on(signal, () => child.kill(signal))
    child.once('error', (error) => {
      process.stderr.write(`Failed to run '${file}': because ${error.message}.\n`)
      resolve(127)
    })
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}
