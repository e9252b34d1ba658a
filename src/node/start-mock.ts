import { createHash } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import type { App } from '../http/wire/exchange.ts'
import { requireKnownOptions } from '../known-options.ts'
import { buildMock, type Mock, type MockOptions, mockOptionNames } from '../mock.ts'
import { withDocs } from './docs.ts'
import { type PatienceOptions, serverOf } from './http.ts'
import { type JournalFile, openJournal } from './journal/journal-file.ts'
import { lock } from './lock-file.ts'

export interface StartOptions extends Omit<MockOptions, 'storageOrigin' | 'hasher' | 'archive' | 'admin'> {
  /** @default 0, which takes any free one */
  readonly port?: number
  /** @default '127.0.0.1' */
  readonly host?: string
  /** Gives uploads a port, and so an origin, of their own; 0 takes any free one. @default the service's port */
  readonly storagePort?: number
  /** Keeps what happens, the time and the signing secret in this file, and begins from it. @default nothing is kept */
  readonly journal?: string
  /** Moves the damaged part of a journal into a file beside it, instead of refusing to start. @default false */
  readonly journalRepair?: boolean
  /** The admin API. @default true where only this machine can call; elsewhere it needs a token */
  readonly admin?: boolean
  /** Wanted by the admin API with every call. @default none */
  readonly adminToken?: string
  /** How long clients may take to send. */
  readonly patience?: PatienceOptions
  /** How long requests in flight may take when the mock stops, in milliseconds. @default 10000 */
  readonly graceMs?: number
  /** Told of what a user has to know. @default nobody */
  readonly onWarning?: (message: string) => void
  /** Folder of the documentation, which is served at `/docs/`. @default none */
  readonly docs?: string
  /** How clients reach the mock, where that is not how it listens. @default the Host that each request names */
  readonly publicBaseUrl?: string
}

/** A mock that listens. */
export interface RunningMock extends Mock {
  /** Where it is called. */
  readonly url: string
  /** Where files are put; the same, unless storage has a port of its own. */
  readonly storageUrl: string
  /** Whether the admin API answers without a token. */
  readonly freelySteered: boolean
  /** Stops taking requests and ends when those in flight have been answered, or after ten seconds. */
  close(): Promise<void>
}

/** Starts a mock that listens. Rejects with the system's error when a port cannot be had, and then nothing listens. */
export async function startMock(options: StartOptions = {}): Promise<RunningMock> {
  requireKnownOptions(options, startOptionNames)
  const { port = 0, host = '127.0.0.1', storagePort, docs, patience, graceMs = 10_000 } = options
  const publicBaseUrl = options.publicBaseUrl === undefined ? undefined : baseOf(options.publicBaseUrl)
  let takenPort: number | undefined
  // Storage is wherever the service is called, or on a port of its own there.
  const storageAt = (called: string) =>
    takenPort === undefined ? (publicBaseUrl ?? called) : withPort(publicBaseUrl ?? called, takenPort)
  const { admin, ...rest } = options
  const steering = adminOf(options, host)
  const servers: Server[] = []
  const archive = options.journal === undefined ? undefined : openedJournal(options.journal, options)
  let mock: Mock | undefined
  const closeAll = async () => {
    await Promise.all(servers.map((server) => closed(server, graceMs)))
    mock?.tenants.stop()
    archive?.close()
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  try {
    mock = buildMock({
      maxMemoryBytes: memoryForState(),
      ...rest,
      ...(archive && { archive }),
      ...steering,
      hasher: () => {
        const hash = createHash('sha256')
        return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') }
      },
      storageOrigin: storageAt,
    })
    await mock.ready
    const service = mock.apps[storagePort === undefined ? 'both' : 'service']
    servers.push(await listen(docs === undefined ? service : withDocs(docs, service), port, host, patience))
    if (storagePort !== undefined) servers.push(await listen(mock.apps.storage, storagePort, host, patience))
  } catch (error) {
    await close()
    throw error
  }
  const [url = ''] = servers.map((server) => originOf(server, host))
  if (servers[1]) takenPort = portOf(servers[1])
  const freelySteered = steering.admin !== undefined && steering.admin.token === undefined
  return { ...mock, url, storageUrl: storageAt(url), freelySteered, close }
}

const { storageOrigin: _, hasher: __, archive: ___, ...sharedNames } = mockOptionNames
const startOptionNames: Readonly<Record<keyof StartOptions, true>> = {
  ...sharedNames,
  port: true,
  host: true,
  storagePort: true,
  journal: true,
  journalRepair: true,
  adminToken: true,
  patience: true,
  graceMs: true,
  onWarning: true,
  docs: true,
  publicBaseUrl: true,
}

const MiB = 1024 * 1024
/** What the program itself takes, and V8 for what is new: neither can hold state. */
const neverForState = 72 * MiB

/** Half of what the heap may hold; the other half is for requests on their way, and for what waits for the garbage collector. */
function memoryForState(): number {
  return Math.max(4 * MiB, Math.floor((getHeapStatistics().heap_size_limit - neverForState) / 2))
}

/** Opens a journal that no other mock writes to. */
function openedJournal(path: string, { journalRepair = false, seed, onWarning }: StartOptions): JournalFile {
  return openJournal(path, {
    lock,
    repair: journalRepair,
    ...(seed !== undefined && { secret: String(seed) }),
    ...(onWarning && { warn: onWarning }),
  })
}

/** Without a token only the machine itself may steer the mock, so elsewhere there is no admin API then. */
function adminOf({ admin = true, adminToken }: StartOptions, host: string): Pick<MockOptions, 'admin'> {
  if (!admin) return {}
  if (adminToken !== undefined) return { admin: { token: adminToken } }
  return loopbackHosts.test(host) ? { admin: {} } : {}
}

const loopbackHosts = /^(localhost|127(\.\d{1,3}){3}|::1)$/i

async function listen(app: App, port: number, host: string, patience?: PatienceOptions): Promise<Server> {
  const server = serverOf(app, patience)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return server
}

function closed(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** The address to call a server at. A server that listens everywhere is called at localhost. */
function originOf(server: Server, host: string): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${portOf(server)}`
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

/** An address without the slash at its end. Throws a `RangeError` where it is none. */
function baseOf(address: string): string {
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return address.replace(/(?<!\/)\/+$/, '')
  throw new RangeError(
    `The public address '${address}' is not an http:// or https:// URL. Set the whole URL, such as https://mock.example.`,
  )
}

function withPort(address: string, port: number): string {
  const url = new URL(address)
  url.port = String(port)
  return url.origin
}
