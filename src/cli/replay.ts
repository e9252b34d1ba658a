import { Command } from 'commander'
import type { ReplayVerdict } from '../../conformance/replay/result.ts'
import { rowLine, type SessionReport, sessionWriters, summaryLines } from '../../conformance/replay/session-report.ts'
import { prepareFolder, writeFiles } from '../../conformance/report/write.ts'
import { Undecided } from '../../conformance/wire/exchange.ts'
import { unreachableError } from './connection.ts'
import { exit } from './exit.ts'
import { deploymentOptions, httpUrl, sessionReports } from './options.ts'
import { terminalOf } from './reporting.ts'
import { type RunFlags, runPlan } from './run-options.ts'
import { readSessionFile } from './session-file.ts'

type LiveFlags = Omit<RunFlags, 'level' | 'only' | 'skip' | 'requireVerified'>

interface ReplayFlags extends LiveFlags {
  readonly report: readonly (keyof typeof sessionWriters)[]
  readonly reportDir: string
  readonly recordedUrl?: string
}

const help = `
Sends the calls of a HAR file one after the other: of mock --record, a browser, a proxy, or Playwright. Identifiers, upload
addresses and keys of the recording are replaced by those of the deployment. Calls to other origins are left out.

A call has the same outcome if it is accepted or refused as it was; formats and statuses of refusals are not documented.
Without --url, the session is sent to the built-in reference. Environment and protections are those of conformance.

Exit codes: 0 same outcomes, 1 another outcome, 2 undecided, since calls could not be sent, 3 bad usage, configuration or file,
4 could not run.`

/** The exit code of each verdict on a session. */
export const sessionExits: Readonly<Record<ReplayVerdict, number>> = {
  same: exit.ok,
  different: exit.nonconforming,
  undecided: exit.undecided,
  'could-not-run': exit.couldNotRun,
}

/** Creates `countersign replay`, which sends a recorded session to a deployment. */
export function replayCommand(done: (code: number) => void): Command {
  return new Command('replay')
    .description('Send a recorded session to a deployment, and compare what becomes of each call.')
    .argument('<file>', 'HAR file with the session')
    .addOption(deploymentOptions.url())
    .option('--recorded-url <url>', 'base URL of the service in the recording, if it has several', httpUrl)
    .addOption(deploymentOptions.header())
    .option('--profile <file>', 'JSON file that locates what cannot be found in the answers')
    .option('--report <kinds>', `write these reports: ${Object.keys(sessionWriters).join(',')}`, sessionReports, [])
    .option('--report-dir <dir>', 'folder for the reports', 'replay-report')
    .addOption(deploymentOptions.requestTimeout())
    .addOption(deploymentOptions.settle())
    .addOption(deploymentOptions.rateLimit())
    .addOption(deploymentOptions.cacert())
    .addOption(deploymentOptions.insecure())
    .addOption(deploymentOptions.allowLiveKey())
    .addHelpText('after', help)
    .action(async (file: string, { report, reportDir, recordedUrl, ...flags }: ReplayFlags) => {
      const session = await readSessionFile(file, recordedUrl)
      const plan = await runPlan({ ...flags, level: 'documented' })
      if (report.length > 0) await prepareFolder(reportDir)
      const { colour } = terminalOf(process.stdout)
      const [{ fetchOf }, { replay }, { reportOfReplay, rowOfCall }] = await Promise.all([
        import('./carry-out.ts'),
        import('../../conformance/replay/replay.ts'),
        import('../../conformance/replay/replay-report.ts'),
      ])
      const maxRequests = 300 + 10 * session.exchanges.length
      const { selected: _, isReference, connection, ...options } = plan
      const stopping = new AbortController()
      const stop = () => stopping.abort()
      for (const signal of stopSignals) process.once(signal, stop)
      try {
        const result = await replay({
          ...options,
          session,
          maxRequests,
          maxMs: 120_000 + (maxRequests / (plan.perSecond ?? 100)) * 1000,
          checksAddresses: !isReference && !connection.proxies?.http && !connection.proxies?.https,
          fetch: await fetchOf(plan),
          signal: stopping.signal,
          onCall: (call) => process.stdout.write(`${rowLine(rowOfCall(call), colour)}\n`),
        })
        done(sessionExits[await finish(reportOfReplay(result), { report, reportDir, colour })])
      } catch (error) {
        throw error instanceof Undecided ? unreachableError(plan.url, error.reason, connection) : error
      } finally {
        for (const signal of stopSignals) process.off(signal, stop)
      }
    })
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const

/** Prints the end of a replay or a comparison, and writes its reports. Returns the verdict. */
export async function finish(
  report: SessionReport,
  { report: kinds, reportDir, colour }: Pick<ReplayFlags, 'report' | 'reportDir'> & { readonly colour: boolean },
): Promise<ReplayVerdict> {
  const files = kinds.map((kind) => [sessionWriters[kind].file, sessionWriters[kind].write(report)] as const)
  try {
    for (const path of await writeFiles(reportDir, files)) process.stdout.write(`Report: ${path}\n`)
  } finally {
    process.stdout.write(`${summaryLines(report, colour)}\n`)
  }
  return report.verdict
}
