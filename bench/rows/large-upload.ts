import { Connection } from '../harness/client.ts'
import { expectStatus } from '../harness/load.ts'
import { compareSides, type Finding, measureInTurns, type Row, spreadOf } from '../harness/row.ts'
import { memoryOf, type Server, startBare, startMockCommand, startSumming } from '../harness/servers.ts'
import { putRequest, requestUpload } from '../harness/service-client.ts'

const mib = 256
const large = Buffer.alloc(mib * 1024 * 1024, 'x')
const small = large.subarray(0, 1024 * 1024)

/** Uploads a file. Returns MiB per second. */
async function upload({ url }: Server, isOurs: boolean, bytes: Buffer): Promise<number> {
  const connection = await Connection.open(url)
  try {
    const target = isOurs ? (await requestUpload(connection, url, 'a.bin', bytes.byteLength)).upload_url : url
    const request = putRequest(target, bytes)
    const begun = performance.now()
    expectStatus(200, await connection.send(request))
    return bytes.byteLength / 1024 / 1024 / ((performance.now() - begun) / 1000)
  } finally {
    connection.close()
  }
}

/** The upload of 256 MiB. The bare server drops the bytes; the mock also computes their CRC-32. */
export const row: Row = {
  name: 'put',
  async measure() {
    const [ours, plain, floor] = await Promise.all([
      startMockCommand('--max-upload-size', '1GiB'),
      startBare(),
      startSumming(),
    ])
    try {
      // Load the code and buffers of any upload first, so that only the growth by large ones is measured.
      await Promise.all([upload(ours, true, small), upload(plain, false, small)])
      const before = { ours: memoryOf(ours).now, theirs: memoryOf(plain).now }
      const pairs = await measureInTurns(
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
      const aboveFloor = await measureInTurns(
        () => upload(ours, true, large),
        () => upload(floor, false, large),
      )
      const common = { what: `PUT of ${mib} MiB`, unit: 'MiB/s' }
      return [
        compareSides({ ...common, beside: 'bare', goal: { atLeast: 0.8 } }, pairs),
        compareSides({ ...common, beside: 'bare with CRC-32', goal: undefined }, aboveFloor),
        growth,
      ]
    } finally {
      await Promise.all([ours, plain, floor].map((server) => server.stop()))
    }
  },
}
