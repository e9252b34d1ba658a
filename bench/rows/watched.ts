import { oneRequest } from '../harness/load.ts'
import type { Row } from '../harness/row.ts'
import { type Server, startMockCommand } from '../harness/servers.ts'
import { createWorkflowRequest } from '../harness/service-client.ts'
import { race } from '../harness/throughput.ts'

/** The cost of the request log, and of a page that follows the mock: once the page is closed, there is none. */
export const row: Row = {
  name: 'watched',
  async measure() {
    const flags = ['--log', 'text']
    const [never, once, logging, followed] = await Promise.all([
      startMockCommand(),
      startMockCommand(),
      startMockCommand(...flags),
      startMockCommand(),
    ])
    await (await follow(once)).stop()
    const following = await follow(followed)
    const create = (server: Server) => ({
      server,
      task: oneRequest(createWorkflowRequest(server.url), 201),
    })
    const common = { theirs: create(never), goal: undefined, rounds: 5 }
    const what = 'create a workflow'
    try {
      return [
        ...(await race({ ...common, what, beside: 'never followed', ours: create(once), costGoal: { atMost: 1.05 } })),
        ...(await race({ ...common, what, beside: 'no log', ours: create(logging) })),
        ...(await race({ ...common, what, beside: 'no page follows', ours: create(followed) })),
      ]
    } finally {
      await following.stop()
      await Promise.all([never, once, logging, followed].map((server) => server.stop()))
    }
  },
}

/** Follows all tenants of a mock, as its page does. Resolves when the first message has arrived. */
async function follow({ url }: Server): Promise<{ stop(): Promise<void> }> {
  const response = await fetch(`${url}/__admin/stream`)
  const reader = response.body?.getReader()
  if (!reader) throw new Error('The stream has no body. Check that the mock has an admin API.')
  await reader.read()
  let isOpen = true
  const read = async () => {
    while (isOpen && !(await reader.read()).done);
  }
  const reading = read()
  return {
    async stop() {
      isOpen = false
      await reader.cancel()
      await reading
    },
  }
}
