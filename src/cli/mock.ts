import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Command, Option } from 'commander'
import { type ScenarioName, scenarioNames } from '../../mocks/scenarios/names.ts'
import type { PassOn } from '../http/app.ts'
import { DamagedJournalError } from '../node/journal/errors.ts'
import type { RunningMock, StartOptions } from '../node/start-mock.ts'
import type { Profile } from '../profile/profile.ts'
import { version } from '../version.gen.ts'
import { type ApproverMode, approverModes } from '../world/approvers.ts'
import { ArchiveError } from '../world/archive.ts'
import type { Settings } from '../world/settings.ts'
import type { ConnectionFlags } from './connection.ts'
import { consoleFolder, docsFolder } from './docs.ts'
import { UsageError } from './exit.ts'
import { addStoreOptions, type StoreFlags, s3OptionsFrom } from './objects.ts'
import {
  addConnectionOptions,
  basePath,
  bytesPerSecond,
  executionCount,
  host,
  httpUrl,
  latency,
  perSecond,
  port,
  size,
  speed,
  testKeys,
  wrapped,
} from './options.ts'
import { patientStdout } from './patient-output.ts'
import type { RecordedSession } from './recorded-session.ts'
import { type LogFormat, logFormats, requestLogger } from './request-lines.ts'
import { redactSecrets, requireSendable } from './secrets.ts'
import { tryIt } from './try-it.ts'
import type { UpstreamFlags } from './upstream.ts'

interface MockFlags extends ConnectionFlags, StoreFlags {
  readonly port: number
  readonly host: string
  readonly storagePort?: number
  readonly basePath?: string
  readonly publicBaseUrl?: string
  readonly seed?: string
  readonly approvers?: ApproverMode
  readonly like?: string
  readonly clockSpeed: number
  readonly maxUploadSize: number
  readonly uploadSpeed?: number
  readonly maxStoredBytes: number
  readonly maxExecutions: number
  readonly maxMemory?: number
  readonly cors?: boolean
  readonly corsCredentials?: boolean
  readonly keys?: readonly string[]
  readonly scenario: ScenarioName
  readonly journal?: string
  readonly journalRepair?: boolean
  readonly objects?: string
  readonly latency?: Settings['latency']
  readonly rateLimit?: number
  readonly admin: boolean
  readonly adminToken?: string
  readonly json?: boolean
  readonly quiet?: boolean
  readonly record?: string
  readonly upstream?: string
  readonly upstreamCalls?: string
  readonly upstreamTenants?: string
  readonly log?: LogFormat
}

const help = `
Protections that a flag changes: the mock listens on this machine only (--host). The admin API is open to every program on
this machine; on other addresses it is off unless it has a token (--admin-token). Limits are 100 MiB per file
(--max-upload-size), 64 MiB of file contents in memory (--max-stored-bytes; --objects DIR has no limit), 10,000 ended executions per workflow (--max-executions),
and half of Node's heap for everything created (--max-memory). Pages on other origins may call the service and storage
(--no-cors), with credentials only if told to (--cors-credentials), but never the admin API. Every key that looks like a test
key is accepted (--keys). If the signing secret comes from --seed, anyone who knows the seed can forge upload URLs.

Environment: COUNTERSIGN_PORT, COUNTERSIGN_ADMIN_TOKEN. Other users of this machine can read a token on the command line.`

/** `countersign mock`: starts the reference as an HTTP server. */
export function mockCommand(done: (code: number) => void): Command {
  const command = new Command('mock')
    .description('Start the mock. With a command after --, run it while the mock is up, stop, and exit with its code.')
    .argument('[command...]', 'command to run, after --; COUNTERSIGN_URL holds the URL of the mock')
    .addOption(
      new Option('--port <n>', 'port to listen on; 0 takes any free one')
        .env('COUNTERSIGN_PORT')
        .argParser(port)
        .default(4010),
    )
    .option('--host <host>', 'address to listen on', host, '127.0.0.1')
    .option('--storage-port <n>', 'serve uploads on a separate port, and so a separate origin', port)
    .option('--base-path <path>', 'answer below this path, such as /team, instead of at the root', basePath)
    .option(
      '--public-base-url <url>',
      'URL at which clients reach the mock, if different; Location and upload URLs start with it',
      httpUrl,
    )
    .option(
      '--seed <seed>',
      'repeat identifiers and the secret that signs upload URLs; without it, identifiers use seed 1 and the secret is random',
    )
    .addOption(
      new Option(
        '--approvers <mode>',
        'let simulated approvers decide at their own pace or that of --like (auto), at once (instant) or not at all (manual) (default: auto, or as with --like)',
      ).choices(approverModes),
    )
    .option('--like <file>', 'answer like the deployment of a profile that countersign learn has written')
    .option('--clock-speed <n>', 'run the clock at this multiple of real time; 0 stops it', speed, 1)
    .addOption(
      new Option('--scenario <name>', 'load this scenario into every new world')
        .choices(scenarioNames)
        .default('empty'),
    )
    .option(
      '--journal <file|url>',
      'keep state, time and signing secret in a file and objects in a folder beside it, and restore them at the start; or share them with other mocks through PostgreSQL: postgres://user@host/database',
    )
    .option(
      '--journal-repair',
      'keep the part of a damaged journal before the damage, and move the rest to a file beside it',
    )
    .option(
      '--objects <dir|url>',
      'keep uploaded files in this folder instead of memory; or let an S3 store take them: s3://bucket, with credentials from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and the mock never sees the bytes',
    )
    .option(
      '--objects-endpoint <url>',
      'address of that store (default: Amazon S3 in the region of AWS_REGION)',
      httpUrl,
    )
    .option(
      '--latency <ms>',
      'delay every answer by real milliseconds: 200, 100..800, or p50=80,p99=900 (log-normal)',
      latency,
    )
    .option(
      '--rate-limit <rate>',
      'limit the calls per second of each key; beyond it, they answer 429 with Retry-After (default: no limit)',
      perSecond,
    )
    .option('--no-admin', 'turn off the admin API')
    .addOption(
      new Option('--admin-token <token>', 'require this token for the admin API; needed unless --host is loopback').env(
        'COUNTERSIGN_ADMIN_TOKEN',
      ),
    )
    .option('--upload-speed <speed>', 'read files no faster than this, such as 200kB/s', bytesPerSecond)
    .addOption(
      new Option('--max-upload-size <size>', 'limit the size of a file')
        .argParser(size)
        .default(size('100MiB'), '100MiB'),
    )
    .addOption(
      new Option(
        '--max-stored-bytes <size>',
        'limit the file contents in memory; other files keep size and checksum only',
      )
        .argParser(size)
        .default(size('64MiB'), '64MiB'),
    )
    .addOption(
      new Option('--max-executions <n>', 'limit the ended executions kept per workflow; analytics count all')
        .argParser(executionCount)
        .default(10_000),
    )
    .addOption(
      new Option(
        '--max-memory <size>',
        'limit the memory for workflows, executions, uploads and keys; beyond it, creating answers 507 (default: half of the heap)',
      ).argParser(size),
    )
    .option('--record <file>', 'record all calls as HAR, without keys; countersign replay sends them to any deployment')
    .option(
      '--upstream <url>',
      'pass calls with the header X-Countersign-Upstream on to this deployment, with COUNTERSIGN_API_KEY; the log says in what answers differ',
      httpUrl,
    )
    .option('--upstream-calls <calls>', 'pass these calls on too, such as getWorkflow,executeWorkflow')
    .option('--upstream-tenants <ids>', 'pass the calls of these tenants on too, by the ids in the log')
    .option('--cors', 'answer pages on other origins (default: on, or as with --like)')
    .option('--no-cors', 'refuse pages on other origins')
    .option('--cors-credentials', 'let pages on other origins send credentials (default: off, or as with --like)')
    .option('--keys <a,b>', 'accept only these API keys (default: every key that looks like a test key)', testKeys)
    .option('--quiet', 'print no line for each request')
    .addOption(
      new Option(
        '--log <format>',
        'print one line for each request, never with its key: text, or json with one object a line (default: text; none with --json or a command)',
      )
        .choices(logFormats)
        .conflicts('quiet'),
    )
    .option('--json', 'print one machine-readable line when ready')
  return addConnectionOptions(addStoreOptions(command), ' of --upstream')
    .addHelpText('after', wrapped(help))
    .action(async (command: string[], flags: MockFlags) => {
      const { maxUploadSize: maxUploadBytes, maxMemory, json, like, quiet = false, log, record, ...others } = flags
      const { upstream, upstreamCalls, upstreamTenants, cacert, cert, key, insecure, ...remaining } = others
      if (
        upstream === undefined &&
        (upstreamCalls ?? upstreamTenants ?? cacert ?? cert ?? key ?? insecure) !== undefined
      ) {
        throw new UsageError(
          '--upstream-calls, --upstream-tenants, --cacert, --cert, --key and --insecure need --upstream URL. Add it.',
        )
      }
      const { objects, objectsEndpoint, objectsAddressing, objectsCredentials, ...rest } = remaining
      const place = placeOfObjects(flags)
      const format = log ?? (quiet || json || command.length > 0 ? undefined : 'text')
      const logger =
        format && requestLogger(format, patientStdout(), process.stdout.isTTY && process.stdout.hasColors())
      if (rest.adminToken !== undefined) requireSendable('The admin token', rest.adminToken)
      let session: RecordedSession | undefined
      const onRequest: StartOptions['onRequest'] =
        record === undefined
          ? logger?.log
          : (request) => {
              logger?.log(request)
              session?.changed()
            }
      const profile = like === undefined ? undefined : await readLike(like)
      const server = await start({
        ...rest,
        maxUploadBytes,
        ...(profile && { like: profile }),
        ...(place !== undefined && { objects: place }),
        ...(maxMemory !== undefined && { maxMemoryBytes: maxMemory }),
        docs: docsFolder,
        ...(onRequest && { onRequest }),
        ...(record !== undefined && { record: true }),
        ...(upstream !== undefined && { passOn: await readUpstream({ ...others, upstream }, profile) }),
        console: consoleFolder,
      })
      if (record !== undefined) session = await keepSession(record, server)
      const isBrief = command.length > 0
      process.stdout.write(`${json ? readyJson(server) : readyText(server, { isBrief, record, like })}\n`)
      const code = command.length > 0 ? await runBeside(command, server) : await waitForSignal()
      await server.close()
      await session?.end()
      logger?.flush()
      done(code)
    })
}

/** Returns the folder or the store of the flags, if they name one. Throws a `UsageError`. */
function placeOfObjects({ objects, storagePort, ...store }: MockFlags): StartOptions['objects'] {
  const isStore = objects !== undefined && /^(?:s3:|[a-z][a-z\d+.-]+:\/\/)/i.test(objects)
  if (!isStore && (store.objectsEndpoint ?? store.objectsAddressing ?? store.objectsCredentials) !== undefined) {
    throw new UsageError(
      '--objects-endpoint, --objects-addressing and --objects-credentials need --objects s3://bucket. Add it.',
    )
  }
  if (!isStore) return objects
  if (storagePort !== undefined) {
    throw new UsageError(
      'With a store in --objects, the store takes the files, so there is no --storage-port. Leave one of them out.',
    )
  }
  return s3OptionsFrom(objects, store)
}

/** Loads what passes calls on only for a mock that does. */
async function readUpstream(flags: UpstreamFlags, like: Profile | undefined): Promise<PassOn> {
  const { upstreamOf } = await import('./upstream.ts')
  return upstreamOf(flags, like)
}

/** Loads the reader of profiles only for a mock that needs it. */
async function readLike(path: string): Promise<Profile> {
  const { readProfileFile } = await import('./profile-file.ts')
  return readProfileFile(path, '--like')
}

/** Begins to keep the file of a recording. Stops the mock if the file cannot be written. */
async function keepSession(path: string, server: RunningMock): Promise<RecordedSession> {
  const { recordedSession } = await import('./recorded-session.ts')
  try {
    return await recordedSession(path, server)
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Loads the mock, which the other commands do without, and starts it. */
async function start(options: StartOptions): Promise<RunningMock> {
  const { startMock } = await import('../node/start-mock.ts')
  try {
    return await startMock({
      ...options,
      onWarning: (message) => process.stderr.write(`${redactSecrets(message)}\n`),
      onFault: (error) => process.stderr.write(`${redactSecrets(faultText(error))}\n`),
    })
  } catch (error) {
    const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
    if (code === 'EADDRINUSE') {
      const flag = port === options?.storagePort ? '--storage-port' : '--port'
      throw new Error(`Port ${port} is in use. Choose another with ${flag}, or 0 for any free one.`)
    }
    if (code === 'EACCES') {
      throw new Error(`Listening on port ${port} is not permitted. Choose a port above 1023 with --port.`)
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new Error(`This machine has no address '${address ?? options?.host}'. Choose another with --host.`)
    }
    if (error instanceof DamagedJournalError) {
      throw new Error(`${error.message} To keep the lines before the damage, add --journal-repair.`)
    }
    throw error
  }
}

/** Returns the text of an internal error, with its stack unless the disk is the cause. */
function faultText(error: unknown): string {
  if (error instanceof ArchiveError) return error.message
  return error instanceof Error ? `${error.stack}` : String(error)
}

function readyJson({ url, storageUrl }: RunningMock): string {
  return JSON.stringify({ ready: true, url, storage_url: storageUrl, version })
}

function readyText(
  { url, storageUrl, freelySteered }: RunningMock,
  { isBrief, record, like }: { readonly isBrief: boolean } & Readonly<Record<'record' | 'like', string | undefined>>,
): string {
  const line = `Countersign ${version} is ready at ${url}${storageUrl === url ? '' : `, uploads at ${storageUrl}`}`
  const pages = [
    ...(freelySteered ? [`The console is at ${url}/, to see and control the mock in a browser.`] : []),
    `The documentation is at ${url}/docs/`,
  ]
  const recording = record === undefined ? [] : [`All calls are recorded in ${record}.`]
  if (isBrief) return [line, ...recording].join('\n')
  // The deployment may use other member names, which the commands do not find.
  const next =
    like === undefined ? ['', tryIt(url, freelySteered)] : [`It answers like the deployment that ${like} describes.`]
  return [line, ...pages, ...recording, ...next].join('\n')
}

/** The signals that stop the mock; the last is sent when the terminal is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Waits for the first signal to stop. */
function waitForSignal(): Promise<number> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve(0))
  })
}

/** Runs a command while the mock is up, and returns its exit code. */
function runBeside([file = '', ...args]: string[], { url, storageUrl }: RunningMock): Promise<number> {
  const env = { ...process.env, COUNTERSIGN_URL: url, COUNTERSIGN_STORAGE_URL: storageUrl }
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'inherit', env })
    for (const signal of signals) process.on(signal, () => child.kill(signal))
    child.once('error', (error) => {
      process.stderr.write(`The command '${file}' cannot be run: ${error.message}. Check its name and permissions.\n`)
      resolve(127)
    })
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}
