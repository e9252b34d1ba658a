import { gap, gapIds, requirement, requirementIds } from '../../conformance/catalogue/catalogue.ts'
import { binds } from '../../conformance/judging/verdict.ts'
import { advice, meaning } from '../../conformance/report/advice.ts'
import { jsonText } from '../../conformance/report/json.ts'
import type { RunResult } from '../../conformance/report/result.ts'
import { tally } from '../../conformance/report/tally.ts'
import { type CheckView, viewOfRun } from '../../conformance/report/view.ts'
import { prepareFolder, writeReports } from '../../conformance/report/write.ts'
import { reasonOf } from '../../src/node/journal/errors.ts'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import { version } from '../../src/version.gen.ts'
import { built, consoleFolder, docsFolder } from '../built.ts'
import { exit } from '../exit.ts'
import type { ConnectionFlags } from '../options.ts'
import { runPlan } from '../plan.ts'
import { runSuite } from '../run-suite.ts'
import { noteSecret, redactSecrets } from '../secrets.ts'
import type { StartThread } from '../thread.ts'
import type { Agent, Handlers, ToolCall } from './mcp-server.ts'

/** The most events in an answer. */
const mostEvents = 200
/** The most entries that a search for words returns. */
const mostFound = 10

/** Serves the mock and the suite to an agent, until its input ends, and returns the exit code. */
export async function serveAgent(
  connection: ConnectionFlags,
  _: readonly string[],
  start: StartThread,
): Promise<number> {
  const { close, ...mockTools } = toolsOfMock()
  const handlers = { ...mockTools, ...toolsOfSuite(connection, start), explain: explained }
  // The build bundles this file with its packages, which are not installed with ours.
  const { serve } = (await import(built('cli/agents/mcp-server.js').href)) as typeof import('./mcp-server.ts')
  await serve(answersOf(handlers), version)
  await close()
  return exit.ok
}

/** Returns the handler of tool calls. Its results contain no API key, neither from the environment nor from the agent. */
function answersOf(handlers: Handlers): Agent {
  return {
    withoutKeys: redactSecrets,
    async call(name, input, call) {
      // Any answer may repeat the key.
      if ('key' in input && typeof input.key === 'string') noteSecret(input.key)
      const handler: (input: never, call: ToolCall) => unknown = handlers[name]
      try {
        return { text: redactSecrets(jsonText(await handler(input as never, call))), isError: false }
      } catch (error) {
        return { text: redactSecrets(reasonOf(error)), isError: true }
      }
    },
  }
}

/** Returns what the tools of the mock do, of which a connection has at most one, and what stops it. */
function toolsOfMock() {
  let mock: RunningMock | undefined
  const running = () => mock ?? refuse('No mock is running. Start one with start_mock.')
  const close = async () => {
    const stopped = mock
    mock = undefined
    await stopped?.close()
  }
  return {
    close,
    start_mock: async ({ clock_speed: clockSpeed, rate_limit: rateLimit, ...options }) => {
      if (mock) refuse(`A mock is running at ${mock.url}. Use it, or stop it with stop_mock.`)
      mock = await startMock({
        ...options,
        docs: docsFolder,
        console: consoleFolder,
        graceMs: 1000,
        ...(clockSpeed !== undefined && { clockSpeed }),
        ...(rateLimit !== undefined && { rateLimit }),
      })
      const { url } = mock
      const keys = 'Send Authorization: and any text that starts with test_. Each key has a tenant of its own.'
      return { url, console: `${url}/`, docs: `${url}/docs/`, keys }
    },
    stop_mock: async () => {
      const { url } = running()
      await close()
      return { stopped: url }
    },
    load_scenario: async ({ scenario, key }) => {
      const { scenario: load, journal } = running()
      await load(scenario, key)
      return { scenario, events: key === undefined ? undefined : journal.read(key).length }
    },
    advance_clock: ({ duration, key }) => {
      const { journal, advance } = running()
      const before = journal.read(key).length
      advance(duration, key)
      const happened = journal.read(key).slice(before)
      return { advanced: duration, happened: happened.length, latest: happened.slice(-mostEvents) }
    },
    decide: ({ key, ...decision }) => {
      const { executionId, status } = running().decide(decision, key)
      return { execution_id: executionId, status }
    },
    read_journal: ({ key, type, limit }) => {
      const all = running().journal.read(key)
      const found = all.filter((event) => type === undefined || event.type === type)
      return { events: found.length, latest: found.slice(-limit) }
    },
  } satisfies Partial<Handlers> & { close: unknown }
}

/** Returns what the tools of the suite do with the last run over a connection. */
function toolsOfSuite(connection: ConnectionFlags, start: StartThread) {
  let run: RunResult | undefined
  let isRunning = false
  const reported = () => run ?? refuse('There is no report yet. Run the suite with run_conformance.')
  return {
    run_conformance: async ({ report_dir: folder, ...flags }, { signal, onProgress }) => {
      if (isRunning) refuse('A run is in progress. Wait for its end, or cancel it.')
      const plan = await runPlan({ ...connection, ...flags })
      if (folder !== undefined) await prepareFolder(folder)
      isRunning = true
      try {
        run = await runSuite(plan, { onProgress: ({ sent }) => onProgress(sent) }, (task) => {
          const thread = start(task)
          signal.addEventListener('abort', () => thread.postMessage('stop'), { once: true })
          return thread
        })
      } finally {
        isRunning = false
      }
      const files = folder === undefined ? undefined : await writeReports(['json', 'html'], folder, run)
      return { ...summaryOf(run), ...(files && { files }) }
    },
    read_report: ({ check }) => {
      const result = reported()
      if (check !== undefined) return checkIn(result, check)
      const checks = Object.fromEntries(result.checks.map(({ id, verdict }) => [id, verdict]))
      return { ...summaryOf(result), checks }
    },
  } satisfies Partial<Handlers>
}

function refuse(why: string): never {
  throw new Error(why)
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
function explained({ about: text }: { readonly about: string }) {
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
  const view = viewOfRun(run)
  const { url, verdict, checks, differing, leftBehind, notes, requests } = view
  const about = (wanted: (check: CheckView) => boolean) =>
    checks.filter(wanted).map(({ id, message }) => ({ check: id, message }))
  const counts = Object.entries(tally(checks)).filter(([, count]) => count > 0)
  return {
    url,
    verdict,
    meaning: meaning(view),
    counts: Object.fromEntries(counts),
    next: advice(view),
    failed: about(({ standing }) => standing === 'fail'),
    undecided: about((check) => check.verdict === 'inconclusive' && binds(check)),
    warnings: about(({ standing }) => standing === 'warning'),
    different: differing.map(({ id, observed }) => ({ open_question: id, question: gap(id).question, here: observed })),
    left_behind: leftBehind.length,
    requests: requests.sent,
    notes,
  }
}
