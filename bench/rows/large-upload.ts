import { Connection } from '../harness/client.ts'
import { mustHave } from '../harness/load.ts'
import { compared, type Finding, inTurns, type Row, spreadOf } from '../harness/row.ts'
import { bare, hashing, memoryOf, mock, type Server } from '../harness/servers.ts'
import { put, requestUpload } from '../harness/service-client.ts'

const mib = 256
const large = Buffer.alloc(mib * 1024 * 1024, 'x')
const small = large.subarray(0, 1024 * 1024)

/** Puts a file where the server says; gives MiB a second. */
async function upload({ url }: Server, isOurs: boolean, bytes: Buffer): Promise<number> {
  const connection = await Connection.open(url)
  try {
    const target = isOurs ? (await requestUpload(connection, url, 'a.bin', bytes.byteLength)).upload_url : url
    const request = put(target, bytes)
    const begun = performance.now()
    mustHave(200, await connection.send(request))
    return bytes.byteLength / 1024 / 1024 / ((performance.now() - begun) / 1000)
  } finally {
    connection.close()
  }
}

/** A file of 256 MiB; the bare server drops it, the mock also computes its SHA-256. */
export const row: Row = {
  name: 'put',
  async measure() {
    const [ours, plain, floor] = await Promise.all([mock('--max-upload-size', '1GiB'), bare(), hashing()])
    try {
      // Code and buffers that any upload needs are there before what a large one adds.
      await Promise.all([upload(ours, true, small), upload(plain, false, small)])
      const before = { ours: memoryOf(ours).now, theirs: memoryOf(plain).now }
      const pairs = await inTurns(
        () => upload(ours, true, large),
        () => upload(plain, false, large),
      )
      const grown = memoryOf(ours).highest - before.ours
      const growth: Finding = {
        what: `most memory in ${pairs.length + 1} PUTs, above that before them`,
        beside: 'bare',
        ours: `${grown.toFixed(0)} MiB`,
        theirs: `${(memoryOf(plain).highest - before.theirs).toFixed(0)} MiB`,
        figure: spreadOf([grown]),
        unit: 'MiB',
        goal: { atMost: 32 },
        rounds: 1,
      }
      const aboveFloor = await inTurns(
        () => upload(ours, true, large),
        () => upload(floor, false, large),
      )
      const common = { what: `PUT of ${mib} MiB`, unit: 'MiB/s' }
      return [
        compared({ ...common, beside: 'bare', goal: { atLeast: 0.8 } }, pairs),
        compared({ ...common, beside: 'bare with SHA-256', goal: undefined }, aboveFloor),
        growth,
      ]
    } finally {
      await Promise.all([ours, plain, floor].map((server) => server.stop()))
    }
  },
}
