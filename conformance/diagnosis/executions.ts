/** Why an execution is refused. */

import type { Flow } from '../flow/flow.ts'
import { Broken } from '../judging/check.ts'
import type { Located } from '../reading/locate.ts'
import { type Exchange, label } from '../wire/exchange.ts'
import { bodyAvoidances, omit, reasonFor } from './avoidances.ts'

/** The reason of a refusal, given the values that were tried as the document's identifier. */
export async function executeBroken(
  flow: Flow,
  which: 1 | 2,
  workflowId: string,
  candidates: readonly Located[],
  refusal?: Exchange,
): Promise<Broken> {
  const [best] = candidates
  if (!refusal || !best) return unknownDocument('No answer shows a document identifier')
  if (which === 2) {
    const message = `${label(refusal)} to executing a second workflow, although the first was executed`
    return new Broken('execute-workflow.identifies-created-workflow', 'fail', message)
  }
  const body = flow.samples.execution(String(best.value))
  const send = (change: object) => () => flow.target.executeWorkflow(workflowId, change)
  const broken = await reasonFor(refusal, 'execute-workflow.method-and-path', send(body), [
    { id: 'execution.document-id', how: 'without document_id', send: send(omit(body, ['document_id'])) },
    {
      id: 'execution.document-id',
      how: 'with document_id as a list',
      send: send({ ...body, document_id: [body.document_id] as unknown as string }),
    },
    { id: 'execution.priority-high', how: 'without priority', send: send(omit(body, ['priority'])) },
    { id: 'execution.mode-standard', how: 'without execution_mode', send: send(omit(body, ['execution_mode'])) },
    { id: 'execution.submitter-email', how: 'without submitter_email', send: send(omit(body, ['submitter_email'])) },
    ...bodyAvoidances(
      () => body,
      (text, type) => flow.target.post(`/api/v1/workflows/${encodeURIComponent(workflowId)}/execute`, text, type),
    ),
  ])
  const isNamed = candidates.some(({ name, pointer }) => /document|file/i.test(name + pointer.replace(/^\w+/, '')))
  const isOther = refusal.status < 400 || [405, 415, 501].includes(refusal.status)
  if (broken.by !== 'execute-workflow.method-and-path' || isNamed || isOther || refusal.status >= 500) return broken
  return unknownDocument(`${label(refusal)}; perhaps no value in the answers is the document's identifier`)
}

function unknownDocument(why: string): Broken {
  const message = `${why}; set locators.document_id in a profile`
  return new Broken('flow.document-id-refers-to-upload', 'inconclusive', message)
}
