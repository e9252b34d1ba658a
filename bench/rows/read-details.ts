import { Connection } from '../harness/client.ts'
import { mustHave, oneRequest } from '../harness/load.ts'
import type { Row } from '../harness/row.ts'
import { bare, mock, type Server } from '../harness/servers.ts'
import { call, confirmedDocument, createWorkflow, execution, get } from '../harness/service-client.ts'
import { withFile } from '../harness/temporary.ts'
import { race } from '../harness/throughput.ts'

const executions = 100

/** Reading details with analytics of a hundred executions; the bare server sends the same bytes. */
export const row: Row = {
  name: 'read',
  async measure() {
    const ours = await mock('--approvers', 'instant')
    const connection = await Connection.open(ours.url)
    try {
      const created = mustHave(201, await connection.send(createWorkflow(ours.url)))
      const details = `${ours.url}/api/v1/workflows/${JSON.parse(created.body).workflow_id}`
      const documentId = await confirmedDocument(connection, ours.url, Buffer.from('file'))
      for (let index = 0; index < executions; index += 1) {
        mustHave(202, await connection.send(call('POST', `${details}/execute`, execution(documentId))))
      }
      const { body } = mustHave(200, await connection.send(get(details)))
      return await withFile(body, async (file) => {
        const plain = await bare(file)
        const read = (server: Server, url: string) => ({ server, task: oneRequest(get(url), 200) })
        const what = `read details (${Math.round(body.length / 1024)} KiB), 32 connections`
        const goal = { atLeast: 0.85 }
        try {
          return await race({ what, beside: 'bare', ours: read(ours, details), theirs: read(plain, plain.url), goal })
        } finally {
          await plain.stop()
        }
      })
    } finally {
      connection.close()
      await ours.stop()
    }
  },
}
