import { Command, Option } from 'commander'
import { reportKinds } from '../../conformance/report/kinds.ts'
import type { ConformanceFlags } from './check-deployment.ts'
import { addCallOptions, deploymentOptions, reports, wrapped } from './options.ts'
import type { StartThread } from './thread.ts'

const help = `
Environment: COUNTERSIGN_URL, COUNTERSIGN_API_KEY, COUNTERSIGN_API_KEY_2 (of another tenant),
COUNTERSIGN_KEY_PASSPHRASE (of --key), HTTPS_PROXY, HTTP_PROXY, NO_PROXY (this machine is always
reached directly), NO_COLOR, GITHUB_ACTIONS, GITHUB_STEP_SUMMARY. No flag takes a secret, since
other users of this machine can read the command line.

Protections that a flag changes: a key without a test-mode prefix is refused (--allow-live-key). A deployment on another
machine gets at most 5 requests per second (--rate-limit). Each answer may take 10 seconds (--request-timeout).

With --reads, a section of its own tells which places that the front end reads are given, missing, or not shown by any answer.
It changes no verdict on the document, but the run ends with 1 if a place is missing, and with 2 if no place could be decided.

Exit codes: 0 conforming, 1 not conforming, 2 undecided (also after --dry-run, and if --only, --skip or --level excludes
documented checks), 3 bad usage or configuration, 4 could not run. A run ends after 120 seconds. If it is still busy 10
seconds later, it is stopped with exit code 4, and its results so far are reported. SIGINT and SIGTERM end a run early, with its
reports.`

/** Creates `countersign conformance`, which runs the suite and writes its reports. */
export function conformanceCommand(done: (code: number) => void, start: StartThread): Command {
  const command = new Command('conformance')
    .description('Check a deployment against the documented interface. Without --url, check the built-in reference.')
    .addOption(deploymentOptions.url())
    .addOption(deploymentOptions.header())
    .option('--profile <file>', 'JSON file that locates what the suite cannot find in the answers')
    .option('--only <ids...>', 'run only these checks')
    .option('--skip <ids...>', 'do not run these checks')
    .option('--require-verified <ids...>', 'end undecided unless these checks are verified, not just accepted; or all')
    .addOption(
      new Option('--level <level>', 'run documented checks only, add inherited ones, or add open questions too')
        .choices(['documented', 'inherited', 'assumed'])
        .default('assumed'),
    )
    .option('--report <kinds>', `write these reports: ${reportKinds.join(',')}`, reports, ['json'])
    .option('--report-dir <dir>', 'folder for the reports', 'conformance-report')
    .option('--baseline <file>', 'known failures that do not count; one that passes, or has expired, does')
    .option(
      '--reads <files...>',
      'what a front end reads (recordReads, trackReads); the run fails if a place is missing',
    )
    .option('--verbose', 'print where each value was found in the answers, and why')
  return addCallOptions(command, '; every report says so')
    .option('--dry-run', 'print the checks, and send nothing')
    .addHelpText('after', wrapped(help))
    .action(async (flags: ConformanceFlags) => {
      const { checkDeployment } = await import('./check-deployment.ts')
      done(await checkDeployment(flags, start))
    })
}
