import { Command, Option } from 'commander'
import { sessionReportKinds } from '../../conformance/report/kinds.ts'
import { progress } from '../../conformance/report/progress.ts'
import type { CompareFlags } from './compare-sides.ts'
import { type News, printNews } from './news.ts'
import { addCallOptions, deploymentOptions, requestCount, seed, sessionReports, wrapped } from './options.ts'
import { terminalOf } from './reporting.ts'
import { inThread, type StartThread } from './thread.ts'

const help = `
Each side is a URL, a profile that countersign learn has written (answered by the mock), a report.json of conformance, a HAR
file, or the word reference. Without a session, both sides run the suite, and what it finds is compared: requirements and open
questions first, then statuses, headers and shapes. With --session or a HAR file, that session is sent to both.

A live side runs everything twice: what differs between its own runs is noise, and no difference. A difference counts if a third
run shows it too.

With --explore, sessions are drawn: documented calls in any order, also wrong ones. The first that one side accepts and the other
refuses, or in which values differ that were the same before, is shortened, printed as curl commands, and written to
explored.har in the report folder. It leaves many things behind, so deployments on other machines need --yes.

Environment: COUNTERSIGN_API_KEY for A, COUNTERSIGN_API_KEY_B for B (on the same host, without it that of A); with _2 at the end,
keys of a second tenant of each, to compare what one tenant sees of the other. Protections are those of conformance.

Exit codes: 0 no difference, 1 differences, 2 undecided, 3 bad usage, configuration or file, 4 could not run.`

/** Creates `countersign compare`, which shows in what two deployments differ. */
export function compareCommand(done: (code: number) => void, start: StartThread): Command {
  const command = new Command('compare')
    .description('Compare two deployments, or one with its past.')
    .argument('<a>', 'URL, profile, report, HAR file, or reference')
    .argument('<b>', 'the same')
    .option('--session <file>', 'HAR file to send to both sides in place of the suite')
    .option('--reads <files...>', 'what a front end reads (recordReads, trackReads); such differences come first')
    .option(
      '--explore <n>',
      'draw sessions, send at most n requests to both, and shorten the first difference',
      requestCount,
    )
    .option('--seed <n>', 'repeat the sessions of an exploration', seed)
    .option('--yes', 'explore deployments on other machines too')
    .addOption(deploymentOptions.header())
    .addOption(
      new Option('--report <kinds>', `write these reports: ${sessionReportKinds.join(',')}`)
        .argParser(sessionReports)
        .default([], 'none'),
    )
    .option('--report-dir <dir>', 'folder for the reports', 'compare-report')
  return addCallOptions(command)
    .addHelpText('after', wrapped(help))
    .action(async (a: string, b: string, flags: Omit<CompareFlags, 'draw'>) => {
      const { colour } = terminalOf(process.stdout)
      const task = { kind: 'compare', a, b, flags: { ...flags, draw }, colour } as const
      const shown = progress(process.stderr, terminalOf(process.stderr))
      const onNews = (news: News) => {
        if (news.kind === 'stage') return shown.onProgress({ step: news.stage, sent: news.sent })
        if (news.kind === 'print') shown.clear()
        printNews(news)
      }
      done(await inThread(task, { start, onNews }).finally(shown.clear))
    })
}

/** The module that draws sessions. The build bundles it with fast-check. */
const draw = new URL('./draw-sessions.js', import.meta.url).href
