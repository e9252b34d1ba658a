import { Command } from 'commander'
import { wrapped } from './options.ts'
import type { ReadsFlags } from './print-reads.ts'

const help = `
Files come from recordReads in Vitest, or from trackReads in a page; a folder stands for all its JSON files. Each place is
documented (the interface document promises it), assumed (our answer to an open question, whose id follows) or unknown (the
contract does not have it).

A place marked 'all' was copied or listed as a whole, by a spread or JSON.stringify for example, so it is not known which of its
members are needed. 'names' stands for a list of the members' names, 'asked' for a question such as in, 'absent' for a member
that was not there. An answer 'read as text' was not parsed as JSON after, so what of it is used is unknown.

Exit codes: 0 printed, 2 the files have no place, 3 bad usage or file.`

/** Creates `countersign reads`, which prints what a front end relies on. */
export function readsCommand(done: (code: number) => void): Command {
  return new Command('reads')
    .description('Print what a front end reads of the answers: documented, assumed or unknown.')
    .argument('<files...>', 'reads.json, or folders of such files')
    .option('--profile <file>', 'the profile whose answers the front end reads (mock --like)')
    .option('--json', 'print JSON')
    .addHelpText('after', wrapped(help))
    .action(async (files: string[], flags: ReadsFlags) => {
      const { printReads } = await import('./print-reads.ts')
      done(await printReads(files, flags))
    })
}
