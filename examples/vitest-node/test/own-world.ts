import { createClient, type WorkflowExecution } from 'countersign/client'
import { inject } from 'vitest'

/** A world on the shared mock that no other test knows, and how to steer it. */
export function ownWorld() {
  const baseUrl = inject('mockUrl')
  const apiKey = `test_${crypto.randomUUID()}`
  const steer = async (path: string, body: object) => {
    const headers = { Authorization: apiKey, 'Content-Type': 'application/json' }
    const answer = await fetch(`${baseUrl}/__admin${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  return {
    client: createClient({ baseUrl, apiKey }),
    /** Lets a duration such as `PT2H` pass; whatever is due by then has happened when it resolves. */
    advance: (duration: string) => steer('/clock/advance', { duration }),
    /** Decides a step. Simulated approvers, who decide as time passes, approve or reject as the key has it. */
    decide: (
      { execution_id }: WorkflowExecution,
      stepId: string,
      approver_email: string,
      decision: 'approved' | 'rejected',
    ) => steer(`/executions/${execution_id}/steps/${stepId}/decision`, { approver_email, decision }),
  }
}
