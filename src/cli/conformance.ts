import { Command, Option } from 'commander'
import type { RunVerdict } from '../../conformance/judging/verdict.ts'
import { reportKinds } from '../../conformance/report/write.ts'
import { exit, UsageError } from './exit.ts'
import { httpUrl, perSecond, reports, seconds } from './options.ts'
import { planText } from './plan.ts'
import { type ReportFlags, type Reporting, reporting } from './reporting.ts'
import { type RunFlags, runPlan } from './run-options.ts'
import { runSuite } from './run-suite.ts'

interface ConformanceFlags extends ReportFlags, RunFlags {
  readonly dryRun?: boolean
}

/** What a process ends with for each verdict. */
export const exitCodes: Record<RunVerdict, number> = {
  conforming: exit.ok,
  nonconforming: exit.nonconforming,
  undecided: exit.undecided,
  'could-not-run': exit.couldNotRun,
}

const help = `
Environment: COUNTERSIGN_URL, COUNTERSIGN_API_KEY, COUNTERSIGN_API_KEY_2 (of another tenant), HTTPS_PROXY,
HTTP_PROXY, NO_PROXY (this machine is reached without), NO_COLOR, GITHUB_ACTIONS, GITHUB_STEP_SUMMARY. A key never goes on the command line, where others could read it.

Only defaults, which a flag takes away: a key without a test-mode prefix is refused (--allow-live-key); a deployment
elsewhere than on this machine gets 5 requests a second (--rate-limit); an answer has 10 seconds (--request-timeout).

Exit codes: 0 conforming, 1 not conforming, 2 undecided (also after --dry-run, and where --only, --skip or --level
switched off what is documented), 3 bad usage or configuration, 4 could not run. A run ends after
120 seconds; one that is still busy 10 seconds later is stopped (4), and what it found is reported. So it is after
SIGINT and SIGTERM.`

/** `countersign conformance`: runs the suite and writes its reports. */
export function conformanceCommand(done: (code: number) => void): Command {
  return new Command('conformance')
    .description('Check a deployment against the documented interface; without --url, the built-in reference.')
    .option('--url <url>', 'base address of the deployment; its key comes from COUNTERSIGN_API_KEY', httpUrl)
    .option(
      '--header <header...>',
      "send 'Name: value' with each call of the service; 'Name: env:VARIABLE' reads the value",
    )
    .option('--profile <file>', 'what discovery cannot find on this deployment (JSON)')
    .option('--only <ids...>', 'run these checks alone')
    .option('--skip <ids...>', 'leave these checks out')
    .option('--require-verified <ids...>', 'undecided if one of these is accepted and not shown; all for each')
    .addOption(
      new Option('--level <level>', 'what to run: documented facts alone; with inherited ones; with open questions')
        .choices(['documented', 'inherited', 'assumed'])
        .default('assumed'),
    )
    .option('--report <kinds>', `which reports to write: ${reportKinds.join(',')}`, reports, ['json'])
    .option('--report-dir <dir>', 'where to write them', 'conformance-report')
    .option('--baseline <file>', 'known failures that do not count; one that passes, or has expired, does')
    .option('--request-timeout <time>', 'for each answer', seconds, 10)
    .option('--settle <time>', 'how long a deployment may take to show what was done (default: 10s)', seconds)
    .option('--rate-limit <rate>', 'at most so many requests (default: 5/s, none on loopback)', perSecond)
    .option('--cacert <file>', 'trust these authorities too (PEM)')
    .option('--insecure', 'check no certificate; every report says so')
    .option('--verbose', 'print why each thing was found where it was')
    .option('--allow-live-key', 'use a key without a test-mode prefix')
    .option('--dry-run', 'print what would be done, and send nothing')
    .addHelpText('after', help)
    .action(async (flags: ConformanceFlags) => {
      const plan = await runPlan(flags)
      if (flags.dryRun) {
        process.stdout.write(`${planText(plan)}\n`)
        return done(exit.undecided)
      }
      const worker = new URL('./run-worker.js', import.meta.url)
      const reports = await reporting(flags)
      let flaws: readonly string[] = []
      const finish: Reporting['finish'] = (run) => {
        flaws = run.profileFlaws ?? []
        return reports.finish(run)
      }
      const verdict = await runSuite(plan, { ...reports, finish }, worker)
      if (flaws.length > 0) {
        throw new UsageError(`The profile ${flags.profile} is wrong: ${flaws.join(' ')} Correct or remove it.`)
      }
      done(exitCodes[verdict])
    })
}
