import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { DamagedJournalError } from '../src/node/journal/errors.ts'
import { type RunningMock, type StartOptions, startMock } from '../src/node/start-mock.ts'
import { version } from '../src/version.gen.ts'
import { ArchiveError } from '../src/world/archive.ts'
import { consoleFolder, docsFolder } from './built.ts'
import { UsageError } from './exit.ts'
import { profileFile, readAs } from './input.ts'
import { s3OptionsFrom } from './objects.ts'
import type { Flags } from './options.ts'
import { patientStdout } from './patient-output.ts'
import { type RecordedSession, recordedSession } from './recorded-session.ts'
import { requestLogger } from './request-lines.ts'
import { redactSecrets, requireSendable } from './secrets.ts'
import { tryIt } from './try-it.ts'

/** Starts the mock, runs a command beside it or waits for a signal, and returns the exit code. */
export async function runMock(flags: Flags<'mock'>, command: readonly string[]): Promise<number> {
  // What a mock keeps teaches V8 to put what is made beside it among old objects, where it keeps whole requests until the next full
  // collection. Without this, creating a workflow takes up to 1.6 times as long.
  setFlagsFromString('--no-allocation-site-pretenuring')
  const { json, log, quiet, record } = flags
  const isBrief = command.length > 0
  const format = log ?? (quiet || json || isBrief ? undefined : 'text')
  const logger = format && requestLogger(format, patientStdout(), process.stdout.isTTY && process.stdout.hasColors())
  let session: RecordedSession | undefined
  const onRequest: StartOptions['onRequest'] = (request) => {
    logger?.log(request)
    session?.changed()
  }
  const server = await start({ ...(await startOptions(flags)), ...((logger || record !== undefined) && { onRequest }) })
  if (record !== undefined) session = await keepSession(record, server)
  process.stdout.write(`${json ? readyJson(server) : readyText(server, isBrief, flags)}\n`)
  const code = isBrief ? await runBeside(command, server) : await waitForSignal()
  await server.close()
  await session?.end()
  logger?.flush()
  return code
}

/** Returns the options of the mock that the flags describe. Throws a `UsageError`. */
async function startOptions(flags: Flags<'mock'>): Promise<StartOptions> {
  const { json, quiet, log, like, record, maxUploadSize: maxUploadBytes, maxMemory: maxMemoryBytes, ...others } = flags
  const { objects, objectsEndpoint, objectsAddressing, objectsCredentials, ...more } = others
  const { upstream, upstreamCalls, upstreamTenants, cacert, cert, key, insecure, ...rest } = more
  if (upstream === undefined && (upstreamCalls ?? upstreamTenants ?? cacert ?? cert ?? key ?? insecure) !== undefined) {
    throw new UsageError(
      '--upstream-calls, --upstream-tenants, --cacert, --cert, --key and --insecure need --upstream URL. Add it.',
    )
  }
  const place = placeOfObjects(flags)
  if (rest.adminToken !== undefined) requireSendable('The admin token', rest.adminToken)
  const profile = like === undefined ? undefined : await readAs(like, profileFile('--like'))
  return {
    ...rest,
    maxUploadBytes,
    docs: docsFolder,
    console: consoleFolder,
    ...(profile && { like: profile }),
    ...(place !== undefined && { objects: place }),
    ...(maxMemoryBytes !== undefined && { maxMemoryBytes }),
    ...(record !== undefined && { record: true }),
    // Loads what passes calls on only for a mock that does.
    ...(upstream !== undefined && {
      passOn: await (await import('./upstream.ts')).upstreamOf({ ...flags, upstream }, profile),
    }),
  }
}

/** Returns the folder or the store of the flags, if they name one. Throws a `UsageError`. */
function placeOfObjects({ objects, storagePort, ...store }: Flags<'mock'>): StartOptions['objects'] {
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

/** Begins to keep the file of a recording. Stops the mock if the file cannot be written. */
async function keepSession(path: string, server: RunningMock): Promise<RecordedSession> {
  try {
    return await recordedSession(path, server)
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Starts the mock. Its errors name flags. */
async function start(options: StartOptions): Promise<RunningMock> {
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
  isBrief: boolean,
  { record, like }: Flags<'mock'>,
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
function runBeside([file = '', ...args]: readonly string[], { url, storageUrl }: RunningMock): Promise<number> {
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
