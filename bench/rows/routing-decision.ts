import { executionDecider } from '../../src/domain/approval/execution.ts'
import type { Step } from '../../src/domain/approval/workflow.ts'
import { History } from '../../src/domain/routing/history.ts'
import { type RoutingQuestion, route } from '../../src/domain/routing/routing.ts'
import { Random } from '../../src/world/random.ts'
import { measureAlone, type Row } from '../harness/row.ts'

const decisions = 1_000_000
const questions = 50_000
const approvers = Array.from({ length: 10 }, (_, index) => `approver-${index}@example.com`)
const step: Step = {
  step_id: 'step',
  name: 'Step',
  order: 1,
  approvers: approvers.map((email) => ({ email, name: email })),
  estimated_duration: 60,
}

/** Builds the history of `total` decisions, spread evenly over the approvers, one assignment at a time. */
function historyOf(total: number): { history: History; now: number } {
  const history = new History()
  const luck = new Random('history')
  const ids = { executionId: 'exe', workflowId: 'wf', stepId: step.step_id }
  const definition = { name: '', description: '', isSequential: true, steps: [step] }
  const request = { document_id: 'doc', priority: 'normal' }
  const workflow = { ...definition, workflowId: 'wf', createdAt: 0 }
  const [started] = executionDecider.decide(
    { type: 'StartExecution', executionId: 'exe', workflow, request },
    undefined,
  )
  if (!started) throw new Error('No execution was started. The decider returned no event.')
  const execution = executionDecider.evolve(undefined, { ...started, seq: 1, at: 0 })
  let now = 0
  for (let seq = 1; seq <= total; seq += 1) {
    const assignee = step.approvers[seq % approvers.length] ?? { email: '', name: '' }
    const { email } = assignee
    history.apply(
      { type: 'StepAssigned', ...ids, route: { assignee, reason: '', candidates: [] }, seq, at: now },
      execution,
    )
    const takenUpAt = now
    now += Math.round(60_000 * 60 * Math.exp(0.4 * luck.normal()))
    history.apply({ type: 'StepDecided', ...ids, email, decision: 'approved', takenUpAt, seq, at: now }, execution)
  }
  return { history, now }
}

/** The choice of one of ten approvers after a million decisions. */
export const row: Row = {
  name: 'routing',
  async measure() {
    const { history, now } = historyOf(decisions)
    const question: RoutingQuestion = {
      executionId: '',
      step,
      priority: 'normal',
      now,
      desk: (email) => history.desk(email),
    }
    const perDecision = async () => {
      // Processor time is independent of other programs on the machine.
      const before = process.cpuUsage()
      for (let index = 0; index < questions; index += 1) route(question)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / questions
    }
    await perDecision()
    const what = `a routing decision among ${approvers.length}, after ${decisions.toLocaleString('en')} decisions`
    return [await measureAlone(what, 'us', { atMost: 20 }, perDecision)]
  },
}
