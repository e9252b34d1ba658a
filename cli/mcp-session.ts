import { gap, gapIds, requirement, requirementIds } from '../conformance/catalogue/catalogue.ts'
import { binds } from '../conformance/judging/verdict.ts'
import { advice, meaning } from '../conformance/report/advice.ts'
import { jsonText } from '../conformance/report/json.ts'
import type { RunResult } from '../conformance/report/result.ts'
import { tally } from '../conformance/report/tally.ts'
import { type CheckView, viewOf } from '../conformance/report/view.ts'
import { prepareFolder, writeReports } from '../conformance/report/write.ts'
import { reasonOf } from '../src/node/journal/errors.ts'
import { type RunningMock, startMock } from '../src/node/start-mock.ts'
import { consoleFolder, docsFolder } from './built.ts'
import type { Agent, Handlers, ToolCall } from './mcp-server.ts'
import type { ConnectionFlags } from './options.ts'
import { type RunFlags, runPlan } from './plan.ts'
import type { Reporting } from './reporting.ts'
import { runSuite } from './run-suite.ts'
import { noteSecret, redactSecrets } from './secrets.ts'
import type { StartThread } from './thread.ts'

/** The most events in an answer. */
const mostEvents = 200
/** The most entries that a search for words returns. */
const mostFound = 10

/** The parts of the command line that a session needs. */
interface McpSessionOptions {
  readonly start: StartThread
  readonly connection: ConnectionFlags
}

/** The work of an agent over one connection: a mock at most, and the last run of the suite. No result contains a key. */
export class McpSession implements Agent {
  readonly #options: McpSessionOptions
  #mock: RunningMock | undefined
  #run: RunResult | undefined
  #isRunning = false

  constructor(options: McpSessionOptions) {
    this.#options = options
  }

  /** What each tool does. */
  readonly #handlers: Handlers = {
    start_mock: async ({ clock_speed: clockSpeed, rate_limit: rateLimit, ...options }) => {
      if (this.#mock) throw new Error(`A mock is running at ${this.#mock.url}. Use it, or stop it with stop_mock.`)
      this.#mock = await startMock({
        ...{ ...options, docs: docsFolder, console: consoleFolder, graceMs: 1000 },
        ...(clockSpeed !== undefined && { clockSpeed }),
        ...(rateLimit !== undefined && { rateLimit }),
      })
      const { url } = this.#mock
      return {
        ...{ url, console: `${url}/`, docs: `${url}/docs/` },
        keys: 'Send Authorization: and any text that starts with test_. Each key has a tenant of its own.',
      }
    },
    stop_mock: async () => {
      const { url } = this.#requireMock()
      await this.close()
      return { stopped: url }
    },
    load_scenario: async ({ scenario, key }) => {
      const mock = this.#requireMock()
      await mock.scenario(scenario, key)
      return { scenario, events: key === undefined ? undefined : mock.journal.read(key).length }
    },
    advance_clock: ({ duration, key }) => {
      const { journal, advance } = this.#requireMock()
      const before = journal.read(key).length
      advance(duration, key)
      const happened = journal.read(key).slice(before)
      return { advanced: duration, happened: happened.length, latest: happened.slice(-mostEvents) }
    },
    decide: ({ key, ...decision }) => {
      const { executionId, status } = this.#requireMock().decide(decision, key)
      return { execution_id: executionId, status }
    },
    read_journal: ({ key, type, limit }) => {
      const all = this.#requireMock().journal.read(key)
      const found = all.filter((event) => type === undefined || event.type === type)
      return { events: found.length, latest: found.slice(-limit) }
    },
    explain: ({ about }) => explained(about),
    run_conformance: ({ report_dir, ...flags }, call) => this.#runConformance(flags, report_dir, call),
    read_report: ({ check }) => {
      const run = this.#requireRun()
      if (check !== undefined) return checkIn(run, check)
      return { ...summaryOf(run), checks: Object.fromEntries(run.checks.map(({ id, verdict }) => [id, verdict])) }
    },
  }

  async call<Name extends keyof Handlers>(name: Name, input: Parameters<Handlers[Name]>[0], call: ToolCall) {
    // Any answer may repeat the key.
    if ('key' in input && typeof input.key === 'string') noteSecret(input.key)
    const handler: (input: never, call: ToolCall) => unknown = this.#handlers[name]
    try {
      return { text: this.withoutKeys(jsonText(await handler(input as never, call))), isError: false }
    } catch (error) {
      return { text: this.withoutKeys(reasonOf(error)), isError: true }
    }
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

  /** Runs the suite, and returns what its report says in short. */
  async #runConformance(flags: RunFlags, reportDir: string | undefined, { signal, onProgress }: ToolCall) {
    if (this.#isRunning) throw new Error('A run is in progress. Wait for its end, or cancel it.')
    const plan = await runPlan({ ...this.#options.connection, ...flags })
    if (reportDir !== undefined) await prepareFolder(reportDir)
    let files: string[] = []
    const reporting: Reporting = {
      onProgress: ({ sent }) => onProgress(sent),
      finish: async (run) => {
        this.#run = run
        if (reportDir !== undefined) files = await writeReports(['json', 'html'], reportDir, run)
        return run.verdict
      },
    }
    this.#isRunning = true
    try {
      await runSuite(plan, reporting, (task) => {
        const thread = this.#options.start(task)
        signal.addEventListener('abort', () => thread.postMessage('stop'), { once: true })
        return thread
      })
    } finally {
      this.#isRunning = false
    }
    return { ...summaryOf(this.#requireRun()), ...(files.length > 0 && { files }) }
  }

  #requireMock(): RunningMock {
    if (!this.#mock) throw new Error('No mock is running. Start one with start_mock.')
    return this.#mock
  }

  #requireRun(): RunResult {
    if (!this.#run) throw new Error('There is no report yet. Run the suite with run_conformance.')
    return this.#run
  }
}

/** Returns a check of a run, with its last requests and answers. */
function checkIn({ checks, exchanges: all }: RunResult, check: string) {
  const result = checks.find(({ id }) => id === check)
  if (!result) throw new Error(`The report has no check '${check.slice(0, 100)}'. Use an id from read_report.`)
  const { exchanges, ...rest } = result
  const sent = exchanges.slice(-5).flatMap((place) => all[place] ?? [])
  return { ...rest, requirement: requirement(result.id), exchanges: sent }
}

/** Returns a requirement or an open question by its id, or those that contain all words of a text. */
function explained(text: string) {
  const exact = entries.find(({ id }) => id === text)
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = exact ? [exact] : entries.filter(({ words: known }) => words.every((word) => known.includes(word)))
  if (found.length === 0) {
    throw new Error(`Nothing is known about '${text.slice(0, 100)}'. Use an id from a report, or fewer words.`)
  }
  return { found: found.length, entries: found.slice(0, mostFound).map(({ entry }) => entry) }
}

/** All requirements and open questions, with their words in lower case. */
const entries = [
  ...requirementIds.map((id) => ({ id, entry: { requirement: id, ...requirement(id) } })),
  ...gapIds.map((id) => ({ id, entry: { open_question: id, ...gap(id) } })),
].map((one) => ({ ...one, words: JSON.stringify(one.entry).toLowerCase() }))

/** Returns the parts of a run that say what to do. */
function summaryOf(run: RunResult) {
  const view = viewOf(run)
  const { url, verdict, checks, differing, leftBehind, notes, requests } = view
  const about = (wanted: (check: CheckView) => boolean) =>
    checks.filter(wanted).map(({ id, message }) => ({ check: id, message }))
  const counts = Object.entries(tally(checks)).filter(([, count]) => count > 0)
  return {
    ...{ url, verdict, meaning: meaning(view), counts: Object.fromEntries(counts) },
    next: advice(view),
    failed: about(({ standing }) => standing === 'fail'),
    undecided: about((check) => check.verdict === 'inconclusive' && binds(check)),
    warnings: about(({ standing }) => standing === 'warning'),
    different: differing.map(({ id, observed }) => ({ open_question: id, question: gap(id).question, here: observed })),
    ...{ left_behind: leftBehind.length, requests: requests.sent, notes },
  }
}
