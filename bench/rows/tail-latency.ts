import { latenciesAt, oneRequest, throughput } from '../harness/load.ts'
import { compareSides, measureInTurns, type Row } from '../harness/row.ts'
import { startBare, startMockCommand } from '../harness/servers.ts'
import { createWorkflowRequest } from '../harness/service-client.ts'
import { quantileOf } from '../routing/statistics.ts'

const seconds = 4

/** The 99th percentile of creating a workflow at half the mock's maximum load; the bare server gets the same arrivals. */
export const row: Row = {
  name: 'p99',
  async measure() {
    const [ours, plain] = await Promise.all([startMockCommand(), startBare()])
    const task = (url: string, status: number) => oneRequest(createWorkflowRequest(url), status)
    try {
      // This first run only warms the server up.
      await throughput(ours.url, task(ours.url, 201), seconds)
      const perSecond = (await throughput(ours.url, task(ours.url, 201), seconds)) / 2
      const p99 = (url: string, status: number) => async () =>
        quantileOf(await latenciesAt(url, task(url, status), perSecond, seconds), 0.99)
      const pairs = await measureInTurns(p99(ours.url, 201), p99(plain.url, 200))
      const what = `p99 of create at ${perSecond.toFixed(0)}/s, half the maximum, open loop`
      return [compareSides({ what, beside: 'bare', unit: 'ms', goal: { atMost: 2 } }, pairs)]
    } finally {
      await Promise.all([ours, plain].map((server) => server.stop()))
    }
  },
}
