import { Connection } from '../harness/client.ts'
import { expectStatus, oneRequest } from '../harness/load.ts'
import type { Row } from '../harness/row.ts'
import { type Server, startBare, startMockCommand } from '../harness/servers.ts'
import {
  confirmDocument,
  createWorkflowRequest,
  executionBody,
  getRequest,
  jsonRequest,
} from '../harness/service-client.ts'
import { withFile } from '../harness/temporary.ts'
import { race } from '../harness/throughput.ts'

const executions = 100

/** The details with analytics of a hundred executions. The bare server sends the same bytes. */
export const row: Row = {
  name: 'read',
  async measure() {
    const ours = await startMockCommand('--approvers', 'instant')
    const connection = await Connection.open(ours.url)
    try {
      const created = expectStatus(201, await connection.send(createWorkflowRequest(ours.url)))
      const details = `${ours.url}/api/v1/workflows/${JSON.parse(created.body).workflow_id}`
      const documentId = await confirmDocument(connection, ours.url, Buffer.from('file'))
      for (let index = 0; index < executions; index += 1) {
        expectStatus(202, await connection.send(jsonRequest('POST', `${details}/execute`, executionBody(documentId))))
      }
      const { body } = expectStatus(200, await connection.send(getRequest(details)))
      return await withFile(body, async (file) => {
        const plain = await startBare(file)
        const read = (server: Server, url: string) => ({ server, task: oneRequest(getRequest(url), 200) })
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
