import { appendFile } from 'node:fs/promises'
import { applyBaseline, type BaselineEntry, BaselineError, readBaseline } from '../../conformance/judging/baseline.ts'
import type { RunVerdict } from '../../conformance/judging/verdict.ts'
import { githubAnnotations, githubSummary } from '../../conformance/report/github.ts'
import type { ReportKind } from '../../conformance/report/kinds.ts'
import { type Progress, progress } from '../../conformance/report/progress.ts'
import type { RunResult } from '../../conformance/report/result.ts'
import { prepareFolder, writeReports } from '../../conformance/report/write.ts'
import { UsageError } from './exit.ts'
import { readInputJson } from './input-file.ts'

/** The flags for the reports of a run. */
export interface ReportFlags {
  readonly report: readonly ReportKind[]
  readonly reportDir: string
  readonly baseline?: string
  readonly verbose?: boolean
}

/** Receives the progress of a run, and its results. */
export interface Reporting extends Pick<Progress, 'onProgress'> {
  /** Applies the baseline and writes the reports. Returns the verdict. */
  finish(run: RunResult): Promise<RunVerdict>
}

/** Returns true if a stream can rewrite lines (`tty`) and show colours. */
export function terminalOf({ isTTY = false }: { readonly isTTY?: boolean }): { tty: boolean; colour: boolean } {
  const tty = isTTY && process.env.TERM !== 'dumb'
  return { tty, colour: tty && !process.env.NO_COLOR }
}

/**
 * Prepares the reporting of a run, before any request. Throws a `UsageError` if the baseline cannot be used, or an error if the
 * folder cannot be written.
 */
export async function prepareReporting({
  report,
  reportDir,
  baseline,
  verbose = false,
}: ReportFlags): Promise<Reporting> {
  // Set at the start, so that no entry expires during a run past midnight.
  const today = new Date().toISOString().slice(0, 10)
  const entries = baseline === undefined ? [] : await entriesOf(baseline)
  await prepareFolder(reportDir)
  const shown = progress(process.stdout, terminalOf(process.stdout))
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

async function entriesOf(path: string): Promise<BaselineEntry[]> {
  const json = await readInputJson(path, { what: 'The baseline', advice: 'Name a JSON file with --baseline.' })
  try {
    return readBaseline(json)
  } catch (error) {
    if (error instanceof BaselineError) throw new UsageError(error.message)
    throw error
  }
}

async function appendSummary(text: string): Promise<void> {
  const path = process.env.GITHUB_STEP_SUMMARY
  if (!path) return
  try {
    await appendFile(path, text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The summary cannot be written: ${why}. Correct or unset GITHUB_STEP_SUMMARY.`)
  }
}
