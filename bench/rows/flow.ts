import type { Connection } from '../harness/client.ts'
import { mustHave, throughput } from '../harness/load.ts'
import type { Row } from '../harness/row.ts'
import { bare, mock } from '../harness/servers.ts'
import { call, confirmation, createWorkflow, execution, get, put, requestUpload } from '../harness/service-client.ts'
import { withFile } from '../harness/temporary.ts'
import { race } from '../harness/throughput.ts'

const seconds = 3
const width = 8
const bytes = Buffer.alloc(1024 * 1024, 'x')

/** The documented flow; gives the bodies that it sent and the details that it read. */
async function flow(connection: Connection, url: string) {
  const created = mustHave(201, await connection.send(createWorkflow(url)))
  const details = `${url}/api/v1/workflows/${JSON.parse(created.body).workflow_id}`
  mustHave(200, await connection.send(get(details)))
  const upload = await requestUpload(connection, url, 'a.bin', bytes.byteLength)
  mustHave(200, await connection.send(put(upload.upload_url, bytes)))
  const confirm = confirmation(upload, 'a.bin')
  const confirmed = mustHave(200, await connection.send(call('POST', `${url}/api/v1/upload/confirm`, confirm)))
  const execute = execution(JSON.parse(confirmed.body).document_id)
  mustHave(202, await connection.send(call('POST', `${details}/execute`, execute)))
  return { confirm, execute, details: mustHave(200, await connection.send(get(details))).body }
}

/** The same seven calls to a server that parses, stringifies, drops and sends as many bytes. */
async function plainFlow(
  connection: Connection,
  url: string,
  sent: Pick<Awaited<ReturnType<typeof flow>>, 'confirm' | 'execute'>,
) {
  const file = { file_name: 'a.bin', content_type: 'application/octet-stream', file_size: bytes.byteLength }
  const requests = [
    createWorkflow(url),
    get(url),
    call('POST', url, file),
    put(url, bytes),
    call('POST', url, sent.confirm),
    call('POST', url, sent.execute),
    get(url),
  ]
  for (const request of requests) mustHave(200, await connection.send(request))
}

/** The whole flow of seven calls, with a file of 1 MiB. */
export const row: Row = {
  name: 'flow',
  async measure() {
    const ours = await mock()
    try {
      let sent: Awaited<ReturnType<typeof flow>> | undefined
      const once = async (connection: Connection) => {
        sent = await flow(connection, ours.url)
      }
      await throughput(ours.url, once, 0.1, 1)
      const last = sent
      if (!last) throw new Error('Failed to measure: because no flow came to its end.')
      return await withFile(last.details, async (file) => {
        const plain = await bare(file)
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
