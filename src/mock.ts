import { isScenarioName, type ScenarioName, scenarioNames } from '../mocks/scenarios/names.ts'
import type { OperationId } from './contract/operations.ts'
import type { Execution } from './domain/approval/execution.ts'
import type { AdminGuardOptions } from './http/admin/admin-guard.ts'
import { createApp } from './http/app.ts'
import type { App, Incoming } from './http/wire/exchange.ts'
import { type Fetch, toFetch } from './http/wire/fetch.ts'
import { type NextAnswer, NextAnswers, type WaitingAnswer } from './http/wire/next-answers.ts'
import { RequestLog } from './http/wire/request-log.ts'
import { requireKnownOptions } from './known-options.ts'
import { Steering, type StepDecision, type TenantEvent } from './steering/steering.ts'
import { version } from './version.gen.ts'
import type { ApproverMode } from './world/approvers.ts'
import type { Archive } from './world/archive.ts'
import { endOfTime, mustBeSpeed } from './world/clock.ts'
import { plain } from './world/journal.ts'
import type { CreateHasher } from './world/objects.ts'
import type { Scenario } from './world/scenario.ts'
import { mustBeSound, type Settings } from './world/settings.ts'
import { Tenants } from './world/tenants.ts'

export interface MockOptions {
  /**
   * The same seed gives the same identifiers and the same signing secret, so whoever knows it can forge upload URLs.
   * @default '1' for identifiers, and a secret that is drawn at random
   */
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
  /** What upload URLs begin with, or a function of the origin that was called. @default that origin */
  readonly storageOrigin?: string | ((called: string) => string)
  /** What every world begins with: one of ours, by its name, or one of your own. @default 'empty' */
  readonly scenario?: ScenarioName | Scenario
  /** Keeps journals and objects beyond the life of the mock. @default nothing is kept */
  readonly archive?: Archive
  /** The admin API under `/__admin`, and whom it trusts. @default none */
  readonly admin?: AdminGuardOptions
  /** Whether pages on other origins may call it. @default true */
  readonly cors?: boolean
  /** Computes SHA-256. @default a portable one */
  readonly hasher?: CreateHasher
  /** Bytes of objects that are kept in memory; of others there are only size and digest. @default 64 MiB */
  readonly maxStoredBytes?: number
  /**
   * Memory for workflows, executions, upload sessions and keys, in bytes, by estimate. Creating more is answered with 507; reading,
   * deciding and resetting go on. @default 512 MiB; in `startMock`, half of what Node may use
   */
  readonly maxMemoryBytes?: number
  /** Told of errors that are the mock's own fault. @default nobody */
  readonly onFault?: (error: unknown) => void
}

/** The names of all options, for the compiler to keep complete. */
export const mockOptionNames: Readonly<Record<keyof MockOptions, true>> = {
  seed: true,
  approvers: true,
  latency: true,
  clockSpeed: true,
  startTime: true,
  maxUploadBytes: true,
  maxExecutions: true,
  storageOrigin: true,
  scenario: true,
  archive: true,
  admin: true,
  cors: true,
  hasher: true,
  maxStoredBytes: true,
  maxMemoryBytes: true,
  onFault: true,
}

/** The reference: a service and its storage in one function, with state for each API key. */
export interface Mock {
  /** Answers requests for the service and for storage. */
  readonly fetch: Fetch
  /** The same for whoever needs no `Request`; each part alone where storage has an origin of its own. */
  readonly apps: { readonly both: App; readonly service: App; readonly storage: App }
  /** Resolves when the scenario of the options has been loaded. Requests wait for it by themselves. */
  readonly ready: Promise<void>
  readonly tenants: Tenants
  /** Takes state, clock and settings back to the start: those of a key, or all. */
  /** Takes state, clock and settings back to the start; those of a key, to what new worlds begin with. */
  reset(key?: string): void
  /**
   * Moves the clock forward, by milliseconds or an ISO 8601 duration such as `PT2H`. Whatever is due by then has happened,
   * in order, when it returns. Throws a `RangeError`.
   */
  advance(duration: number | string, key?: string): void
  /** Lets the time go so many times faster than the real time from now on; 0 stands still. Throws a `RangeError`. */
  setSpeed(speed: number, key?: string): void
  /** Changes how the mock behaves. Settings that are left out go back to what the mock was started with. Throws a `RangeError`. */
  setSettings(settings: Partial<Settings>, key?: string): void
  /** Decides a step as an approver; returns the execution as it is then. Throws a `DomainError`. */
  decide(decision: StepDecision, key?: string): Execution
  /**
   * Replaces the answer to the next call of an operation, or to the next `times` calls: of any key, or of the one given. They are
   * not carried out. Throws a `RangeError` if the answer cannot be given.
   *
   * @example
   * mock.next('executeWorkflow', { status: 503, headers: { 'Retry-After': '1' } })
   * mock.next('confirmUpload', { connection: 'broken' })
   */
  next(operationId: OperationId, answer: NextAnswer, key?: string): void
  /** Returns the answers of `next` that still wait for their calls: all, or those for the calls of a key. */
  waitingAnswers(key?: string): readonly WaitingAnswer[]
  /** Begins anew with a scenario: the world of a key, or all of them and those to come. */
  scenario(scenario: ScenarioName | Scenario, key?: string): Promise<void>
  /** What has happened, in every world or in that of a key. */
  readonly journal: { read(key?: string): readonly TenantEvent[] }
}

/**
 * Makes a mock that needs no port: give its `fetch` to whatever calls the API. Throws a `RangeError` on an option that cannot
 * be meant.
 */
export function createMock(options: MockOptions = {}): Mock {
  requireKnownOptions(options, mockOptionNames)
  return buildMock(options)
}

/** Does what `createMock` does, and ignores options that it does not know. */
export function buildMock(options: MockOptions): Mock {
  mustBeUsable(options)
  const {
    seed = '1',
    approvers = 'auto',
    maxUploadBytes = 100 * 1024 * 1024,
    storageOrigin,
    scenario = 'empty',
  } = options
  const tenants = new Tenants({
    seed: String(seed),
    ...(options.seed !== undefined && { secret: String(seed) }),
    clockSpeed: options.clockSpeed ?? 1,
    settings: { approvers, ...(options.latency && { latency: options.latency }) },
    ...(options.startTime !== undefined && { startTime: options.startTime }),
    ...(typeof scenario === 'object' && { scenario }),
    ...(options.hasher && { hasher: options.hasher }),
    ...(options.maxStoredBytes !== undefined && { maxStoredBytes: options.maxStoredBytes }),
    ...(options.maxMemoryBytes !== undefined && { maxMemoryBytes: options.maxMemoryBytes }),
    ...(options.maxExecutions !== undefined && { maxExecutions: options.maxExecutions }),
    ...(options.archive && { archive: options.archive }),
  })
  mustBeSound(tenants.firstSettings)
  const log = new RequestLog()
  const nextAnswers = new NextAnswers()
  const steering = new Steering(tenants, (tenantId) => {
    log.clear(tenantId)
    nextAnswers.clear(tenantId)
  })
  const tenantOf = (key?: string) => (key === undefined ? undefined : tenants.idOf(key))
  const originFor = typeof storageOrigin === 'function' ? storageOrigin : (called: string) => storageOrigin ?? called
  const shared = {
    tenants,
    log,
    nextAnswers,
    ...(options.admin && { admin: { ...options.admin, tenants, log, nextAnswers, steering, scenarios, version } }),
    maxUploadBytes,
    storageOrigin: ({ origin }: Incoming) => originFor(origin),
    cors: options.cors ?? true,
    onFault: options.onFault ?? (() => {}),
  }
  const loading = typeof scenario === 'object' || scenario === 'empty' ? undefined : loadScenario(scenario)
  if (!loading) tenants.restore()
  const loaded = loading?.then((first) => {
    tenants.startWith(first)
    tenants.restore()
  })
  const ready = loaded ?? Promise.resolve()
  ready.catch(reportedByEachRequest)
  const whenReady = (app: App): App => (loading ? (incoming) => ready.then(() => app(incoming)) : app)
  const apps = {
    both: whenReady(createApp({ ...shared, part: 'both' })),
    service: whenReady(createApp({ ...shared, part: 'service' })),
    storage: whenReady(createApp({ ...shared, part: 'storage' })),
  }
  return {
    fetch: toFetch(apps.both),
    apps,
    ready,
    tenants,
    reset: (key) => tenants.atOnce(() => steering.reset(key)),
    advance: (duration, key) => tenants.atOnce(() => steering.advance(duration, key)),
    setSpeed: (speed, key) => tenants.atOnce(() => steering.setSpeed(speed, key)),
    setSettings: (settings, key) => tenants.atOnce(() => steering.setSettings(settings, key)),
    decide: (decision, key) => tenants.atOnce(() => steering.decide(decision, key)),
    next: (operationId, answer, key) => nextAnswers.add(operationId, answer, tenantOf(key)),
    waitingAnswers: (key) => nextAnswers.list(tenantOf(key)),
    async scenario(wanted, key) {
      await steering.load(typeof wanted === 'object' ? wanted : await loadScenario(wanted), key)
    },
    journal: {
      read: (key) =>
        tenants.atOnce(() => steering.latest(key)).map(({ event, tenantId }) => ({ ...plain(event), tenantId })),
    },
  }
}

/** Prevents an unhandled rejection. No error is lost: each request waits for `ready` and rejects with it. */
function reportedByEachRequest(): void {}

/** The lowest value of each numeric option. For executions, that is the number that the details list. */
const leasts = { maxUploadBytes: 0, maxStoredBytes: 0, maxMemoryBytes: 0, maxExecutions: 20 } as const

function mustBeUsable(options: MockOptions): void {
  mustBeSpeed(options.clockSpeed ?? 1)
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
