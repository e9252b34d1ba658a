import { setTimeout as wait } from 'node:timers/promises'
import { runFlow } from '../../scripts/follow.ts'
import { Connection, key, requestBytes } from '../harness/connection.ts'
import { type Finding, inTurns, type Row } from '../harness/measure.ts'
import {
  runCommand,
  type Server,
  startBare,
  startMock,
  startPrism,
  startSelftest,
  temporaryFolder,
  usageOf,
} from '../harness/processes.ts'
import { requestUpload } from '../harness/service.ts'

const mib = 256
const large = Buffer.alloc(mib * 1024 * 1024, 'x')

/** Returns how to upload a file to a server, in MiB per second. */
function upload({ url }: Server, isMock: boolean, bytes = large) {
  return async (): Promise<number> => {
    const connection = await Connection.open(url)
    const target = isMock ? (await requestUpload(connection, url, bytes.length)).upload_url : url
    const request = requestBytes('PUT', target, bytes)
    const begun = performance.now()
    await connection.send(request)
    const took = (performance.now() - begun) / 1000
    connection.close()
    return mib / took
  }
}

/** The upload of 256 MiB. The bare server drops the bytes; the mock also computes their CRC-32. */
export const put: Row = async () => {
  const [mock, bare] = await Promise.all([startMock('--max-upload-size', '1GiB'), startBare()])
  // Loads the code and buffers of any upload first, so that only the growth by large ones is measured.
  await upload(mock, true, large.subarray(0, 1024 * 1024))()
  const { mib: before } = usageOf(mock)
  const [ours = [], theirs = []] = await inTurns(7, upload(mock, true), upload(bare, false))
  const growth = [usageOf(mock).highestMib - before]
  return [
    { what: `PUT of ${mib} MiB`, beside: 'bare', unit: 'MiB/s', ours, theirs, goal: { atLeast: 0.8 } },
    { what: 'most memory in 8 PUTs, above that before them', unit: 'MiB', ours: growth, goal: { atMost: 32 } },
  ]
}

/** Measures the seconds from the command to the first answer, and the memory of the idle server in MiB. */
async function coldStart(start: () => Promise<Server>) {
  const begun = performance.now()
  const server = await start()
  const response = await fetch(server.url)
  await response.arrayBuffer()
  const seconds = (performance.now() - begun) / 1000
  await wait(1000)
  const { mib } = usageOf(server)
  await server.stop()
  return { seconds, mib }
}

/** The time from the command to the first answer, and the memory of an idle server. */
export const start: Row = async () => {
  const sides = [() => startMock(), () => startBare(), startPrism].map((begin) => () => coldStart(begin))
  const [mock = [], bare = [], prism = []] = await inTurns(9, ...sides)
  const compare = (part: 'seconds' | 'mib', theirs: typeof mock) => ({
    ...{ what: part === 'mib' ? 'idle memory' : 'cold start to first answer', unit: part === 'mib' ? 'MiB' : 's' },
    ...{ ours: mock.map((one) => one[part]), theirs: theirs.map((one) => one[part]) },
  })
  return [
    { ...compare('seconds', bare), beside: 'bare', goal: { atMost: 2 } },
    { ...compare('seconds', prism), beside: 'Prism', goal: { atMost: 0.25 } },
    { ...compare('mib', bare), beside: 'bare', goal: { atMost: 1.6 } },
  ]
}

/** The heap that 100,000 requests leave behind besides state, and the heap that state needs, after garbage collection. */
export const memory: Row = async () => {
  const measure = async () =>
    JSON.parse((await runCommand(['--expose-gc', '--import', 'tsx', 'bench/heap.ts'])).printed)
  const [taken = []] = await inTurns(2, measure)
  const finding = (what: string, name: string, unit: string) => ({ what, unit, ours: taken.map((one) => one[name]) })
  return [
    {
      ...finding('heap after 100,000 mixed requests and a reset, above the start', 'left', 'MiB'),
      goal: { atMost: 5 },
    },
    finding('a stored workflow of 3 steps', 'perWorkflow', 'KiB'),
    finding('a stored execution of 3 steps, with its 8 events', 'perExecution', 'KiB'),
  ]
}

/** Runs the suite and returns its seconds. Throws if it ends with another exit code. */
async function runSuite(exitCode: number, ...flags: string[]): Promise<number> {
  const suite = ['cli/countersign.js', 'conformance', '--report-dir', temporaryFolder(), ...flags]
  const { code, seconds } = await runCommand(suite, { COUNTERSIGN_API_KEY: key })
  if (code !== exitCode) throw new Error(`The suite ended with ${code} instead of ${exitCode}.`)
  return seconds
}

/** The suite against the reference, compared with a tool that runs the same flow against a mock. */
export const suite: Row = async () => {
  const { url } = await startMock()
  const respect = async () => {
    const begun = performance.now()
    const { passed, printed } = await runFlow(url, 'test_respect')
    if (!passed) throw new Error(printed)
    return (performance.now() - begun) / 1000
  }
  const [ours = [], theirs = []] = await inTurns(7, () => runSuite(0), respect)
  const what = 'the suite against the reference'
  return [
    { what, beside: 'redocly respect', unit: 's', ours, theirs, goal: { atMost: 1 } },
    { what: `${what}, wall time`, unit: 's', ours, goal: { atMost: 2 } },
  ]
}

/** The waits of a run: the settling time, which a failing run spends once, and slow answers, which are requested in parallel. */
export const waits: Row = async () => {
  const measure = async (what: string, atMost: number, { url }: Server, exitCode: number, above = 0) => {
    const [ours = []] = await inTurns(3, async () => (await runSuite(exitCode, '--url', url)) - above)
    return { what, unit: 's', ours, goal: { atMost } } satisfies Finding
  }
  const failing = 'a failing run above its 10 s to settle'
  const mutant = (id: string) => startSelftest('--mutant', id)
  return [
    await measure(`${failing}: executing changes nothing`, 3, await mutant('starts-nothing'), 1, 10),
    await measure(`${failing}: the details lack sections`, 3, await mutant('details-are-bare'), 1, 10),
    await measure('a run with 80 ms for each answer', 5, await startMock('--latency', '80'), 0),
  ]
}
