import { appendFile } from 'node:fs/promises'
import { applyBaseline, type BaselineEntry, BaselineError, readBaseline } from '../conformance/judging/baseline.ts'
import type { RunVerdict } from '../conformance/judging/verdict.ts'
import { githubAnnotations, githubSummary } from '../conformance/report/github.ts'
import type { Progress } from '../conformance/report/progress.ts'
import type { RunResult } from '../conformance/report/result.ts'
import { prepareFolder, writeReports } from '../conformance/report/write.ts'
import { reasonOf } from '../src/node/journal/errors.ts'
import { type JsonKind, readAs } from './input.ts'
import type { Flags } from './options.ts'
import { shownOn } from './shown.ts'

/** Receives the progress of a run, and its results. */
export interface Reporting extends Pick<Progress, 'onProgress'> {
  /** Applies the baseline and writes the reports. Returns the verdict. */
  finish(run: RunResult): Promise<RunVerdict>
}

/**
 * Prepares the reporting of a run, before any request. Throws a `UsageError` if the baseline cannot be used, or an error if the
 * folder cannot be written.
 */
export async function prepareReporting(flags: Flags<'conformance'>): Promise<Reporting> {
  const { report, reportDir, baseline, verbose = false } = flags
  // Set at the start, so that no entry expires during a run past midnight.
  const today = new Date().toISOString().slice(0, 10)
  const entries = baseline === undefined ? [] : await readAs(baseline, baselineFile)
  await prepareFolder(reportDir)
  const shown = shownOn(process.stdout)
  return {
    onProgress: shown.onProgress,
    async finish(run) {
      const { result, ...outcome } = applyBaseline(run, entries, today)
      let files: string[] = []
      try {
        files = await writeReports(report, reportDir, result, outcome)
        await appendSummary(githubSummary(result, outcome))
      } finally {
        // The verdict is printed even if the reports cannot be written.
        shown.end(result, { baseline: outcome, files, verbose })
        if (process.env.GITHUB_ACTIONS === 'true') process.stdout.write(githubAnnotations(result, outcome))
      }
      return result.verdict
    },
  }
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
