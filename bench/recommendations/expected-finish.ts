import { type Router, route } from '../../src/domain/routing.ts'
import type { World } from '../../src/world/world.ts'
import { workflowId } from '../simulation.ts'

/**
 * Sends work to the approver who is expected to finish it first: the mean of that approver's work so far, or the step's
 * estimate before there is any, for each piece on the desk and this one.
 */
export function expectedFinish(world: World): Router {
  const analytics = world.analytics(workflowId)
  return (question) => {
    const { step, desk } = question
    const fold = analytics.step(step.stepId)
    const finish = (email: string) => {
      const { working } = fold.approver(email)
      const mean = working.count > 0 ? working.meanMs / 60_000 : step.estimatedMinutes
      return (desk(email).open + 1) * mean
    }
    const assignee = step.approvers.reduce((best, other) => (finish(other.email) < finish(best.email) ? other : best))
    const known = route(question)
    const candidates = known.candidates.map((candidate) => ({ ...candidate, expectedMinutes: finish(candidate.email) }))
    return { assignee, reason: `${assignee.email} is expected to finish first.`, candidates }
  }
}
