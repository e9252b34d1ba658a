import { judgeNeeds, type NeedsReport } from '../../conformance/reads/needs.ts'
import { version } from '../version.gen.ts'
import { exit, exitWithNeeds, UsageError } from './exit.ts'
import { planText } from './plan.ts'
import { readReads } from './reads-file.ts'
import { prepareReporting, type ReportFlags, type Reporting } from './reporting.ts'
import { type RunFlags, runPlan } from './run-options.ts'
import { runSuite } from './run-suite.ts'
import type { StartThread } from './thread.ts'

/** The flags of `countersign conformance`. */
export interface ConformanceFlags extends ReportFlags, RunFlags {
  readonly dryRun?: boolean
  /** Files of what a front end reads. */
  readonly reads?: readonly string[]
}

/** Runs the suite on a deployment, writes the reports, and returns the exit code. Throws a `UsageError` for a wrong profile. */
export async function checkDeployment(flags: ConformanceFlags, start: StartThread): Promise<number> {
  const creator = { name: 'countersign', version }
  const plan = { ...(await runPlan(flags)), ...(flags.report.includes('har') && { recordAs: creator }) }
  if (flags.dryRun) {
    process.stdout.write(`${planText(plan)}\n`)
    return exit.undecided
  }
  const read = flags.reads && (await readReads(flags.reads))
  const reports = await prepareReporting(flags)
  let flaws: readonly string[] = []
  let needs: NeedsReport | undefined
  const finish: Reporting['finish'] = (run) => {
    flaws = run.profileFlaws ?? []
    needs = read && judgeNeeds(read.places, run, run.findings)
    return reports.finish({ ...run, ...(needs && { reads: needs }) })
  }
  const verdict = await runSuite(plan, { ...reports, finish }, start)
  if (flaws.length > 0) {
    throw new UsageError(`The profile ${flags.profile} is wrong: ${flaws.join(' ')} Correct or remove it.`)
  }
  return exitWithNeeds(verdict, needs)
}
