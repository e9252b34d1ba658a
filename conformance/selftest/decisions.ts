/** Executions that move on while a client reads their workflow. */
import { changeRequest, jsonOf, type Members, onCalls, type ServerFunction, type Wrapper } from './wrapper.ts'

/** An open step of an execution, with the approver who may decide it. */
interface OpenStep {
  readonly execution: unknown
  readonly step: unknown
  readonly approver: unknown
}

function openSteps({ recent_executions, ...execution }: Members): OpenStep[] {
  const executions = Array.isArray(recent_executions) ? (recent_executions as Members[]) : [execution]
  return executions.flatMap(({ execution_id, steps }) =>
    (Array.isArray(steps) ? (steps as Members[]) : []).flatMap(({ step_id, status, assignee }) =>
      status === 'assigned' && assignee
        ? [{ execution: execution_id, step: step_id, approver: (assignee as Members).email }]
        : [],
    ),
  )
}

/**
 * Approves steps after each of the `calls`: the first assigned step (`one by one`), the last one (`last first`), the only
 * assigned step of an execution (`only one`), or each step until all executions have ended (`all at once`).
 */
export function decides(
  how: 'one by one' | 'last first' | 'only one' | 'all at once',
  calls: readonly ('executeWorkflow' | 'getWorkflow')[] = ['getWorkflow'],
): Wrapper {
  return onCalls(calls, async (request, inner) => {
    const answer = await inner(request)
    let shown: Response | undefined = answer
    while (shown?.ok) {
      const open = openSteps((await jsonOf(shown)) ?? {})
      const isOnly = ({ execution }: OpenStep) => open.filter((one) => one.execution === execution).length === 1
      const next = how === 'only one' ? open.find(isOnly) : open.at(how === 'last first' ? -1 : 0)
      if (!next || !(await approve(request, inner, next))) break
      shown = how === 'all at once' ? await inner(await changeRequest(request, {})) : undefined
    }
    return answer
  })
}

/** Approves a step. Returns false if that is refused, since a mutant shows another approver than the one of the step. */
async function approve(request: Request, inner: ServerFunction, { execution, step, approver }: OpenStep) {
  const url = new URL(`/__admin/executions/${execution}/decision`, request.url).href
  const json = { step_id: step, decision: 'approved', approver_email: approver }
  const headers = { 'Content-Type': 'application/json' }
  const { ok } = await inner(await changeRequest(request, { url, method: 'POST', headers, json }))
  return ok
}
