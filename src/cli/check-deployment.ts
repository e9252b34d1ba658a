import { version } from '../version.gen.ts'
import { exit, exitCodes, UsageError } from './exit.ts'
import { planText } from './plan.ts'
import { prepareReporting, type ReportFlags, type Reporting } from './reporting.ts'
import { type RunFlags, runPlan } from './run-options.ts'
import { runSuite, type StartRun } from './run-suite.ts'

/** The flags of `countersign conformance`. */
export interface ConformanceFlags extends ReportFlags, RunFlags {
  readonly dryRun?: boolean
}

/** Runs the suite on a deployment, writes the reports, and returns the exit code. Throws a `UsageError` for a wrong profile. */
export async function checkDeployment(flags: ConformanceFlags, startRun: StartRun): Promise<number> {
  const creator = { name: 'countersign', version }
  const plan = { ...(await runPlan(flags)), ...(flags.report.includes('har') && { recordAs: creator }) }
  if (flags.dryRun) {
    process.stdout.write(`${planText(plan)}\n`)
    return exit.undecided
  }
  const reports = await prepareReporting(flags)
  let flaws: readonly string[] = []
  const finish: Reporting['finish'] = (run) => {
    flaws = run.profileFlaws ?? []
    return reports.finish(run)
  }
  const verdict = await runSuite(plan, { ...reports, finish }, startRun)
  if (flaws.length > 0) {
    throw new UsageError(`The profile ${flags.profile} is wrong: ${flaws.join(' ')} Correct or remove it.`)
  }
  return exitCodes[verdict]
}
