import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import type { RunVerdict } from '../../conformance/judging/verdict.ts'
import { progress } from '../../conformance/report/progress.ts'
import { judgeReport, ReportError } from '../../conformance/report/read-report.ts'
import { showHidden } from '../../conformance/wire/inert.ts'
import { exitCodes } from './conformance.ts'
import { exit, UsageError } from './exit.ts'
import { terminalOf } from './reporting.ts'
import { redactSecrets } from './secrets.ts'

/** The verdicts, the worst first. The worst of several reports determines the exit code. */
const worstFirst: readonly RunVerdict[] = ['could-not-run', 'nonconforming', 'undecided', 'conforming']

const help = `
Judges the recorded requests and answers of each report again. A folder means the report.json in it.

Exit codes: those of conformance; of several reports, the worst. A report that cannot be read or judged, or whose profile is
wrong, ends with 3, after the others were judged.`

/** Creates `countersign judge`, which judges recorded runs again. */
export function judgeCommand(done: (code: number) => void): Command {
  return new Command('judge')
    .description('Judge recorded runs again from their report.json, without a network.')
    .argument('<reports...>', 'report.json files, or folders that contain one')
    .option('--verbose', 'print where each value was found in the answers, and why')
    .addHelpText('after', help)
    .action(async (paths: string[], { verbose = false }: { readonly verbose?: boolean }) => {
      const verdicts: RunVerdict[] = []
      let isBadUsage = false
      for (const path of paths) {
        try {
          verdicts.push(await judgeFile(path, verbose))
        } catch (error) {
          if (!(error instanceof UsageError)) throw error
          process.stderr.write(`${redactSecrets(error.message)}\n`)
          isBadUsage = true
        }
      }
      const worst = worstFirst.find((verdict) => verdicts.includes(verdict))
      done(isBadUsage || worst === undefined ? exit.usage : exitCodes[worst])
    })
}

async function judgeFile(path: string, verbose: boolean): Promise<RunVerdict> {
  const { file, text } = await reportAt(path)
  try {
    const { result, recorded } = judgeReport(text)
    const shown = progress(process.stdout, terminalOf(process.stdout))
    for (const check of result.checks) shown.onResult(check)
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
    return result.verdict
  } catch (error) {
    if (error instanceof ReportError) throw new UsageError(`${file} cannot be judged. ${error.message}`)
    throw error
  }
}

async function reportAt(path: string): Promise<{ readonly file: string; readonly text: string }> {
  try {
    const file = (await stat(path)).isDirectory() ? join(path, 'report.json') : path
    return { file, text: await readFile(file, 'utf8') }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${path} cannot be read (${why}). Name a report.json, or the folder that contains it.`)
  }
}
