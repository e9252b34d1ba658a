import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import fc from 'fast-check'
import { expect } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { flawsOf, mustKeepContract, readContract } from '../support/contract.ts'
import { start } from '../support/service.ts'
import { type Choice, choices, draftOf, type Naming, Pool } from './calls.ts'
import { type Draft, type Mutations, mutations, requestOf } from './mutations.ts'

export interface CampaignOptions {
  readonly requests: number
  /** The same seed sends the same requests. */
  readonly seed: number
}

export interface CampaignFigures {
  /** Requests that were answered. */
  sent: number
  /** Answers by status. */
  readonly statuses: Record<number, number>
  /** Accepted requests of each call. */
  readonly accepted: Record<string, number>
  /** Memory in use after each quarter, after a reset, in MiB; empty if it cannot be measured. */
  readonly heapMiB: number[]
}

/** Requests between two resets. */
const batchSize = 100
/** Each batch begins with calls whose answers many others need. */
const flow = (['createWorkflow', 'requestUpload', 'putObject', 'confirmUpload', 'executeWorkflow'] as const).map(
  (id): [Choice, Mutations] => [{ id, key: 0, pick: 0 }, []],
)
const random = batchSize - flow.length
const origin = 'http://localhost'
/** Channels on which Node reports new connections and requests of its fetch. */
const callingOut = ['net.client.socket', 'undici:request:create', 'http.client.request.start']
const admin = readContract('src/contract/admin.yaml')
/**
 * Sends random and mutated requests to every call of the service and the admin API. Throws at the first wrong answer, and says
 * how to repeat it.
 */
export async function campaign({ requests, seed }: CampaignOptions): Promise<CampaignFigures> {
  const figures: CampaignFigures = { sent: 0, statuses: {}, accepted: {}, heapMiB: [] }
  const faults: unknown[] = []
  const note = (error: unknown) => faults.push(error)
  const mock = createMock({ startTime: start, clockSpeed: 0, admin: {}, onFault: note })
  process.on('unhandledRejection', note)
  // The mock must never open a connection itself.
  for (const channel of callingOut) subscribe(channel, note)
  // The lists contain the extremes already; the bias of the library towards them would leave out ordinary values.
  const steps = fc.noBias(fc.tuple(choices, mutations))
  const quarter = Math.ceil(requests / batchSize / 4)
  try {
    for (let batch = 0; batch * batchSize < requests; batch += 1) {
      mock.reset()
      const pool = new Pool()
      // A batch does not depend on earlier ones, so it can be repeated alone.
      for (const [choice, changes] of [...flow, ...fc.sample(steps, { seed: seed + batch, numRuns: random })]) {
        const draft = changes.reduce((before, change) => change(before), draftOf(choice, pool))
        try {
          await exchange(mock, draft, choice, pool, figures)
          expect(faults).toEqual([])
        } catch (error) {
          throw new Error(flawText(draft, seed + batch, error), { cause: error })
        }
      }
      expect(Object.keys(Object.prototype)).toEqual([])
      mock.reset()
      if ((batch + 1) % quarter === 0) figures.heapMiB.push(...heapInUse())
    }
  } finally {
    process.off('unhandledRejection', note)
    for (const channel of callingOut) unsubscribe(channel, note)
  }
  return figures
}

/** Returns a message with the request and the command that repeats it. */
function flawText({ method, path, headers, body }: Draft, seed: number, error: unknown): string {
  const sent = [`${method} ${path}`, JSON.stringify(headers), body ? new TextDecoder().decode(body).slice(0, 2000) : '']
  const why = error instanceof Error ? error.message : String(error)
  return `An answer was wrong: ${why}\nRepeat it with: npm run fuzz -- --seed ${seed} --requests ${batchSize}\n${sent.join('\n')}`
}

async function exchange(mock: Mock, draft: Draft, { id }: Choice, pool: Pool, figures: CampaignFigures) {
  const request = requestOf(draft, origin)
  const { method, url } = request
  const { pathname } = new URL(url)
  const response = await mock.fetch(request.clone())
  const { status } = response
  if (response.headers.get('Content-Type') === 'text/event-stream') return endStream(response, id, figures)
  count(figures, status)
  const text = await response.clone().text()
  limitLatencies(mock)
  await clearAnswers(mock)
  if (isAskedFor(response, text)) return
  expect(status, `${method} ${url}: ${text}`).toBeLessThan(500)
  if (pathname.startsWith('/__admin')) await admin.mustBeKept(method, pathname, response)
  else await mustKeepContract(request, response)
  if (status >= 400 && method !== 'HEAD') mustBeAnError(pathname, response, text)
  if (status < 300 && method !== 'OPTIONS') {
    accept(figures, id)
    if (id === 'getRequests' && text.includes('request_id')) pool.requestId = JSON.parse(text).requests[0].request_id
    if (method === 'POST' && text.startsWith('{')) remember(pool, pathname, JSON.parse(text))
  }
}

/** Reads the first message of a stream, which has no end. */
async function endStream(response: Response, id: string, figures: CampaignFigures): Promise<void> {
  const reader = response.body?.getReader()
  const message = new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  // HEAD has no body.
  if (reader) expect(message).toMatch(/^(event: changed\ndata: \{\}|: still here)\n\n$/)
  count(figures, response.status)
  accept(figures, id)
}

function count(figures: CampaignFigures, status: number): void {
  figures.sent += 1
  figures.statuses[status] = (figures.statuses[status] ?? 0) + 1
}

function accept({ accepted }: CampaignFigures, id: string): void {
  accepted[id] = (accepted[id] ?? 0) + 1
}

/** Returns true if the settings or a preference asked for this answer. */
function isAskedFor({ headers }: Response, text: string): boolean {
  return (
    headers.has('Preference-Applied') ||
    text.includes('"code":"injected-fault"') ||
    text.includes('<Message>The settings of the mock say so.</Message>')
  )
}

/** Fails unless an error has the documented format, even if the contract has no entry for its path. */
function mustBeAnError(pathname: string, { headers }: Response, text: string): void {
  const type = headers.get('Content-Type')
  if (pathname.startsWith('/storage/')) {
    expect([type, text]).toEqual([
      'application/xml',
      expect.stringMatching(/^<\?xml [^>]*\?>\n<Error><Code>\w+<\/Code>/),
    ])
    return
  }
  expect(type).toBe('application/problem+json')
  expect(flawsOf(admin.document.components.schemas.AdminProblem, JSON.parse(text))).toEqual([])
}

const naming: Record<string, Naming> = {
  '/api/v1/workflows': 'createWorkflow',
  '/api/v1/upload/': 'requestUpload',
  '/api/v1/upload/confirm': 'confirmUpload',
}

function remember(pool: Pool, pathname: string, json: unknown): void {
  const id = naming[pathname] ?? (pathname.endsWith('/execute') ? 'executeWorkflow' : undefined)
  if (id) pool.add(id, json)
}

/** Limits latencies: a mutated one of 50 s is valid, but waiting finds no faults. */
function limitLatencies({ tenants }: Mock): void {
  const quick = { minMs: 0, maxMs: 1 }
  const isSlow = ({ settings }: { settings: typeof tenants.settings }) => settings.latency.maxMs > 1
  if (isSlow(tenants)) tenants.setSettings({ ...tenants.settings, latency: quick })
  for (const world of tenants.heldWorlds()) if (isSlow(world)) world.setSettings({ ...world.settings, latency: quick })
}

/** Removes answers that wait for later calls. A mutated one may have any status and body, so that call would break the contract. */
async function clearAnswers(mock: Mock): Promise<void> {
  if (mock.waitingAnswers().length === 0) return
  const request = new Request(`${origin}/__admin/next-answers`, { method: 'DELETE' })
  expect((await mock.fetch(request)).status).toBe(204)
}

/** Returns the heap in use after a garbage collection in MiB, or an empty list without `--expose-gc`. */
function heapInUse(): number[] {
  if (!globalThis.gc) return []
  globalThis.gc()
  return [Math.round(process.memoryUsage().heapUsed / 1024 / 1024)]
}
