/** A page that creates, reads and executes workflows of a deployment with its own shapes. */
import { connect, readWorkflow, start } from '../../../examples/like-a-deployment/src/approvals.ts'

/** Plays the documented flow for each definition of a workflow. Returns the text of the last reading. */
async function playSession(baseUrl: string, apiKey: string, definitions: readonly object[]): Promise<string> {
  const approvals = connect(baseUrl, apiKey)
  let shown: unknown
  for (const [index, body] of definitions.entries()) {
    const { data } = await approvals.POST('/api/v1/workflows', { body: body as never })
    if (!data) throw new Error('The workflow was refused.')
    const { workflowId } = data.data
    const workflow = await readWorkflow(approvals, workflowId)
    const file = new File([`Contract ${index}`], `contract-${index}.txt`, { type: 'text/plain' })
    await start(approvals, workflow, file, `sam${index}@example.com`)
    shown = await readWorkflow(approvals, workflowId)
  }
  return JSON.stringify(shown)
}

declare global {
  var play: typeof playSession
}
globalThis.play = playSession
