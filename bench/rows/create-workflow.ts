import { oneRequest } from '../harness/load.ts'
import type { Row } from '../harness/row.ts'
import { bare, mock, prism, type Server } from '../harness/servers.ts'
import { createWorkflow } from '../harness/service-client.ts'
import { race } from '../harness/throughput.ts'

/** Creating a workflow of three steps, validated and stored; the bare server parses and stringifies the same body. */
export const row: Row = {
  name: 'create',
  async measure() {
    const [ours, plain, theirs] = await Promise.all([mock(), bare(), prism()])
    const create = (server: Server, status: number) => ({
      server,
      task: oneRequest(createWorkflow(server.url), status),
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
