/** What learning does in a thread of its own. */
import { readHar } from '../conformance/session/read-har.ts'
import { checkProfile } from '../src/learn/check.ts'
import { learnDeployment } from '../src/learn/learn-deployment.ts'
import type { Profile } from '../src/profile/profile.ts'
import { callDeployment } from './deployment.ts'
import type { Surroundings } from './news.ts'
import type { RunPlan } from './plan.ts'

/** Learns a deployment as planned, and from the JSON of a HAR file as well, and tells which part begins. */
export async function learnPlanned(
  { plan, recording }: { readonly plan: RunPlan; readonly recording?: unknown },
  { tell, signal }: Surroundings,
) {
  return callDeployment(plan, (deployment) =>
    learnDeployment({
      ...deployment,
      ...(recording !== undefined && { recorded: recordedCalls(recording, plan) }),
      signal,
      onStage: (step, sent) => tell({ kind: 'progress', progress: { step, sent } }),
    }),
  )
}

/** Checks as planned whether a deployment answers as its profile does. */
export async function checkPlanned(
  { plan, profile }: { readonly plan: RunPlan; readonly profile: Profile },
  { signal }: Surroundings,
) {
  return callDeployment(plan, (deployment) => checkProfile({ ...deployment, signal, profile }))
}

/** Returns the calls of a recording, with the deployment's key instead of the recorded one. */
function recordedCalls(har: unknown, { url, apiKey }: RunPlan) {
  const recorded = readHar(har, { url, keepsLists: true })
  return recorded.exchanges.map((exchange) => {
    const headers = new Headers(exchange.request.headers)
    const key = headers.get('authorization')
    if (key !== null)
      headers.set(
        'authorization',
        key.replace(recorded.apiKey, () => apiKey),
      )
    return { ...exchange, request: { ...exchange.request, headers } }
  })
}
