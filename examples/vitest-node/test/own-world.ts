import { createClient, type WorkflowExecution } from 'countersign/client'
import { inject } from 'vitest'

/** Creates a world on the shared mock for one test, with functions to control it. */
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
    /** Advances the clock by a duration such as `PT2H`. Resolves once everything due by then has happened. */
    advance: (duration: string) => steer('/clock/advance', { duration }),
    /** Decides a step. Simulated approvers decide as time passes, and the key determines how. */
    decide: (
      { execution_id }: WorkflowExecution,
      step_id: string,
      approver_email: string,
      decision: 'approved' | 'rejected',
    ) => steer(`/executions/${execution_id}/decision`, { step_id, approver_email, decision }),
  }
}
