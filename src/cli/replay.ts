import { Command, Option } from 'commander'
import { sessionReportKinds } from '../../conformance/report/kinds.ts'
import { printNews } from './news.ts'
import { addCallOptions, deploymentOptions, httpUrl, sessionReports, wrapped } from './options.ts'
import type { ReplayFlags } from './replay-session.ts'
import { terminalOf } from './reporting.ts'
import { inThread, type StartThread } from './thread.ts'

const help = `
Sends the calls of a HAR file one after the other: of mock --record, a browser, a proxy, or Playwright. Identifiers, upload
addresses and keys of the recording are replaced by those of the deployment. Calls to other origins are left out.

A call has the same outcome if it is accepted or refused as it was; formats and statuses of refusals are not documented.
Without --url, the session is sent to the built-in reference. Environment and protections are those of conformance.

Exit codes: 0 same outcomes, 1 another outcome, 2 undecided, since calls could not be sent, 3 bad usage, configuration or file,
4 could not run.`

/** Creates `countersign replay`, which sends a recorded session to a deployment. */
export function replayCommand(done: (code: number) => void, start: StartThread): Command {
  const command = new Command('replay')
    .description('Send a recorded session to a deployment, and compare what becomes of each call.')
    .argument('<file>', 'HAR file with the session')
    .addOption(deploymentOptions.url())
    .option('--recorded-url <url>', 'base URL of the service in the recording, if it has several', httpUrl)
    .addOption(deploymentOptions.header())
    .option('--profile <file>', 'JSON file that locates what cannot be found in the answers')
    .addOption(
      new Option('--report <kinds>', `write these reports: ${sessionReportKinds.join(',')}`)
        .argParser(sessionReports)
        .default([], 'none'),
    )
    .option('--report-dir <dir>', 'folder for the reports', 'replay-report')
  return addCallOptions(command)
    .addHelpText('after', wrapped(help))
    .action(async (file: string, flags: ReplayFlags) => {
      const { colour } = terminalOf(process.stdout)
      done(await inThread({ kind: 'replay', file, flags, colour }, { start, onNews: printNews }))
    })
}
