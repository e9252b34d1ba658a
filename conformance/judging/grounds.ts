/** What may accuse. Checks state the ground of a failure, and this file alone decides what it is worth. */
import type { RequirementId } from '../catalogue/catalogue.ts'
import { type Ground, type GroundName, groundName } from '../reading/finding.ts'
import type { Observation } from './check.ts'

/** Whether a failure on a ground counts as one; if not, nothing is decided. */
export const mayAccuse: Readonly<Record<GroundName, boolean>> = {
  /** A place whose value follows what was sent in samples that differ, or that works when it is used. */
  proven: true,
  /** A place with the contract's own name beside proven ones of the same thing. */
  named: true,
  /** A call was carried out or refused, against a control with the same recipe. */
  outcome: true,
  /** Nothing in the answer could be what is sought: every part of it is explained as something else. */
  absent: true,
  /** A place that is told by vocabulary, position or shape alone. */
  likely: false,
}

/**
 * The grounds on which each documented check fails, the weakest last. A check with `outcome` alone judges how a call was
 * answered. A test compares the table with the grounds of the failures on all mutants: each entry occurs, and no other.
 */
export const failsOn: Readonly<Partial<Record<RequirementId, readonly GroundName[]>>> = {
  'workflow.defines-approval-steps': ['named'],
  'execution.for-one-document': ['named'],
  'details.execution-metrics': ['absent'],
  'details.step-performance': ['absent'],
  'details.optimization-recommendations': ['absent'],
  'analytics.bottleneck-detection': ['absent'],
  'analytics.success-rates': ['absent'],
  'analytics.completion-times': ['absent'],
  'api.paths-relative-to-base': ['outcome'],
  'api.request-bodies-are-json': ['outcome'],
  'api.json-content-type': ['outcome'],
  'workflow.name': ['outcome', 'named'],
  'workflow.name-at-most-100': ['outcome', 'proven'],
  'workflow.description': ['outcome', 'proven', 'named'],
  'workflow.is-sequential': ['outcome', 'proven', 'named'],
  'workflow.is-sequential-default-true': ['outcome', 'proven'],
  'workflow.steps': ['outcome', 'proven', 'named'],
  'step.step-id': ['outcome', 'named'],
  'step.name': ['outcome', 'named'],
  'step.order': ['outcome', 'named'],
  'step.order-starts-at-1': ['outcome', 'named'],
  'step.type-approval': ['outcome', 'named'],
  'step.approvers': ['outcome', 'proven', 'named'],
  'step.estimated-duration': ['outcome', 'named'],
  'approver.email': ['outcome', 'proven', 'named'],
  'approver.name': ['outcome', 'proven', 'named'],
  'execution.document-id': ['outcome', 'named'],
  'execution.submitter-email': ['outcome', 'named'],
  'execution.mode-standard': ['outcome', 'named'],
  'execution.priority-high': ['outcome', 'named'],
  'upload.file-name': ['outcome', 'named'],
  'upload.content-type': ['outcome', 'named'],
  'upload.file-size': ['outcome', 'named'],
  'upload.answers-upload-url': ['outcome'],
  'upload.answers-session-id': ['outcome'],
  'upload.session-id-is-uuid': ['proven'],
  'upload.session-ids-differ': ['proven'],
  'confirm.session-id': ['outcome', 'proven', 'named'],
  'confirm.completed-files': ['outcome'],
  'completed-file.key': ['outcome', 'proven', 'named'],
  'completed-file.key-begins-with-tenants': ['proven'],
  'completed-file.key-ends-with-file-name': ['proven'],
  'completed-file.file-name': ['outcome', 'proven', 'named'],
  'api.under-api-v1': ['outcome'],
  'create-workflow.method-and-path': ['outcome'],
  'workflow.ids-differ': ['proven'],
  'execute-workflow.method-and-path': ['outcome'],
  'execute-workflow.identifies-created-workflow': ['outcome', 'named'],
  'execute-workflow.chooses-approvers': ['named'],
  'execute-workflow.starts-execution': ['named'],
  'get-workflow.method-and-path': ['outcome', 'proven'],
  'get-workflow.no-request-body': ['outcome'],
  'request-upload.method-and-path': ['outcome'],
  'storage.put-to-upload-url': ['outcome'],
  'storage.not-a-service-path': ['proven'],
  'storage.declared-content-type': ['outcome'],
  'storage.raw-bytes': ['outcome', 'proven', 'named'],
  'storage.put-returns-200': ['outcome'],
  'storage.put-returns-empty-body': ['outcome'],
  'storage.no-service-key': ['outcome'],
  'confirm-upload.method-and-path': ['outcome'],
  'flow.create-execute-read': ['outcome'],
  'flow.request-put-confirm': ['outcome'],
  'flow.document-id-refers-to-upload': ['outcome', 'proven'],
  'auth.raw-key': ['outcome'],
  'auth.every-service-call': ['outcome'],
  'auth.key-is-required': ['outcome'],
}
/** Returns an observation as its ground allows: a failure on one that may not accuse leaves the fact undecided. */
export function weighed<Seen extends Pick<Observation, 'verdict' | 'message' | 'ground'>>(observation: Seen): Seen {
  const { verdict, message, ground } = observation
  if (verdict !== 'fail' || ground === undefined || mayAccuse[groundName(ground)]) return observation
  return { ...observation, verdict: 'inconclusive', message: `${message} ${doubt(ground)}` }
}

function doubt(ground: Ground): string {
  if (typeof ground === 'string') return 'That does not suffice to tell.'
  const { what, answer, place, rule } = ground
  const where = answer === undefined ? place : `${place} of ${answer}`
  return `That ${where} is ${what} is only likely (${rule}); set locators.${what} in a profile.`
}
