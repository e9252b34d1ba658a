import { Connection } from '../harness/client.ts'
import { mustHave } from '../harness/load.ts'
import { compared, type Finding, inTurns, type Row, spreadOf } from '../harness/row.ts'
import { bare, memoryOf, mock, type Server } from '../harness/servers.ts'
import { put, requestUpload } from '../harness/service-client.ts'

const mib = 256
const bytes = Buffer.alloc(mib * 1024 * 1024, 'x')

/** MiB a second. */
async function putAt(url: string, connection: Connection): Promise<number> {
  const request = put(url, bytes)
  const begun = performance.now()
  mustHave(200, await connection.send(request))
  return mib / ((performance.now() - begun) / 1000)
}

async function upload(server: Server, urlOf: (connection: Connection) => Promise<string>): Promise<number> {
  const connection = await Connection.open(server.url)
  try {
    return await putAt(await urlOf(connection), connection)
  } finally {
    connection.close()
  }
}

/** A file of 256 MiB; the bare server drops it, the mock also computes its SHA-256. */
export const row: Row = {
  name: 'put',
  async measure() {
    const [ours, plain] = await Promise.all([mock('--max-upload-size', '1GiB'), bare()])
    const size = bytes.byteLength
    const toOurs = () =>
      upload(ours, async (connection) => (await requestUpload(connection, ours.url, 'a.bin', size)).upload_url)
    const toPlain = () => upload(plain, async () => plain.url)
    try {
      const before = [ours, plain].map((server) => memoryOf(server).now)
      const what = `PUT of ${mib} MiB`
      const speed = compared(
        { what, beside: 'bare', unit: 'MiB/s', goal: { atLeast: 0.8 } },
        await inTurns(toOurs, toPlain),
      )
      const [grown = 0, plainGrown = 0] = [ours, plain].map(
        (server, at) => memoryOf(server).highest - (before[at] ?? 0),
      )
      const growth: Finding = {
        what: `most memory in ${speed.rounds + 1} PUTs, above idle`,
        beside: 'bare',
        ours: `${grown.toFixed(0)} MiB`,
        theirs: `${plainGrown.toFixed(0)} MiB`,
        figure: spreadOf([grown]),
        unit: 'MiB',
        goal: { atMost: 32 },
        rounds: 1,
      }
      return [speed, growth]
    } finally {
      await Promise.all([ours, plain].map((server) => server.stop()))
    }
  },
}
