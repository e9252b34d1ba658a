import { oneRequest } from '../harness/load.ts'
import type { Row } from '../harness/row.ts'
import { type Server, startBare, startMockCommand, startPrism } from '../harness/servers.ts'
import { createWorkflowRequest } from '../harness/service-client.ts'
import { race } from '../harness/throughput.ts'

/** The creation of a workflow of three steps. The bare server only parses and stringifies the same body. */
export const row: Row = {
  name: 'create',
  async measure() {
    const [ours, plain, theirs] = await Promise.all([startMockCommand(), startBare(), startPrism()])
    const create = (server: Server, status: number) => ({
      server,
      task: oneRequest(createWorkflowRequest(server.url), status),
    })
    const common = { what: 'create a workflow, 32 connections', ours: create(ours, 201) }
    try {
      return [
        ...(await race({ ...common, beside: 'bare', theirs: create(plain, 200), goal: { atLeast: 0.9 } })),
        ...(await race({ ...common, beside: 'Prism', theirs: create(theirs, 201), goal: { atLeast: 15 }, rounds: 5 })),
      ]
    } finally {
      await Promise.all([ours, plain, theirs].map((server) => server.stop()))
    }
  },
}
