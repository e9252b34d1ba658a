import { requirement } from '../conformance/catalogue/catalogue.ts'
import { checks } from '../conformance/judging/checks.ts'
import { judgeNeeds, type NeedsReport } from '../conformance/reads/needs.ts'
import { sectionName } from '../conformance/report/sections.ts'
import { defaultMaxRequests } from '../conformance/wire/transport.ts'
import { version } from '../src/version.gen.ts'
import { exit, exitWithNeeds, UsageError } from './exit.ts'
import type { Flags } from './options.ts'
import { type RunPlan, runPlan } from './plan.ts'
import { readReads } from './reads.ts'
import { prepareReporting, type Reporting } from './reporting.ts'
import { runSuite } from './run-suite.ts'
import type { StartThread } from './thread.ts'

/** Runs the suite on a deployment, writes the reports, and returns the exit code. Throws a `UsageError` for a wrong profile. */
export async function checkDeployment(
  flags: Flags<'conformance'>,
  _: readonly string[],
  start: StartThread,
): Promise<number> {
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
