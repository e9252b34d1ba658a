import { Command } from 'commander'
import { wrapped } from './options.ts'

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
    .addHelpText('after', wrapped(help))
    .action(async (paths: string[], { verbose = false }: { readonly verbose?: boolean }) => {
      const { judgeReports } = await import('./judge-reports.ts')
      done(await judgeReports(paths, verbose))
    })
}
