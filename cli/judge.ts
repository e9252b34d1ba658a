import { statSync } from 'node:fs'
import { join } from 'node:path'
import { judgeReport, ReportError } from '../conformance/report/read-report.ts'
import { showHidden } from '../conformance/wire/inert.ts'
import { exit, exitWithNeeds, UsageError } from './exit.ts'
import { type JsonKind, readAs } from './input.ts'
import type { Flags } from './options.ts'
import { redactSecrets } from './secrets.ts'
import { shownOn } from './shown.ts'

/** The exit codes, the worst first. The worst of several reports counts. */
const worstFirst: readonly number[] = [exit.usage, exit.couldNotRun, exit.nonconforming, exit.undecided, exit.ok]

/** Judges reports again, prints the results, and returns the exit code. Paths name reports, or folders that contain one. */
export async function judgeReports(flags: Flags<'judge'>, paths: readonly string[]): Promise<number> {
  const codes: number[] = []
  for (const path of paths) {
    try {
      codes.push(await judgeFile(path, flags))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      process.stderr.write(`${redactSecrets(error.message)}\n`)
      codes.push(exit.usage)
    }
  }
  return worstFirst.find((code) => codes.includes(code)) ?? exit.usage
}

/** A report of the suite. */
export const reportFile: JsonKind<ReturnType<typeof judgeReport>> = {
  what: 'The report',
  advice: 'Name a complete report.json, or the folder that contains it.',
  read: judgeReport,
  refusal: ReportError,
  useless: 'cannot be judged',
}

/** Returns the path of the report in a folder, or the path itself. */
export function reportAt(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'report.json') : path
}

async function judgeFile(path: string, flags: Flags<'judge'>): Promise<number> {
  const file = reportAt(path)
  const { result, recorded } = await readAs(file, reportFile)
  shownOn(process.stdout).end(result, flags)
  if (recorded !== result.verdict) {
    process.stdout.write(
      `The report itself says ${showHidden(recorded)}. A baseline or another version of the suite causes the difference.\n`,
    )
  }
  if (result.profileFlaws) {
    const flaws = result.profileFlaws.map(showHidden).join(' ')
    throw new UsageError(
      `The profile that ${file} was recorded with is wrong: ${flaws} Correct or remove it, and run again.`,
    )
  }
  return exitWithNeeds(result.verdict, result.reads)
}
