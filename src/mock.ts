import { createApp } from './http/app.ts'
import type { App, Incoming } from './http/exchange.ts'
import { type Fetch, overFetch } from './http/fetch.ts'
import { RequestLog } from './http/request-log.ts'
import { version } from './version.gen.ts'
import type { ApproverMode } from './world/approvers.ts'
import type { Archive } from './world/archive.ts'
import type { CreateHasher } from './world/objects.ts'
import type { Scenario } from './world/scenario.ts'
import type { Settings } from './world/settings.ts'
import { Tenants } from './world/tenants.ts'

export interface MockOptions {
  /** Same seed, same identifiers. @default '1' */
  readonly seed?: string | number
  /** Who decides steps: simulated approvers in their own time, the same at once, or only the admin API. @default 'auto' */
  readonly approvers?: ApproverMode
  /** Every answer waits so long, in real milliseconds. @default not at all */
  readonly latency?: Settings['latency']
  /** Times faster than the real time; 0 stands still. @default 1 */
  readonly clockSpeed?: number
  /** Time at the start, in milliseconds since 1970. @default now */
  readonly startTime?: number
  /** Largest file, in bytes. @default 100 MiB */
  readonly maxUploadBytes?: number
  /** Ended executions that are kept for each workflow; analytics go on counting those that are forgotten. @default 10,000 */
  readonly maxExecutions?: number
  /** Origin that upload URLs point to. @default the origin of the request that asks for one */
  readonly storageOrigin?: string | (() => string | undefined)
  /** What every world begins with. @default nothing has happened */
  readonly scenario?: Scenario
  /** The scenarios that the admin API can load, beside the empty one; asked for when it needs them. @default none */
  readonly scenarios?: () => Promise<readonly Scenario[]>
  /** Keeps journals and objects beyond the life of the mock. @default nothing is kept */
  readonly archive?: Archive
  /** The admin API under `/__admin`; with a token, it wants that instead of a loopback `Host`. @default none */
  readonly admin?: { readonly token?: string }
  /** Whether pages on other origins may call it. @default true */
  readonly cors?: boolean
  /** Computes SHA-256. @default a portable one */
  readonly hasher?: CreateHasher
  /** Bytes of objects that are kept in memory; of others there are only size and digest. @default 64 MiB */
  readonly maxStoredBytes?: number
  /** Told of errors that are the mock's own fault. @default nobody */
  readonly onFault?: (error: unknown) => void
}

/** The reference: a service and its storage in one function, with state for each API key. */
export interface Mock {
  /** Answers requests for the service and for storage. */
  readonly fetch: Fetch
  /** The same for whoever needs no `Request`; each part alone where storage has an origin of its own. */
  readonly apps: { readonly both: App; readonly service: App; readonly storage: App }
  readonly tenants: Tenants
  /** Takes everything back to the seed. */
  reset(): void
}

/** Makes a mock that needs no port: give its `fetch` to whatever calls the API. */
export function createMock(options: MockOptions = {}): Mock {
  const { seed = '1', approvers = 'auto', maxUploadBytes = 100 * 1024 * 1024, storageOrigin } = options
  const { scenarios = async () => [] } = options
  const tenants = new Tenants({
    seed: String(seed),
    clockSpeed: options.clockSpeed ?? 1,
    settings: { approvers, ...(options.latency && { latency: options.latency }) },
    ...(options.startTime !== undefined && { startTime: options.startTime }),
    ...(options.scenario && { scenario: options.scenario }),
    ...(options.hasher && { hasher: options.hasher }),
    ...(options.maxStoredBytes !== undefined && { maxStoredBytes: options.maxStoredBytes }),
    ...(options.maxExecutions !== undefined && { maxExecutions: options.maxExecutions }),
    ...(options.archive && { archive: options.archive }),
  })
  const log = new RequestLog()
  const fixedOrigin = typeof storageOrigin === 'function' ? storageOrigin : () => storageOrigin
  const shared = {
    tenants,
    log,
    ...(options.admin && { admin: { ...options.admin, tenants, log, scenarios, version } }),
    maxUploadBytes,
    storageOrigin: (incoming: Incoming) => fixedOrigin() ?? incoming.origin,
    cors: options.cors ?? true,
    onFault: options.onFault ?? (() => {}),
  }
  const apps = {
    both: createApp({ ...shared, part: 'both' }),
    service: createApp({ ...shared, part: 'service' }),
    storage: createApp({ ...shared, part: 'storage' }),
  }
  return {
    fetch: overFetch(apps.both),
    apps,
    tenants,
    reset: () => tenants.reset(),
  }
}
