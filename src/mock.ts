import { isScenarioName, type ScenarioName, scenarioNames } from '../mocks/scenarios/names.ts'
import type { OperationId } from './contract/operations.ts'
import type { Execution } from './domain/approval/execution.ts'
import type { AdminGuardOptions } from './http/admin/admin-guard.ts'
import { errorAnswers } from './http/answer-error.ts'
import { createApp } from './http/app.ts'
import type { PassOn } from './http/handle-request.ts'
import type { Like, LikeOptions } from './http/like/like.ts'
import type { Identifiers } from './http/service/identifiers.ts'
import { type JournalEntry, journalEntryTo } from './http/service/journal-entry.ts'
import type { ObjectStore } from './http/service/object-store.ts'
import { requireKnownOptions } from './known-options.ts'
import type { Profile } from './profile/profile.ts'
import { Recording } from './session/recording.ts'
import type { SessionFile } from './session/session.ts'
import { Steering, type StepDecision } from './steering/steering.ts'
import { version } from './version.gen.ts'
import { isTestKey } from './wire/auth.ts'
import { type ForPages, type PageRights, withCors } from './wire/cors.ts'
import { type AnswerError, type App, type Incoming, publicUrlOf } from './wire/exchange.ts'
import { Exchanges, type LoggedRequest } from './wire/exchanges.ts'
import { type Fetch, toFetch } from './wire/fetch.ts'
import { addressOf, mountedAt, mountOf } from './wire/mount.ts'
import { type NextAnswer, NextAnswers, type WaitingAnswer } from './wire/next-answers.ts'
import { Problem } from './wire/problem.ts'
import type { ApproverMode } from './world/approvers.ts'
import type { Archive } from './world/archive.ts'
import { endOfTime, mustBeSpeed } from './world/clock.ts'
import { type Files, MemoryFiles } from './world/files.ts'
import type { Hashing } from './world/objects.ts'
import type { Scenario } from './world/scenario.ts'
import { mustBeSound, type Settings } from './world/settings.ts'
import type { TenantFile } from './world/tenant-file.ts'
import { Tenants, type TenantsOptions } from './world/tenants.ts'

/** Options of {@link createMock}, `startMock` and `handlers`. */
export interface MockOptions {
  /**
   * Repeats identifiers, simulated approvers and the secret that signs upload URLs. Anyone who knows the seed can forge
   * upload URLs.
   *
   * @default '1' for identifiers and approvers; the secret is random
   * @example `{ seed: 'nightly' }`
   */
  readonly seed?: string | number
  /**
   * Decides steps: `auto` simulates approvers who take their time, `instant` approves at once, and `manual` leaves every
   * decision to `decide` or the admin API.
   *
   * @default 'auto'
   * @example `{ approvers: 'manual' }`
   */
  readonly approvers?: ApproverMode
  /**
   * Delay of every answer to a call with a key, in milliseconds of real time, drawn from this range: uniformly, or with `p50Ms`
   * and `p99Ms` from the log-normal distribution that has these percentiles.
   *
   * @default { minMs: 0, maxMs: 0 }
   * @example `{ latency: { minMs: 0, maxMs: 5000, p50Ms: 80, p99Ms: 900 } }`
   */
  readonly latency?: Settings['latency']
  /**
   * Calls of the service that each tenant may send in a second of real time. Beyond it, they answer 429 with `Retry-After`.
   * Uploads to storage do not count.
   *
   * @default 0, which is no limit
   * @example `{ rateLimit: 20 }`
   */
  readonly rateLimit?: number
  /**
   * Speed of the mock's clock, as a multiple of real time. 0 stops it.
   *
   * @default 1
   * @example `{ clockSpeed: 3600 }`
   */
  readonly clockSpeed?: number
  /**
   * Time of the mock's clock at the start, in milliseconds since 1970.
   *
   * @default now
   * @example `{ startTime: Date.UTC(2026, 0, 1) }`
   */
  readonly startTime?: number
  /**
   * Largest file, in bytes.
   *
   * @default 100 MiB
   * @example `{ maxUploadBytes: 5_000_000 }`
   */
  readonly maxUploadBytes?: number
  /**
   * Ended executions kept for each workflow, at least 20. Analytics go on counting those that are dropped.
   *
   * @default 10,000
   * @example `{ maxExecutions: 100 }`
   */
  readonly maxExecutions?: number
  /**
   * Path below which the mock answers, and below which everything is that it links to.
   *
   * @default the root
   * @example `{ basePath: '/team' }`
   */
  readonly basePath?: string
  /**
   * Address at which clients reach the mock, for example behind a proxy. `Location` and upload URLs begin with it.
   *
   * @default the Host of each request, and `basePath`
   * @example `{ publicBaseUrl: 'https://mock.example' }`
   */
  readonly publicBaseUrl?: string
  /**
   * Address of storage, with which upload URLs begin, or a function that returns it for the address that was called.
   *
   * @default the address that was called
   * @example `{ storageOrigin: 'https://files.example' }`
   */
  readonly storageOrigin?: string | ((called: string) => string)
  /**
   * State that each tenant starts with: the name of a scenario of ours, or a scenario of your own.
   *
   * @default 'empty'
   * @example `{ scenario: 'busy-quarter' }`
   */
  readonly scenario?: ScenarioName | Scenario
  /**
   * Keeps journals and objects beyond the life of the mock: an object with the methods of `Archive`.
   *
   * @default nothing is kept
   */
  readonly archive?: Archive
  /**
   * Turns on the admin API under `/__admin`, and says which callers it trusts.
   *
   * @default no admin API
   * @example `{ admin: {} }`
   */
  readonly admin?: AdminGuardOptions
  /**
   * True if pages on other origins may call the service and storage.
   *
   * @default true, or as the profile of `like` says
   * @example `{ cors: false }`
   */
  readonly cors?: boolean
  /**
   * True if such pages may send credentials, as with `credentials: 'include'` or `withCredentials`.
   *
   * @default false, or as the profile of `like` says
   * @example `{ corsCredentials: true }`
   */
  readonly corsCredentials?: boolean
  /**
   * The API keys that are accepted, all of them test keys, to see how a page deals with a key that the service does not know.
   *
   * @default every key that looks like a test key
   * @example `{ keys: ['test_acme', 'test_globex'] }`
   */
  readonly keys?: readonly string[]
  /**
   * Takes uploaded files in place of the mock's own storage.
   *
   * @internal
   */
  readonly store?: ObjectStore
  /**
   * Keeps the contents of uploaded files in place of the memory.
   *
   * @internal
   */
  readonly files?: Files
  /**
   * Computes checksums faster than the portable implementation.
   *
   * @internal
   */
  readonly hashing?: Hashing
  /**
   * File contents kept in memory, in bytes. Of other files the mock keeps size and checksum.
   *
   * @default 64 MiB
   * @example `{ maxStoredBytes: 10_000_000 }`
   */
  readonly maxStoredBytes?: number
  /**
   * Estimated memory for workflows, executions, upload sessions and keys, in bytes. Beyond it, creating answers 507, while
   * reading, deciding and resetting go on.
   *
   * @default 512 MiB; with `startMock`, half of the heap that Node may use
   * @example `{ maxMemoryBytes: 64 * 1024 * 1024 }`
   */
  readonly maxMemoryBytes?: number
  /**
   * Answers like a deployment: a profile that `countersign learn` has written. What the calls do stays the same.
   *
   * @default answers as the contract says
   * @example `{ like: { version: 1, approvers: 'manual' } }`
   */
  readonly like?: Profile
  /**
   * Records all calls from the start, as `mock.recording.start()` does later.
   *
   * @default false
   * @example `{ record: true }`
   */
  readonly record?: boolean
  /**
   * Answers calls in the place of the mock.
   *
   * @internal
   */
  readonly passOn?: PassOn
  /**
   * Makes the identifiers that clients see.
   *
   * @internal
   */
  readonly identifiers?: Identifiers
  /**
   * Called with each request to the service or to storage after its answer is known, without key, query and body. It must not
   * throw.
   *
   * @default nothing is called
   * @example `{ onRequest: ({ method, path, status }) => console.log(method, path, status) }`
   */
  readonly onRequest?: (request: LoggedRequest) => void
  /**
   * Called with warnings for the user, such as a journal that was repaired or a tenant that cannot be restored.
   *
   * @default they are ignored
   * @example `{ onWarning: (message) => console.warn(message) }`
   */
  readonly onWarning?: (message: string) => void
  /**
   * Called with errors that are the mock's own fault.
   *
   * @default they are ignored
   * @example `{ onFault: (error) => console.error(error) }`
   */
  readonly onFault?: (error: unknown) => void
}

/** The names of all options, for the compiler to keep complete. */
export const mockOptionNames: Readonly<Record<keyof MockOptions, true>> = {
  seed: true,
  approvers: true,
  latency: true,
  rateLimit: true,
  clockSpeed: true,
  startTime: true,
  maxUploadBytes: true,
  maxExecutions: true,
  basePath: true,
  publicBaseUrl: true,
  storageOrigin: true,
  scenario: true,
  archive: true,
  admin: true,
  cors: true,
  corsCredentials: true,
  keys: true,
  store: true,
  files: true,
  hashing: true,
  maxStoredBytes: true,
  maxMemoryBytes: true,
  identifiers: true,
  passOn: true,
  like: true,
  record: true,
  onRequest: true,
  onWarning: true,
  onFault: true,
}

/** A mock of the service and its storage, with separate state for each API key. */
export interface Mock {
  /**
   * Answers requests for the service and for storage, as the global `fetch` does.
   *
   * @example `await mock.fetch('http://any.example/api/v1/workflows/wf_1')`
   */
  readonly fetch: Fetch
  /**
   * The same without `Request` objects, whole and in parts.
   *
   * @internal
   */
  readonly apps: { readonly both: App; readonly service: App; readonly storage: App }
  /** @internal */
  readonly forPages: ForPages
  /**
   * Answers what was thrown while an answer was sent.
   *
   * @internal
   */
  readonly answerError: AnswerError
  /**
   * Resolves when the scenario and the profile have been loaded, and rejects with a `RangeError` if the profile cannot be used.
   * Requests wait for it by themselves.
   */
  readonly ready: Promise<void>
  /** @internal */
  readonly tenants: Tenants
  /** @internal */
  readonly exchanges: Exchanges
  /**
   * Resets state, clock and settings of one tenant, or of all, to what new tenants start with.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   *
   * const mock = createMock({ scenario: 'first-day' })
   * await mock.ready
   * mock.reset('test_a') // the tenant of this key
   * mock.reset() // all tenants
   * ```
   */
  reset(key?: string): void
  /**
   * Moves the clock forward, by milliseconds or an ISO 8601 duration. Everything that is due by then has happened, in order,
   * when it returns. Throws a `RangeError` for a duration that is negative or unreadable.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   *
   * const mock = createMock()
   * mock.advance('PT2H')
   * mock.advance(90_000, 'test_a')
   * ```
   */
  advance(duration: number | string, key?: string): void
  /**
   * Sets the speed of the clock, as a multiple of real time. 0 stops it. Throws a `RangeError`.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   *
   * const mock = createMock()
   * mock.setSpeed(0)
   * ```
   */
  setSpeed(speed: number, key?: string): void
  /**
   * Changes approvers, latency, faults and rate limit. Settings that are left out return to those of the options. Throws a `RangeError`.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   *
   * const mock = createMock()
   * mock.setSettings({ faults: [{ probability: 0.2, status: 503, operationId: 'requestUpload' }] })
   * ```
   */
  setSettings(settings: Partial<Settings>, key?: string): void
  /**
   * Decides a step as its approver, and returns the execution with that decision. Throws a `DomainError`.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   *
   * const mock = createMock({ approvers: 'manual', scenario: 'first-day' })
   * await mock.ready
   * await mock.fetch('http://any.example/api/v1/workflows/wf_1', { headers: { Authorization: 'test_a' } })
   * const assigned = mock.journal.read('test_a').find(({ type }) => type === 'StepAssigned')
   * if (assigned?.type === 'StepAssigned') {
   *   const { execution_id, step_id } = assigned
   *   console.log(mock.decide({ execution_id, step_id, decision: 'approved' }).status)
   * }
   * ```
   */
  decide(decision: StepDecision, key?: string): Execution
  /**
   * Replaces the answer to the next call of an operation, or to the next `times` calls: those with a key, or all. The calls are
   * not carried out. Throws a `RangeError` if the answer cannot be given.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   *
   * const mock = createMock()
   * mock.next('getWorkflow', { status: 503, headers: { 'Retry-After': '1' } })
   * const headers = { Authorization: 'test_a' }
   * console.log((await mock.fetch('http://any.example/api/v1/workflows/wf_1', { headers })).status) // 503
   * ```
   */
  next(operationId: OperationId, answer: NextAnswer, key?: string): void
  /**
   * Returns the answers of `next` that still wait for their calls: all, or those for the calls of a key.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   *
   * const mock = createMock()
   * mock.next('confirmUpload', { connection: 'broken', times: 2 })
   * console.log(mock.waitingAnswers().length) // 1
   * ```
   */
  waitingAnswers(key?: string): readonly WaitingAnswer[]
  /**
   * Restarts with a scenario: one tenant, or all of them and those to come.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   *
   * const mock = createMock()
   * await mock.scenario('stuck-approval', 'test_a')
   * ```
   */
  scenario(scenario: ScenarioName | Scenario, key?: string): Promise<void>
  /**
   * Returns a tenant as one file: all its events, and the contents of the objects that the mock keeps, up to the limit of
   * `maxStoredBytes`. The file has neither a key nor a signing secret. Rejects with a `RangeError` if the mock has dropped events.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   *
   * const mock = createMock({ scenario: 'first-day' })
   * const file = await mock.exportTenant('test_a')
   * console.log(file.events.length > 0) // true
   * ```
   */
  exportTenant(key: string): Promise<TenantFile>
  /**
   * Opens the tenant of a key from a file. Its clock continues at the time of the export. Rejects with a `RangeError` that names
   * the place if the file is wrong, and with a `DomainError` if the tenant has events already or the memory is full; then
   * nothing has changed.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   *
   * const file = await createMock({ scenario: 'first-day' }).exportTenant('test_a')
   * const mock = createMock()
   * await mock.importTenant(file, 'test_b')
   * console.log(mock.journal.read('test_b').length === file.events.length) // true
   * ```
   */
  importTenant(file: TenantFile, key: string): Promise<void>
  /**
   * Records calls as a session: HAR 1.2, without keys and signatures, at most 10,000 calls and 32 MiB. `start` drops what was
   * recorded before, and `read` returns the calls of one tenant or of all. `countersign replay` sends them to any deployment.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   *
   * const mock = createMock()
   * await mock.recording.start()
   * await mock.fetch('http://any.example/api/v1/workflows/wf_1', { headers: { Authorization: 'test_a' } })
   * mock.recording.stop()
   * const { log } = await mock.recording.read('test_a')
   * console.log(log.entries.length) // 1
   * ```
   */
  readonly recording: { start(): Promise<void>; stop(): void; read(key?: string): Promise<SessionFile> }
  /**
   * The events so far, of one tenant or of all.
   *
   * @example `mock.journal.read('test_a')`
   */
  readonly journal: { read(key?: string): readonly JournalEntry[] }
}

/**
 * Creates a mock without a port: pass its `fetch` to the code that calls the API. Throws a `RangeError` for an option that
 * is out of range.
 *
 * @example
 * ```js
 * import { createMock } from 'countersign'
 *
 * const mock = createMock({ approvers: 'manual' })
 * const response = await mock.fetch('http://any.example/api/v1/workflows/wf_1')
 * console.log(response.status, (await response.json()).code) // 401 missing-key
 * ```
 */
export function createMock(options: MockOptions = {}): Mock {
  requireKnownOptions(options, mockOptionNames)
  return buildMock(options)
}

export { MemoryFiles }

/** Answers requests as if the mock was below a base path. */
export type Answering = (request: Request, basePath: string) => Promise<Response>

/** Returns the answers of a mock. */
export function answeringWith({ apps, answerError }: Pick<Mock, 'apps' | 'answerError'>): Answering {
  return (request, basePath) => toFetch(mountedAt({ basePath }, apps.both), answerError)(request)
}

/** Does what `createMock` does, and ignores options that it does not know. `createTenants` may add options of its own. */
export function buildMock(
  options: MockOptions,
  createTenants = (settings: TenantsOptions): Tenants => new Tenants(settings),
): Mock {
  mustBeUsable(options)
  const { scenario = 'empty' } = options
  const tenants = createTenants(tenantsOptions(options))
  mustBeSound(tenants.firstSettings)
  const storage = storageOf(options)
  const loadingLike =
    options.like && loadLike(options.like, seedOf(options), { remembers: !options.archive, ...storage })
  const recording = new Recording({ name: 'countersign', version })
  if (options.record) recording.start()
  const exchanges = new Exchanges({
    ...{ recording, keepsContents: options.admin !== undefined, onRequest: options.onRequest },
  })
  const nextAnswers = new NextAnswers()
  const steering = new Steering(tenants, (tenantId) => {
    exchanges.clear(tenantId)
    nextAnswers.clear(tenantId)
  })
  const loading = typeof scenario === 'object' || scenario === 'empty' ? undefined : loadScenario(scenario)
  if (!loading) tenants.restore()
  const loaded = loading?.then((first) => {
    tenants.startWith(first)
    tenants.restore()
  })
  const ready = Promise.all([loaded, loadingLike]).then(() => undefined)
  ready.catch(reportedByEachRequest)
  const answerError = errorAnswers(options.onFault ?? (() => {}))
  const cors = corsOf(options)
  const parts = { tenants, exchanges, nextAnswers, steering, answerError, cors, storage }
  const apps = appsOf(options, parts, { ...(loading && { ready }), ...(loadingLike && { like: loadingLike }) })
  return {
    ...controlsOf(parts, ready, loadingLike),
    fetch: toFetch(mountedAt(mountOf(options), apps.both), answerError),
    apps,
    answerError,
    forPages: (answer, origin) => (cors.any ? withCors(answer, origin, cors.any) : answer),
    ready,
    tenants,
    exchanges,
  }
}

/** What a mock is made of. */
interface Parts {
  readonly tenants: Tenants
  readonly exchanges: Exchanges
  readonly nextAnswers: NextAnswers
  readonly steering: Steering
  readonly answerError: AnswerError
  readonly cors: ReturnType<typeof corsOf>
  readonly storage: ReturnType<typeof storageOf>
}

const seedOf = ({ seed = '1' }: MockOptions) => String(seed)

/** Returns what the tenants of a mock are created with. Options that are left out have their own defaults there. */
function tenantsOptions(options: MockOptions): TenantsOptions {
  const { seed, like, scenario, clockSpeed = 1, approvers = like?.approvers ?? 'auto' } = options
  const { latency, rateLimit, startTime, hashing, maxStoredBytes, maxMemoryBytes, maxExecutions } = options
  const { archive, files, onWarning } = options
  const given = {
    ...{ startTime, hashing, maxStoredBytes, maxMemoryBytes, maxExecutions, archive, files, onWarning },
    secret: seed === undefined ? undefined : String(seed),
    scenario: typeof scenario === 'object' ? scenario : undefined,
  }
  return {
    ...withoutUndefined(given),
    seed: seedOf(options),
    clockSpeed,
    settings: { approvers, ...withoutUndefined({ latency, rateLimit }) },
    pace: like?.pace,
  }
}

type Given<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> }

function withoutUndefined<Members extends object>(members: Members): Given<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<Members>
}

/** Returns where storage is, for the client of a request. */
function storageOf({ storageOrigin }: MockOptions) {
  const fixed = typeof storageOrigin === 'string' ? addressOf('storage', storageOrigin) : undefined
  const addressFor = typeof storageOrigin === 'function' ? storageOrigin : (called: string) => fixed ?? called
  return {
    storageUrl: (incoming: Incoming) => addressFor(publicUrlOf(incoming)),
    // Clients call what a function has returned, but behind a proxy another host than that of a fixed address may arrive.
    storageHost: (incoming: Incoming) => new URL(fixed ?? publicUrlOf(incoming)).host,
  }
}

/** Builds the apps of a mock. They answer once `ready` has resolved, and `like` if there is a profile. */
function appsOf(
  options: MockOptions,
  { cors, storage, ...parts }: Parts,
  { ready, like: loadingLike }: { readonly ready?: Promise<void>; readonly like?: Promise<Like> },
): Mock['apps'] {
  const { maxUploadBytes = 100 * 1024 * 1024, store, identifiers, keys, passOn } = options
  const app: App = (request, actsFor) => apps.both(request, actsFor)
  const shared = {
    ...{ ...parts, ...storage, maxUploadBytes, cors: cors.of },
    ...withoutUndefined({ store, identifiers, keys, passOn }),
    ...(options.admin && { admin: { ...options.admin, ...parts, ...storage, app, scenarios, version } }),
  }
  const appOf = (part: 'both' | 'service' | 'storage'): App => {
    const loading = loadingLike?.then((like) =>
      createApp({ ...shared, like, identifiers: identifiers ?? like.identifiers, part }),
    )
    loading?.catch(reportedByEachRequest)
    const plain = loading ? undefined : createApp({ ...shared, part })
    if (plain && !ready) return plain
    return async (request, actsFor) => {
      await ready
      return ((await loading) ?? (plain as App))(request, actsFor)
    }
  }
  const apps = { both: appOf('both'), service: appOf('service'), storage: appOf('storage') }
  return apps
}

/** Returns the methods that steer a mock and look at it. */
function controlsOf(
  { tenants, exchanges, nextAnswers, steering }: Parts,
  ready: Promise<void>,
  loadingLike: Promise<Like> | undefined,
): Omit<Mock, 'fetch' | 'apps' | 'answerError' | 'forPages' | 'ready' | 'tenants' | 'exchanges'> {
  const { recording } = exchanges
  const tenantOf = (key?: string) => (key === undefined ? undefined : tenants.idOf(key))
  return {
    reset: (key) => tenants.atOnce(() => steering.reset(tenantOf(key))),
    advance: (duration, key) => tenants.atOnce(() => steering.advance(duration, tenantOf(key))),
    setSpeed: (speed, key) => tenants.atOnce(() => steering.setSpeed(speed, tenantOf(key))),
    setSettings: (settings, key) => tenants.atOnce(() => steering.setSettings(settings, tenantOf(key))),
    decide: (decision, key) => tenants.atOnce(() => steering.decide(decision, tenantOf(key))),
    next: (operationId, answer, key) => nextAnswers.add(operationId, answer, tenantOf(key)),
    waitingAnswers: (key) => nextAnswers.list(tenantOf(key)),
    async scenario(wanted, key) {
      await tenants.load(typeof wanted === 'object' ? wanted : await loadScenario(wanted), tenantOf(key))
    },
    async exportTenant(key) {
      await ready
      const { exportTenant } = await tenantFiles()
      return JSON.parse(await exportTenant(tenants, tenants.idOf(key)).catch(asRangeError))
    },
    async importTenant(file, key) {
      await ready
      const { importTenant } = await tenantFiles()
      const bytes = new TextEncoder().encode(JSON.stringify(file))
      const like = await loadingLike
      await importTenant(tenants, tenants.idOf(key), bytes, like).catch(asRangeError)
    },
    recording: {
      start: async () => recording.start(),
      stop: () => recording.stop(),
      read: (key) => recording.read(tenantOf(key)),
    },
    journal: {
      read: (key) =>
        tenants
          .atOnce(() => steering.latest(tenantOf(key)))
          .map(({ event, tenantId }) => journalEntryTo(event, tenantId)),
    },
  }
}

/** Answers every request with the problem of an error. */
export function refusing(error: unknown): Fetch {
  const answerError = errorAnswers(() => {})
  return toFetch(async (incoming) => answerError(error, incoming), answerError)
}

/** Few mocks export or import a tenant, so that is loaded on demand. */
const tenantFiles = () => import('./http/admin/tenant-handlers.ts')

/** Rejects with a `RangeError` in place of a problem, which only HTTP knows. */
function asRangeError(error: unknown): never {
  throw error instanceof Problem ? new RangeError(error.message) : error
}

/** Returns what pages on other origins may do with a request, and at most: by the options, otherwise by the profile. */
function corsOf({ cors, corsCredentials, like }: MockOptions) {
  const {
    service = true,
    storage = true,
    credentials = false,
  } = { ...like?.cors, ...(cors !== undefined && { service: cors, storage: cors }) }
  const rights: PageRights = { credentials: corsCredentials ?? credentials }
  const any = service || storage ? rights : undefined
  const of = ({ path }: Incoming) => ((/\/api\/v1(\/|$)/.test(path) ? service : storage) ? rights : undefined)
  return { of, any }
}

/** Loads what answers like a deployment. Most mocks have no profile, so it is loaded on demand. */
async function loadLike(profile: Profile, seed: string, options: LikeOptions): Promise<Like> {
  const [{ likeOf }, { flawOf }] = await Promise.all([import('./http/like/like.ts'), import('./profile/profile.ts')])
  const flaw = flawOf(profile)
  if (flaw !== undefined) throw new RangeError(`The profile cannot be used: ${flaw}. Correct it.`)
  return likeOf(profile, seed, options)
}

/** Prevents an unhandled rejection. No error is lost: each request waits for `ready` and rejects with it. */
function reportedByEachRequest(): void {}

/** The lowest value of each numeric option. For executions, that is the number that the details list. */
const leasts = { maxUploadBytes: 0, maxStoredBytes: 0, maxMemoryBytes: 0, maxExecutions: 20 } as const

function mustBeUsable(options: MockOptions): void {
  mustBeSpeed(options.clockSpeed ?? 1)
  // The message does not repeat the key.
  if (options.keys?.some((key) => !isTestKey(key))) {
    throw new RangeError('One of the keys is not a test key. Use keys such as test_demo or sk_test_demo.')
  }
  const { startTime = 0 } = options
  if (!(startTime >= 0 && startTime < endOfTime)) {
    throw new RangeError(`The startTime is ${startTime}. Set milliseconds since 1970, before the year 9999.`)
  }
  for (const name of Object.keys(leasts) as (keyof typeof leasts)[]) {
    const { [name]: value = leasts[name] } = options
    if (Number.isSafeInteger(value) && value >= leasts[name]) continue
    throw new RangeError(`${name} is ${value}. Set a whole number of at least ${leasts[name]}.`)
  }
}

/** Loads all scenarios. Importing them takes a while, so it happens on demand. */
async function scenarios() {
  return (await import('../mocks/scenarios/index.ts')).scenarios
}

function loadScenario(name: ScenarioName): Promise<Scenario> {
  if (!isScenarioName(name)) {
    throw new RangeError(`There is no scenario '${name}'. Use one of ${scenarioNames.join(', ')}.`)
  }
  return scenarios().then((all) => all[name])
}
