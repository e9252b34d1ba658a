import { appendFile } from 'node:fs/promises'
import { requirement } from '../conformance/catalogue/catalogue.ts'
import { applyBaseline, type BaselineEntry, BaselineError, readBaseline } from '../conformance/judging/baseline.ts'
import { checks } from '../conformance/judging/checks.ts'
import { judgeNeeds } from '../conformance/reads/needs.ts'
import { githubAnnotations, githubSummary } from '../conformance/report/github.ts'
import { sectionName } from '../conformance/report/sections.ts'
import { prepareFolder, writeReports } from '../conformance/report/write.ts'
import { defaultMaxRequests } from '../conformance/wire/transport.ts'
import { reasonOf } from '../src/node/journal/errors.ts'
import { version } from '../src/version.gen.ts'
import { exit, exitWithNeeds, UsageError } from './exit.ts'
import { type JsonKind, readAs } from './input.ts'
import type { Flags } from './options.ts'
import { type RunPlan, runPlan } from './plan.ts'
import { readReads } from './reads.ts'
import { runSuite } from './run-suite.ts'
import { shownOn } from './shown.ts'
import type { StartThread } from './thread.ts'

/**
 * Runs the suite on a deployment, applies the baseline, writes the reports, and returns the exit code. Throws a `UsageError` for a
 * wrong profile or baseline, and an error if the folder cannot be written.
 */
export async function checkDeployment(
  flags: Flags<'conformance'>,
  _: readonly string[],
  start: StartThread,
): Promise<number> {
  const { report, reportDir, baseline, verbose = false } = flags
  const creator = { name: 'countersign', version }
  const plan = { ...(await runPlan(flags)), ...(report.includes('har') && { recordAs: creator }) }
  if (flags.dryRun) {
    process.stdout.write(`${planText(plan)}\n`)
    return exit.undecided
  }
  const read = flags.reads && (await readReads(flags.reads))
  // Set at the start, so that no entry expires during a run past midnight.
  const today = new Date().toISOString().slice(0, 10)
  const entries = baseline === undefined ? [] : await readAs(baseline, baselineFile)
  await prepareFolder(reportDir)
  const shown = shownOn(process.stdout)
  const run = await runSuite(plan, shown, start)
  const needs = read && judgeNeeds(read.places, run, run.findings)
  const { result, ...outcome } = applyBaseline({ ...run, ...(needs && { reads: needs }) }, entries, today)
  let files: string[] = []
  try {
    files = await writeReports(report, reportDir, result, outcome)
    await appendSummary(githubSummary(result, outcome))
  } finally {
    // The verdict is printed even if the reports cannot be written.
    shown.end(result, { baseline: outcome, files, verbose })
    if (process.env.GITHUB_ACTIONS === 'true') process.stdout.write(githubAnnotations(result, outcome))
  }
  if (run.profileFlaws) {
    throw new UsageError(`The profile ${flags.profile} is wrong: ${run.profileFlaws.join(' ')} Correct or remove it.`)
  }
  return exitWithNeeds(result.verdict, needs)
}

/** Describes what a run would do, for `--dry-run`. */
function planText({ url, selected, perSecond, maxRequests = defaultMaxRequests }: RunPlan): string {
  const chosen = checks.filter(({ id }) => selected.includes(id))
  const pace = perSecond === undefined ? 'without a rate limit' : `at most ${perSecond} per second`
  return [
    `${chosen.length} of ${checks.length} checks would run against ${url}, with at most ${maxRequests} requests, ${pace}.`,
    'They would create workflows, executions and documents named conformance-…, which the API cannot delete.',
    ...chosen.map(({ id }) => `  ${id} (${sectionName(requirement(id).section)}): ${requirement(id).fact}`),
  ].join('\n')
}

const baselineFile: JsonKind<BaselineEntry[]> = {
  what: 'The baseline',
  advice: 'Name a JSON file with --baseline.',
  read: readBaseline,
  refusal: BaselineError,
}

async function appendSummary(text: string): Promise<void> {
  const path = process.env.GITHUB_STEP_SUMMARY
  if (!path) return
  try {
    await appendFile(path, text)
  } catch (error) {
    throw new Error(`The summary cannot be written: ${reasonOf(error)}. Correct or unset GITHUB_STEP_SUMMARY.`)
  }
}
