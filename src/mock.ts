import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { createApp, type Fetch } from './http/app.ts'
import type { ApproverMode } from './world/approvers.ts'
import { Clock } from './world/clock.ts'
import { Tenants } from './world/tenants.ts'

export interface MockOptions {
  /** Same seed, same identifiers. @default '1' */
  readonly seed?: string | number
  /** Who decides steps: simulated approvers in their own time, the same at once, or only the admin API. @default 'auto' */
  readonly approvers?: ApproverMode
  /** Times faster than the real time; 0 stands still. @default 1 */
  readonly clockSpeed?: number
  /** Time at the start, in milliseconds since 1970. @default now */
  readonly startTime?: number
  /** Largest file, in bytes. @default 100 MiB */
  readonly maxUploadBytes?: number
  /** Origin that upload URLs point to. @default the origin of the request that asks for one */
  readonly storageOrigin?: string | (() => string | undefined)
  /** Whether pages on other origins may call it. @default true */
  readonly cors?: boolean
  /** SHA-256 of some bytes, in hexadecimal. @default a portable one */
  readonly sha256?: (bytes: Uint8Array) => string
  /** Told of errors that are the mock's own fault. @default nobody */
  readonly onFault?: (error: unknown) => void
}

/** The reference: a service and its storage in one function, with state for each API key. */
export interface Mock {
  /** Answers requests for the service and for storage. */
  readonly fetch: Fetch
  /** Answers requests for the service only, where storage has an origin of its own. */
  readonly serviceFetch: Fetch
  /** Answers requests for storage only. */
  readonly storageFetch: Fetch
  readonly tenants: Tenants
  /** Takes everything back to the seed. */
  reset(): void
}

/** Makes a mock that needs no port: give its `fetch` to whatever calls the API. */
export function createMock(options: MockOptions = {}): Mock {
  const { seed = '1', approvers = 'auto', maxUploadBytes = 100 * 1024 * 1024, storageOrigin } = options
  const { clockSpeed: speed = 1, startTime: start } = options
  const tenants = new Tenants(() => {
    const clock = new Clock({ speed, ...(start !== undefined && { start }) })
    return { seed: String(seed), approvers, clock }
  })
  const fixedOrigin = typeof storageOrigin === 'function' ? storageOrigin : () => storageOrigin
  const shared = {
    tenants,
    maxUploadBytes,
    storageOrigin: (request: Request) => fixedOrigin() ?? new URL(request.url).origin,
    cors: options.cors ?? true,
    sha256: options.sha256 ?? ((bytes: Uint8Array) => bytesToHex(sha256(bytes))),
    onFault: options.onFault ?? (() => {}),
  }
  return {
    fetch: createApp({ ...shared, part: 'both' }),
    serviceFetch: createApp({ ...shared, part: 'service' }),
    storageFetch: createApp({ ...shared, part: 'storage' }),
    tenants,
    reset: () => tenants.reset(),
  }
}
