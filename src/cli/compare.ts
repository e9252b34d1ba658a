import { Command } from 'commander'
import { sessionReportKinds } from '../../conformance/report/kinds.ts'
import type { CompareFlags } from './compare-sides.ts'
import { addCallOptions, deploymentOptions, sessionReports } from './options.ts'

const help = `
Each side is a URL, a profile that countersign learn has written (answered by the mock), a report.json of conformance, a HAR
file, or the word reference. Without a session, both sides run the suite, and what it finds is compared: requirements and open
questions first, then statuses, headers and shapes. With --session or a HAR file, that session is sent to both.

A live side runs everything twice: what differs between its own runs is noise, and no difference. A difference counts if a third
run shows it too.

Environment: COUNTERSIGN_API_KEY for A, COUNTERSIGN_API_KEY_B for B (on the same host, without it that of A). Protections are
those of conformance.

Exit codes: 0 no difference, 1 differences, 2 undecided, 3 bad usage, configuration or file, 4 could not run.`

/** Creates `countersign compare`, which shows in what two deployments differ. */
export function compareCommand(done: (code: number) => void): Command {
  const command = new Command('compare')
    .description('Compare two deployments, or one with its past.')
    .argument('<a>', 'URL, profile, report, HAR file, or reference')
    .argument('<b>', 'the same')
    .option('--session <file>', 'HAR file to send to both sides in place of the suite')
    .option('--reads <files...>', 'what a front end reads (recordReads, trackReads); such differences come first')
    .addOption(deploymentOptions.header())
    .option('--report <kinds>', `write these reports: ${sessionReportKinds.join(',')}`, sessionReports, [])
    .option('--report-dir <dir>', 'folder for the reports', 'compare-report')
  return addCallOptions(command)
    .addHelpText('after', help)
    .action(async (a: string, b: string, flags: CompareFlags) => {
      const { compareDeployments } = await import('./compare-sides.ts')
      done(await compareDeployments(a, b, flags))
    })
}
