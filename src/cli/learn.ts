import { Command } from 'commander'
import type { LearnFlags } from './learn-files.ts'
import { addCallOptions, deploymentOptions, wrapped } from './options.ts'
import type { StartThread } from './thread.ts'

const help = `
Writes profile.json (how the deployment answers each call, and what it refuses), overlay.yaml and openapi.yaml (the contract as
the deployment answers it), and session.har (what was sent and answered). Use them with

  countersign mock --like profile.json            a mock that answers like the deployment
  countersign docs --like profile.json            the reference with the deployment's answers
  countersign conformance --profile profile.json  the suite, which then need not search

With --from, it learns from a recording: of a browser, a proxy, Playwright, or session.har. Without --url nothing is sent then.

Environment and protections are those of conformance: COUNTERSIGN_URL, COUNTERSIGN_API_KEY, a test-mode key
(--allow-live-key), at most 5 requests per second on other machines (--rate-limit). It sends about 400 requests, and creates
workflows, executions and documents that the API cannot delete. No key is in the files that it writes.

Exit codes: 0 learned, 2 learned but for something (see the table), 3 bad usage or configuration, 4 could not run.`

/** Creates `countersign learn`, which writes how a deployment answers. */
export function learnCommand(done: (code: number) => void, start: StartThread): Command {
  const command = new Command('learn')
    .description('Learn how a deployment answers, so that the mock can answer like it.')
    .addOption(deploymentOptions.url())
    .option('--from <file>', 'HAR file to learn from; alone, or with --url in addition to the deployment')
    .option('--out <dir>', 'folder for the files', 'countersign-profile')
    .addOption(deploymentOptions.header())
    .option('--profile <file>', 'JSON file that locates what cannot be found in the answers')
    .option('--verbose', 'print each place where the mock answers differently')
  return addCallOptions(command)
    .addHelpText('after', wrapped(help))
    .action(async (flags: LearnFlags) => {
      const { learnFiles } = await import('./learn-files.ts')
      done(await learnFiles(flags, start))
    })
}
