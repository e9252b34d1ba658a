import { latenciesAt, oneRequest, throughput } from '../harness/load.ts'
import { compared, inTurns, type Row } from '../harness/row.ts'
import { bare, mock } from '../harness/servers.ts'
import { createWorkflow } from '../harness/service-client.ts'
import { quantileOf } from '../routing/statistics.ts'

const seconds = 4

/** The 99th percentile of creating a workflow at half the mock's maximum load; the bare server gets the same arrivals. */
export const row: Row = {
  name: 'p99',
  async measure() {
    const [ours, plain] = await Promise.all([mock(), bare()])
    const task = (url: string, status: number) => oneRequest(createWorkflow(url), status)
    try {
      // The first of these only warms the server up.
      await throughput(ours.url, task(ours.url, 201), seconds)
      const perSecond = (await throughput(ours.url, task(ours.url, 201), seconds)) / 2
      const p99 = (url: string, status: number) => async () =>
        quantileOf(await latenciesAt(url, task(url, status), perSecond, seconds), 0.99)
      const pairs = await inTurns(p99(ours.url, 201), p99(plain.url, 200))
      const what = `p99 of create at ${perSecond.toFixed(0)}/s, half the maximum, open loop`
      return [compared({ what, beside: 'bare', unit: 'ms', goal: { atMost: 2 } }, pairs)]
    } finally {
      await Promise.all([ours, plain].map((server) => server.stop()))
    }
  },
}
