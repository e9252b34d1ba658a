import { version } from '../src/version.gen.ts'
import { built } from './built.ts'
import { exit } from './exit.ts'
import { McpSession } from './mcp-session.ts'
import type { ConnectionFlags } from './options.ts'
import type { StartThread } from './thread.ts'

/** Serves the mock and the suite to an agent, until its input ends, and returns the exit code. */
export async function serveAgent(connection: ConnectionFlags, start: StartThread): Promise<number> {
  const session = new McpSession({ start, connection })
  // The build bundles this file with its packages, which are not installed with ours.
  const { serve } = (await import(built('cli/mcp-server.js').href)) as typeof import('./mcp-server.ts')
  await serve(session, version)
  await session.close()
  return exit.ok
}
