import { statSync } from 'node:fs'
import { join } from 'node:path'
import { progress } from '../../conformance/report/progress.ts'
import { judgeReport, ReportError } from '../../conformance/report/read-report.ts'
import { showHidden } from '../../conformance/wire/inert.ts'
import { exit, exitWithNeeds, UsageError } from './exit.ts'
import { readInputJson } from './input-file.ts'
import { terminalOf } from './reporting.ts'
import { redactSecrets } from './secrets.ts'

/** The exit codes, the worst first. The worst of several reports counts. */
const worstFirst: readonly number[] = [exit.couldNotRun, exit.nonconforming, exit.undecided, exit.ok]

/** Judges reports again, prints the results, and returns the exit code. Paths name reports, or folders that contain one. */
export async function judgeReports(paths: readonly string[], verbose: boolean): Promise<number> {
  const codes: number[] = []
  let isBadUsage = false
  for (const path of paths) {
    try {
      codes.push(await judgeFile(path, verbose))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      process.stderr.write(`${redactSecrets(error.message)}\n`)
      isBadUsage = true
    }
  }
  const worst = worstFirst.find((code) => codes.includes(code))
  return isBadUsage || worst === undefined ? exit.usage : worst
}

async function judgeFile(path: string, verbose: boolean): Promise<number> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const file = isFolder ? join(path, 'report.json') : path
  const advice = 'Name a complete report.json, or the folder that contains it.'
  const report = await readInputJson(file, { what: 'The report', advice })
  try {
    const { result, recorded } = judgeReport(report)
    const shown = progress(process.stdout, terminalOf(process.stdout))
    shown.end(result, { verbose })
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
  } catch (error) {
    if (error instanceof ReportError) throw new UsageError(`${file} cannot be judged. ${error.message}`)
    throw error
  }
}
