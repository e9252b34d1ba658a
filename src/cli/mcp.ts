import { Command } from 'commander'
import { version } from '../version.gen.ts'
import { exit } from './exit.ts'
import { McpSession } from './mcp-session.ts'
import type { StartRun } from './run-suite.ts'

const help = `
Add it to the configuration of an agent as the command 'npx' with the arguments 'countersign mcp'. docs/agents.md lists the tools.

Environment: as for conformance. The key of a deployment comes from COUNTERSIGN_API_KEY, and no answer contains it.`

/** Creates `countersign mcp`, which serves the mock and the suite to an agent. */
export function mcpCommand(done: (code: number) => void, startRun: StartRun): Command {
  return new Command('mcp')
    .description(
      'Let an agent use the mock and the suite: a server of the Model Context Protocol on standard input and output.',
    )
    .addHelpText('after', help)
    .action(async () => {
      const session = new McpSession(startRun)
      // The SDK is bundled apart, so that only this command loads it.
      const server = new URL('./mcp-server.js', import.meta.url)
      const { serve } = (await import(server.href)) as typeof import('./mcp-server.ts')
      await serve(session, version)
      await session.close()
      done(exit.ok)
    })
}
