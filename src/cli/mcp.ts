import { Command } from 'commander'
import { version } from '../version.gen.ts'
import type { ConnectionFlags } from './connection.ts'
import { consoleFolder, docsFolder } from './docs.ts'
import { exit } from './exit.ts'
import { addConnectionOptions, wrapped } from './options.ts'
import type { StartThread } from './thread.ts'

const help = `
Add it to the configuration of an agent as the command 'npx' with the arguments 'countersign mcp'. docs/agents.md lists the tools.

Environment: as for conformance. The key of a deployment comes from COUNTERSIGN_API_KEY, and no answer contains it.`

/** Creates `countersign mcp`, which serves the mock and the suite to an agent. */
export function mcpCommand(done: (code: number) => void, start: StartThread): Command {
  const command = new Command('mcp').description(
    'Let an agent use the mock and the suite: a server of the Model Context Protocol on standard input and output.',
  )
  return addConnectionOptions(command)
    .addHelpText('after', wrapped(help))
    .action(async (connection: ConnectionFlags) => {
      const { McpSession } = await import('./mcp-session.ts')
      const session = new McpSession({ start, connection, docs: docsFolder, console: consoleFolder })
      // The build bundles this file with its packages, which are not installed with ours.
      const server = new URL('./mcp-server.js', import.meta.url)
      const { serve } = (await import(server.href)) as typeof import('./mcp-server.ts')
      await serve(session, version)
      await session.close()
      done(exit.ok)
    })
}
