import {
  type GapId,
  gap,
  gapIds,
  type RequirementId,
  requirement,
  requirementIds,
} from '../../conformance/catalogue/catalogue.ts'
import { binds } from '../../conformance/judging/verdict.ts'
import { advice, meaning } from '../../conformance/report/advice.ts'
import { jsonText } from '../../conformance/report/json.ts'
import type { CheckResult, RunResult } from '../../conformance/report/result.ts'
import { tally } from '../../conformance/report/tally.ts'
import { prepareFolder, writeReports } from '../../conformance/report/write.ts'
import type { ScenarioName } from '../../mocks/scenarios/names.ts'
import { type RunningMock, type StartOptions, startMock } from '../node/start-mock.ts'
import { consoleFolder, docsFolder } from './built.ts'
import type { ConnectionFlags } from './options.ts'
import { type RunFlags, runPlan } from './plan.ts'
import { runSuite } from './run-suite.ts'
import { noteSecret, redactSecrets } from './secrets.ts'
import type { StartThread } from './thread.ts'

/** The most events in an answer. */
const mostEvents = 200
/** The most entries that a search for words returns. */
const mostFound = 10

/** A requirement or an open question, with its id. */
type Explained = ({ readonly requirement: string } | { readonly open_question: string }) & object

/** A call of a tool. */
export interface Call {
  /** Ends the work early. */
  readonly signal: AbortSignal
  /** Tells the agent how many requests were sent so far. */
  readonly onProgress: (sent: number) => void
}

/** The options of a run: the flags of the command line, and the folder for report.json and report.html. */
interface RunRequest extends Pick<RunFlags, 'url' | 'only' | 'skip' | 'level' | 'profile'> {
  /** @default no reports are written */
  readonly report_dir?: string
}

interface MockRequest extends Pick<StartOptions, 'port' | 'scenario' | 'approvers'> {
  readonly clock_speed?: number
  readonly rate_limit?: number
}

/** What concerns one tenant, or all of them. */
interface OfTenant {
  readonly key?: string
}

/** The parts of the command line that a session needs. */
interface McpSessionOptions {
  readonly start: StartThread
  readonly connection: ConnectionFlags
}

/** The work of an agent over one connection: a mock at most, and the last run of the suite. No result contains a key. */
export class McpSession {
  readonly #options: McpSessionOptions
  #mock: RunningMock | undefined
  #run: RunResult | undefined
  #isRunning = false

  constructor(options: McpSessionOptions) {
    this.#options = options
  }

  async startMock({ clock_speed: clockSpeed, rate_limit: rateLimit, ...options }: MockRequest) {
    if (this.#mock) throw new Error(`A mock is running at ${this.#mock.url}. Use it, or stop it with stop_mock.`)
    const mock = await startMock({
      ...options,
      ...(clockSpeed !== undefined && { clockSpeed }),
      ...(rateLimit !== undefined && { rateLimit }),
      ...{ docs: docsFolder, console: consoleFolder, graceMs: 1000 },
    })
    this.#mock = mock
    return {
      url: mock.url,
      console: `${mock.url}/`,
      docs: `${mock.url}/docs/`,
      keys: 'Send Authorization: and any text that starts with test_. Each key has a tenant of its own.',
    }
  }

  async stopMock() {
    const { url } = this.#requireMock()
    await this.close()
    return { stopped: url }
  }

  async loadScenario({ scenario, key }: OfTenant & { readonly scenario: ScenarioName }) {
    const mock = this.#requireMock()
    await mock.scenario(scenario, this.#noted(key))
    return { scenario, events: key === undefined ? undefined : mock.journal.read(key).length }
  }

  /** Moves the clock forward, and returns what happened meanwhile. */
  advanceClock({ duration, key }: OfTenant & { readonly duration: string }) {
    const { journal, advance } = this.#requireMock()
    const own = this.#noted(key)
    const before = journal.read(own).length
    advance(duration, own)
    const happened = journal.read(own).slice(before)
    return { advanced: duration, happened: happened.length, latest: happened.slice(-mostEvents) }
  }

  decide({ key, ...decision }: OfTenant & Parameters<RunningMock['decide']>[0]) {
    const { executionId, status } = this.#requireMock().decide(decision, this.#noted(key))
    return { execution_id: executionId, status }
  }

  /** Returns the latest events, `limit` at most. */
  readJournal({ key, type, limit }: OfTenant & { readonly type?: string; readonly limit: number }) {
    const all = this.#requireMock().journal.read(this.#noted(key))
    const found = all.filter((event) => type === undefined || event.type === type)
    return { events: found.length, latest: found.slice(-limit) }
  }

  /** Returns a requirement or an open question by its id, or those that contain all words of a text. */
  explain(text: string): { found: number; entries: readonly Explained[] } {
    const exact = entries.find(({ id }) => id === text)
    if (exact) return { found: 1, entries: [exact.entry] }
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    const found = entries.filter(({ words: known }) => words.every((word) => known.includes(word)))
    if (found.length === 0) {
      throw new Error(`Nothing is known about '${text.slice(0, 100)}'. Use an id from a report, or fewer words.`)
    }
    return { found: found.length, entries: found.slice(0, mostFound).map(({ entry }) => entry) }
  }

  /** Runs the suite, and returns what its report says in short. */
  async runConformance({ report_dir: reportDir, ...flags }: RunRequest, { signal, onProgress }: Call) {
    if (this.#isRunning) throw new Error('A run is in progress. Wait for its end, or cancel it.')
    const plan = await runPlan({ ...this.#options.connection, ...flags })
    if (reportDir !== undefined) await prepareFolder(reportDir)
    this.#isRunning = true
    let files: string[] = []
    try {
      await runSuite(
        plan,
        {
          onProgress: ({ sent }) => onProgress(sent),
          finish: async (run) => {
            this.#run = run
            if (reportDir !== undefined) files = await writeReports(['json', 'html'], reportDir, run)
            return run.verdict
          },
        },
        (task) => {
          const thread = this.#options.start(task)
          signal.addEventListener('abort', () => thread.postMessage('stop'), { once: true })
          return thread
        },
      )
    } finally {
      this.#isRunning = false
    }
    return { ...summaryOf(this.#requireRun()), ...(files.length > 0 && { files }) }
  }

  /** Returns the last run in short, or one of its checks with its requests and answers. */
  readReport(check?: string) {
    const run = this.#requireRun()
    if (check === undefined) {
      return { ...summaryOf(run), checks: Object.fromEntries(run.checks.map(({ id, verdict }) => [id, verdict])) }
    }
    const result = run.checks.find(({ id }) => id === check)
    if (!result) throw new Error(`The report has no check '${check.slice(0, 100)}'. Use an id from read_report.`)
    const { exchanges, ...rest } = result
    const sent = exchanges.slice(-5).flatMap((place) => run.exchanges[place] ?? [])
    return { ...rest, requirement: requirement(result.id), exchanges: sent }
  }

  /** Writes a result as JSON, without keys and with escapes for characters that are invisible or that a terminal interprets. */
  textOf(result: unknown): string {
    return this.withoutKeys(jsonText(result))
  }

  /** Redacts the keys of the environment, and those that the agent has sent. */
  withoutKeys(text: string): string {
    return redactSecrets(text)
  }

  async close(): Promise<void> {
    const mock = this.#mock
    this.#mock = undefined
    await mock?.close()
  }

  #requireMock(): RunningMock {
    if (!this.#mock) throw new Error('No mock is running. Start one with start_mock.')
    return this.#mock
  }

  #requireRun(): RunResult {
    if (!this.#run) throw new Error('There is no report yet. Run the suite with run_conformance.')
    return this.#run
  }

  #noted(key: string | undefined): string | undefined {
    if (key !== undefined) noteSecret(key)
    return key
  }
}

/** All requirements and open questions, with their words in lower case. */
const entries: readonly { readonly id: RequirementId | GapId; readonly entry: Explained; readonly words: string }[] = [
  ...requirementIds.map((id) => ({ id, entry: { requirement: id, ...requirement(id) } })),
  ...gapIds.map((id) => ({ id, entry: { open_question: id, ...gap(id) } })),
].map((one) => ({ ...one, words: JSON.stringify(one.entry).toLowerCase() }))

/** Returns the parts of a run that say what to do. */
function summaryOf(run: RunResult) {
  const { url, verdict, checks, gaps, leftBehind, notes, requests } = run
  const about = (wanted: (check: CheckResult) => boolean) =>
    checks.filter(wanted).map(({ id, message }) => ({ check: id, message }))
  const counts = Object.entries(tally(checks)).filter(([, count]) => count > 0)
  return {
    ...{ url, verdict, meaning: meaning(run), counts: Object.fromEntries(counts) },
    next: advice(run),
    failed: about((check) => check.verdict === 'fail' && binds(check)),
    undecided: about((check) => check.verdict === 'inconclusive' && binds(check)),
    warnings: about((check) => check.verdict === 'fail' && !binds(check)),
    different: gaps
      .filter(({ sameAsOurs }) => !sameAsOurs)
      .map(({ id, observed }) => ({ open_question: id, question: gap(id).question, here: observed })),
    ...{ left_behind: leftBehind.length, requests: requests.sent, notes },
  }
}
