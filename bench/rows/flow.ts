import type { Connection } from '../harness/client.ts'
import { expectStatus, throughput } from '../harness/load.ts'
import type { Row } from '../harness/row.ts'
import { startBare, startMockCommand } from '../harness/servers.ts'
import {
  confirmationBody,
  createWorkflowRequest,
  executionBody,
  getRequest,
  jsonRequest,
  putRequest,
  requestUpload,
} from '../harness/service-client.ts'
import { withFile } from '../harness/temporary.ts'
import { race } from '../harness/throughput.ts'

const seconds = 3
const width = 8
const bytes = Buffer.alloc(1024 * 1024, 'x')

/** Runs the documented flow. Returns the bodies that it sent and the details that it read. */
async function flow(connection: Connection, url: string) {
  const created = expectStatus(201, await connection.send(createWorkflowRequest(url)))
  const details = `${url}/api/v1/workflows/${JSON.parse(created.body).workflow_id}`
  expectStatus(200, await connection.send(getRequest(details)))
  const upload = await requestUpload(connection, url, 'a.bin', bytes.byteLength)
  expectStatus(200, await connection.send(putRequest(upload.upload_url, bytes)))
  const confirm = confirmationBody(upload, 'a.bin')
  const confirmed = expectStatus(
    200,
    await connection.send(jsonRequest('POST', `${url}/api/v1/upload/confirm`, confirm)),
  )
  const execute = executionBody(JSON.parse(confirmed.body).document_id)
  expectStatus(202, await connection.send(jsonRequest('POST', `${details}/execute`, execute)))
  return { confirm, execute, details: expectStatus(200, await connection.send(getRequest(details))).body }
}

/** Sends the same seven calls to a server that parses, stringifies, drops and sends the same number of bytes. */
async function plainFlow(
  connection: Connection,
  url: string,
  sent: Pick<Awaited<ReturnType<typeof flow>>, 'confirm' | 'execute'>,
) {
  const file = { file_name: 'a.bin', content_type: 'application/octet-stream', file_size: bytes.byteLength }
  const requests = [
    createWorkflowRequest(url),
    getRequest(url),
    jsonRequest('POST', url, file),
    putRequest(url, bytes),
    jsonRequest('POST', url, sent.confirm),
    jsonRequest('POST', url, sent.execute),
    getRequest(url),
  ]
  for (const request of requests) expectStatus(200, await connection.send(request))
}

/** The whole flow of seven calls, with a file of 1 MiB. */
export const row: Row = {
  name: 'flow',
  async measure() {
    const ours = await startMockCommand()
    try {
      let sent: Awaited<ReturnType<typeof flow>> | undefined
      const once = async (connection: Connection) => {
        sent = await flow(connection, ours.url)
      }
      await throughput(ours.url, once, 0.1, 1)
      const last = sent
      if (!last) throw new Error('No flow ended during the warm-up. Make the warm-up longer.')
      return await withFile(last.details, async (file) => {
        const plain = await startBare(file)
        const sides = {
          ours: { server: ours, task: (connection: Connection) => flow(connection, ours.url) },
          theirs: { server: plain, task: (connection: Connection) => plainFlow(connection, plain.url, last) },
        }
        try {
          const what = 'flow of 7 calls, 1 MiB file, 8 connections'
          return await race({ what, beside: 'bare', ...sides, goal: { atLeast: 0.7 }, seconds, width })
        } finally {
          await plain.stop()
        }
      })
    } finally {
      await ours.stop()
    }
  },
}
