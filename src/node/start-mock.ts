import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import { requireKnownOptions } from '../known-options.ts'
import { buildMock, type Mock, type MockOptions, mockOptionNames } from '../mock.ts'
import type { App } from '../wire/exchange.ts'
import { mountedAt, mountOf } from '../wire/mount.ts'
import { withConsole } from './console.ts'
import { withDocs } from './docs.ts'
import type { ObjectFolder } from './files/object-folder.ts'
import { hashing } from './hashing.ts'
import { type PatienceOptions, serverOf } from './http.ts'
import { openJournal } from './journal/journal-file.ts'
import { lock } from './lock-file.ts'
import { isPostgresUrl } from './postgres/connection.ts'
import type { S3Options } from './s3/s3-client.ts'

/** Options of {@link startMock}: those of `createMock`, and where and how it listens. */
export interface StartOptions
  extends Omit<MockOptions, 'storageOrigin' | 'hashing' | 'archive' | 'admin' | 'store' | 'files'> {
  /**
   * Port to listen on. 0 picks a free one.
   *
   * @default 0
   * @example `{ port: 0 }`
   */
  readonly port?: number
  /**
   * Address to listen on.
   *
   * @default '127.0.0.1'
   * @example `{ host: '127.0.0.1' }`
   */
  readonly host?: string
  /**
   * Serves uploads on a port, and so an origin, of their own. 0 picks a free one.
   *
   * @default the port of the service; a free one if `like` has files on another origin
   * @example `{ storagePort: 0 }`
   */
  readonly storagePort?: number
  /**
   * File that keeps state, time and signing secret. The mock continues from it; uploaded files are in a folder beside it. Or the
   * `postgres://` address of a database, which several mocks can share; then the methods that change the mock at once throw.
   *
   * @default nothing is kept
   * @example `{ journal: 'mock.journal' }`
   */
  readonly journal?: string
  /**
   * Moves the damaged part of a journal to a file beside it. Without it, a damaged journal is refused.
   *
   * @default false
   * @example `{ journal: 'mock.journal', journalRepair: true }`
   */
  readonly journalRepair?: boolean
  /**
   * S3 store that takes uploaded files in place of the mock: `upload_url` is an address of the store, and confirming an upload
   * asks the store for the file. The package `aws4` must be installed. Or the folder in which the mock keeps uploaded files; it
   * belongs to one journal, and several mocks can share it if they share a journal.
   *
   * @default the mock takes files itself, and keeps them in memory and beside a journal that is a file
   * @example `{ objects: { bucket: 'uploads', accessKeyId: 'id', secretAccessKey: 'secret' } }`
   */
  readonly objects?: S3Options | string
  /**
   * Serves the admin API under `/__admin`. It needs an `adminToken` if `host` is not a loopback address.
   *
   * @default true on loopback addresses and with `adminToken`, otherwise false
   * @example `{ admin: false }`
   */
  readonly admin?: boolean
  /**
   * Token that each call of the admin API has to send as `X-Admin-Token`.
   *
   * @default none
   * @example `{ adminToken: 'a-long-random-text' }`
   */
  readonly adminToken?: string
  /**
   * Limits for slow clients.
   *
   * @default 10 s for headers, 30 s for a body, 120 s between two chunks of a file
   * @example `{ patience: { headersMs: 5_000 } }`
   */
  readonly patience?: PatienceOptions
  /**
   * The most bytes of a file that are read in a second, so that a page's progress bar can be seen moving. Systems buffer the first
   * bytes, which count as sent.
   *
   * @default as many as arrive
   * @example `{ uploadSpeed: 200_000 }`
   */
  readonly uploadSpeed?: number
  /**
   * Time for requests in flight when the mock stops, in milliseconds.
   *
   * @default 10000
   * @example `{ graceMs: 1_000 }`
   */
  readonly graceMs?: number
  /**
   * Folder of the documentation, served under `/docs/`. `countersign docs` writes one.
   *
   * @default none
   * @example `{ docs: 'docs-site' }`
   */
  readonly docs?: string
  /**
   * Folder of the console, a page that shows and controls the mock. It is served at `/` if there is an admin API, and is in the
   * package as `dist/console`.
   *
   * @default none
   * @example `{ console: 'node_modules/countersign/dist/console' }`
   */
  readonly console?: string
}

/** A mock that listens. */
export interface RunningMock extends Mock {
  /** Base address of the service. */
  readonly url: string
  /** Origin of upload URLs; equals `url` unless storage has a port of its own. */
  readonly storageUrl: string
  /** True if the admin API answers without a token. */
  readonly freelySteered: boolean
  /**
   * Stops accepting requests, and resolves when those in flight are answered or `graceMs` has passed.
   *
   * @example
   * ```js
   * import { startMock } from 'countersign/node'
   *
   * const mock = await startMock()
   * await mock.close()
   * ```
   */
  close(): Promise<void>
}

/**
 * Starts a mock that listens. Rejects with the system's error if a port cannot be bound; then nothing listens.
 *
 * @example
 * ```js
 * import { startMock } from 'countersign/node'
 *
 * const mock = await startMock({ storagePort: 0, approvers: 'instant' })
 * const response = await fetch(`${mock.url}/api/v1/workflows/wf_1`, { headers: { Authorization: 'test_a' } })
 * console.log(response.status) // 404
 * await mock.close()
 * ```
 */
export async function startMock(options: StartOptions = {}): Promise<RunningMock> {
  requireKnownOptions(options, startOptionNames)
  const { port = 0, host = '127.0.0.1', docs, patience, uploadSpeed, graceMs = 10_000, console: page } = options
  if (uploadSpeed !== undefined && !(uploadSpeed >= leastSpeed)) {
    throw new RangeError(`uploadSpeed is ${uploadSpeed}. Set at least ${leastSpeed} bytes per second.`)
  }
  const storagePort = storagePortOf(options)
  const mount = mountOf(options)
  const { basePath, publicUrl } = mount
  let takenPort: number | undefined
  // Upload URLs have the address of the service call, but the port of storage if it has its own.
  const storageAt = (called: string) => (takenPort === undefined ? called : withPort(called, takenPort) + basePath)
  const storageMount = {
    basePath,
    get publicUrl() {
      return publicUrl && storageAt(publicUrl)
    },
  }
  const admin = adminOf(options, host)
  const servers: Server[] = []
  const kept = await openKept(options)
  let mock: Mock | undefined
  const closeAll = async () => {
    mock?.exchanges.stop()
    await Promise.all(servers.map((server) => closeServer(server, graceMs)))
    mock?.tenants.stop()
    await kept.close()
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  try {
    mock = await kept.build(admin, storageAt)
    await mock.ready
    const { answerError, forPages, apps } = mock
    const edge = { ...patience, forPages, ...(uploadSpeed !== undefined && { uploadSpeed }) }
    const open = (app: App, port: number) => listen(serverOf(app, answerError, edge), port, host, options.onFault)
    const service = apps[storagePort === undefined ? 'both' : 'service']
    const documented = docs === undefined ? service : withDocs(docs, service)
    const shown = page && admin ? withConsole(page, admin, documented) : documented
    servers.push(await open(mountedAt(mount, shown), port))
    if (storagePort !== undefined) servers.push(await open(mountedAt(storageMount, apps.storage), storagePort))
  } catch (error) {
    await close()
    throw error
  }
  const [url = ''] = servers.map((server) => originOf(server, host) + basePath)
  if (servers[1]) takenPort = portOf(servers[1])
  const freelySteered = admin !== undefined && admin.token === undefined
  return { ...mock, url, storageUrl: storageAt(publicUrl ?? url), freelySteered, close }
}

/** Returns the port of storage; undefined if it has that of the service. Behind a proxy, only the user knows how a second port is reached. */
function storagePortOf({ storagePort, like, publicBaseUrl, objects }: StartOptions): number | undefined {
  const isApart = like?.hasStorageOrigin === true && publicBaseUrl === undefined && typeof objects !== 'object'
  return storagePort ?? (isApart ? 0 : undefined)
}

/**
 * Opens what keeps the state of a mock. Returns what builds the mock on it, and what closes it. Few mocks have a database, a store or a
 * folder of objects, so what these need is loaded on demand.
 */
async function openKept(options: StartOptions) {
  const { admin: _, ...rest } = options
  const { journal, objects, seed, onWarning: warn = () => {} } = options
  const store = typeof objects === 'object' ? await openStore(objects, options.storagePort, warn) : undefined
  const stream =
    journal !== undefined && isPostgresUrl(journal)
      ? await (await import('./postgres/postgres-stream.ts')).openPostgres(journal, { warn })
      : undefined
  const secret = seed !== undefined && { secret: String(seed) }
  const archive =
    journal === undefined || stream
      ? undefined
      : openJournal(journal, { lock, repair: options.journalRepair ?? false, warn, ...secret })
  const ofFile = archive ? { kind: 'file' as const, id: archive.id, path: archive.path } : { kind: 'memory' as const }
  let files: ObjectFolder | undefined
  return {
    async build(admin: MockOptions['admin'], storageOrigin: (called: string) => string): Promise<Mock> {
      if (typeof objects === 'string') {
        const { openObjectFolder } = await import('./files/object-folder.ts')
        files = await openObjectFolder(objects, stream ? { kind: 'shared', secret: stream.secret } : ofFile, warn)
      }
      const settings: MockOptions = {
        ...{ maxMemoryBytes: memoryForState(), ...rest, hashing, storageOrigin },
        ...(archive && { archive }),
        ...(store && { store }),
        ...(files && { files }),
        ...(admin && { admin }),
      }
      if (!stream) return buildMock(settings)
      const { buildSharedMock } = await import('../shared-mock.ts')
      return buildSharedMock(settings, stream)
    },
    async close() {
      archive?.close()
      files?.close()
      store?.close()
      await stream?.close()
    },
  }
}

const { storageOrigin: _, hashing: __, archive: ___, store: ____, files: _____, ...sharedNames } = mockOptionNames
const startOptionNames: Readonly<Record<keyof StartOptions, true>> = {
  ...sharedNames,
  port: true,
  host: true,
  storagePort: true,
  journal: true,
  journalRepair: true,
  objects: true,
  adminToken: true,
  patience: true,
  uploadSpeed: true,
  graceMs: true,
  docs: true,
  console: true,
}

const MiB = 1024 * 1024
/** The lowest `uploadSpeed`: a chunk of 64 KiB then takes less than the longest wait for the next one. */
const leastSpeed = 1000
/** Heap that the program itself and V8's young generation need, in bytes. It cannot hold state. */
const neverForState = 72 * MiB

/** Returns half of the usable heap. The other half is for requests in flight and for garbage not yet collected. */
function memoryForState(): number {
  return Math.max(4 * MiB, Math.floor((getHeapStatistics().heap_size_limit - neverForState) / 2))
}

async function openStore(objects: S3Options, storagePort: number | undefined, warn: (message: string) => void) {
  if (storagePort !== undefined) {
    throw new RangeError('A store takes the files, so storage has no port. Leave out the store or the port of storage.')
  }
  const { openS3 } = await import('./s3/s3-store.ts')
  return openS3(objects, warn)
}

/** Returns the admin option. Without a token, only this machine may use the admin API, so other hosts get none. */
function adminOf({ admin = true, adminToken }: StartOptions, host: string): MockOptions['admin'] {
  if (!admin) return undefined
  if (adminToken !== undefined) return { token: adminToken }
  return loopbackHosts.test(host) ? {} : undefined
}

const loopbackHosts = /^(localhost|127(\.\d{1,3}){3}|::1)$/i

/** Listens. Later errors, such as a lack of descriptors for new connections, are passed to `onFault`. */
async function listen(server: Server, port: number, host: string, onFault: MockOptions['onFault']): Promise<Server> {
  server.listen(port, host)
  await once(server, 'listening')
  return server.on('error', (error) => onFault?.(error))
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(timer)
}

/** Returns the URL of a server; with localhost if the server listens on all addresses. */
function originOf(server: Server, host: string): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${portOf(server)}`
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function withPort(address: string, port: number): string {
  const url = new URL(address)
  url.port = String(port)
  return url.origin
}
