import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endOf } from '../harness/commands.ts'
import { type Finding, measureAlone, type Row } from '../harness/row.ts'
import { type Server, startMockCommand, startMutant } from '../harness/servers.ts'

/** The waits of a run: the settling time, which a failing run spends once, and slow answers, which are requested in parallel. */
export const row: Row = {
  name: 'waits',
  async measure() {
    const failing = 'a failing run above its 10 s to settle'
    return [
      await measureBeyond(`${failing}: executing changes nothing`, 3, () => startMutant('starts-nothing'), 1, 10),
      await measureBeyond(`${failing}: the details lack sections`, 3, () => startMutant('details-are-bare'), 1, 10),
      await measureBeyond('a run with 80 ms for each answer', 5, () => startMockCommand('--latency', '80'), 0),
    ]
  },
}

/** Measures the seconds of a run with an exit code, less the seconds that it has to wait. */
async function measureBeyond(
  what: string,
  atMost: number,
  start: () => Promise<Server>,
  exitCode: number,
  above = 0,
): Promise<Finding> {
  const server = await start()
  const reports = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const suite = ['bin/countersign.js', 'conformance', '--url', server.url, '--report-dir', reports]
  try {
    const take = async () => {
      const { code, seconds } = await endOf(suite, { COUNTERSIGN_API_KEY: 'test_bench' })
      if (code !== exitCode) throw new Error(`The run ended with ${code} instead of ${exitCode}.`)
      return seconds - above
    }
    return await measureAlone(what, 's', { atMost }, take, 3)
  } finally {
    rmSync(reports, { recursive: true })
    await server.stop()
  }
}
