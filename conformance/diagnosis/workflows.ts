/** Why a workflow is refused. */

import type { Flow } from '../flow/flow.ts'
import { Broken } from '../judging/check.ts'
import { type Exchange, label, succeeded } from '../wire/exchange.ts'
import { bodyAvoidances, reasonFor, workflowAvoidances } from './avoidances.ts'

/** The reason of a refusal; the second workflow differs from the first in isSequential alone. */
export async function createBroken(flow: Flow, which: 1 | 2, refusal: Exchange): Promise<Broken> {
  const { exchange: first } = await flow.firstCreate()
  if (which === 2 && succeeded(first) && (await flow.stillCreates())) {
    const message = `${label(refusal)} to a workflow with isSequential false, although one with true is accepted`
    return new Broken('workflow.is-sequential', 'fail', message)
  }
  const sample = () => flow.samples.workflow()
  return reasonFor(refusal, 'create-workflow.method-and-path', () => flow.create(sample()), [
    ...workflowAvoidances(sample, (body) => flow.create(body)),
    ...bodyAvoidances(sample, (text, type) => flow.target.post('/api/v1/workflows', text, type)),
  ])
}
