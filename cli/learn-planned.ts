import type { TimedExchange } from '../conformance/session/calls.ts'
import { readHar } from '../conformance/session/read-har.ts'
import { type LearnedDeployment, learnDeployment } from '../src/learn/learn-deployment.ts'
import { deploymentOf, orUnreachable } from './deployment.ts'
import type { Surroundings } from './news.ts'
import type { RunPlan } from './plan.ts'

export interface LearnTask {
  readonly plan: RunPlan
  /** The JSON of a HAR file to learn from as well. */
  readonly recording?: unknown
}

/** Learns a deployment as planned, and tells which part begins. */
export async function learnPlanned(
  { plan, recording }: LearnTask,
  { tell, signal }: Surroundings,
): Promise<LearnedDeployment> {
  return orUnreachable(plan, async () =>
    learnDeployment({
      ...(await deploymentOf(plan)),
      ...(recording !== undefined && { recorded: recordedCalls(recording, plan) }),
      signal,
      onStage: (stage, sent) => tell({ kind: 'stage', stage, sent }),
    }),
  )
}

/** Returns the calls of a recording, with the deployment's key instead of the recorded one. */
function recordedCalls(har: unknown, plan: RunPlan): TimedExchange[] {
  const { exchanges, apiKey } = readHar(har, { url: plan.url, keepsLists: true })
  return exchanges.map((exchange) => {
    const { method, url, headers } = exchange.request
    const own = new Headers(headers)
    const key = own.get('authorization')
    if (key !== null)
      own.set(
        'authorization',
        key.replace(apiKey, () => plan.apiKey),
      )
    return { ...exchange, request: { method, url, headers: own } }
  })
}
