/** Decides which grounds suffice for a failure. Checks only state the ground. */
import type { RequirementId } from '../catalogue/catalogue.ts'
import { locatorFor } from '../evidence/locators.ts'
import { type Ground, type GroundName, groundName } from '../reading/finding.ts'
import type { Observation } from './check.ts'

/** True if a failure on a ground counts. Otherwise the check is undecided. */
export const mayAccuse: Readonly<Record<GroundName, boolean>> = {
  /** A place whose value follows the sent one in samples that differ, or works when it is used. */
  proven: true,
  /** A place with the contract's own name, beside proven places of the same object. */
  named: true,
  /** A call was carried out or refused, unlike its control. */
  outcome: true,
  /** The answer does not contain the value: every part of it is explained as something else. */
  absent: true,
  /** A place that is recognized only by vocabulary, position or shape. */
  likely: false,
}

/**
 * The grounds on which each documented check can fail, the weakest last. A check with only `outcome` judges how a call was
 * answered. A test compares this table with the failures on all mutants: exactly these grounds occur.
 */
export const failsOn: Readonly<Partial<Record<RequirementId, readonly GroundName[]>>> = {
  'workflow.defines-approval-steps': ['named'],
  'execution.for-one-document': ['proven', 'named'],
  'details.execution-metrics': ['absent', 'named'],
  'details.step-performance': ['absent', 'proven', 'named'],
  'details.optimization-recommendations': ['absent', 'proven'],
  'analytics.bottleneck-detection': ['absent', 'proven', 'named'],
  'analytics.success-rates': ['absent', 'named'],
  'analytics.completion-times': ['absent', 'proven', 'named'],
  'api.paths-relative-to-base': ['outcome'],
  'api.request-bodies-are-json': ['outcome'],
  'api.json-content-type': ['outcome'],
  'workflow.name': ['outcome', 'named'],
  'workflow.name-at-most-100': ['outcome', 'proven', 'named'],
  'workflow.description': ['outcome', 'proven', 'named'],
  'workflow.is-sequential': ['outcome', 'named'],
  'workflow.is-sequential-default-true': ['outcome', 'proven', 'named'],
  'workflow.steps': ['outcome', 'proven', 'named'],
  'step.step-id': ['outcome', 'proven', 'named'],
  'step.name': ['outcome', 'proven', 'named'],
  'step.order': ['outcome', 'named'],
  'step.order-starts-at-1': ['outcome', 'named'],
  'step.type-approval': ['outcome', 'named'],
  'step.approvers': ['outcome', 'proven', 'named'],
  'step.estimated-duration': ['outcome', 'proven', 'named'],
  'approver.email': ['outcome', 'proven', 'named'],
  'approver.name': ['outcome', 'proven', 'named'],
  'execution.document-id': ['outcome', 'proven', 'named'],
  'execution.submitter-email': ['outcome', 'proven', 'named'],
  'execution.mode-standard': ['outcome', 'named'],
  'execution.priority-high': ['outcome', 'named'],
  'upload.file-name': ['outcome', 'named'],
  'upload.content-type': ['outcome', 'named'],
  'upload.file-size': ['outcome', 'proven', 'named'],
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
  'execute-workflow.identifies-created-workflow': ['outcome', 'proven', 'named'],
  'execute-workflow.chooses-approvers': ['proven', 'named'],
  'execute-workflow.starts-execution': ['proven', 'named'],
  'execution.steps-in-order': ['proven'],
  'execution.steps-side-by-side': ['proven'],
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

/** Turns a failure into an inconclusive observation if its ground does not suffice. Returns all others unchanged. */
export function applyGround<Seen extends Pick<Observation, 'verdict' | 'message' | 'ground'>>(observation: Seen): Seen {
  const { verdict, message, ground } = observation
  if (verdict !== 'fail' || ground === undefined || mayAccuse[groundName(ground)]) return observation
  return { ...observation, verdict: 'inconclusive', message: `${message} ${describeDoubt(ground)}` }
}

function describeDoubt(ground: Ground): string {
  if (typeof ground === 'string') return 'This ground does not suffice for a failure.'
  const { what, answer, place, rule } = ground
  const where = answer === undefined ? place : `${place} of ${answer}`
  const locator = locatorFor(what)
  const advice = locator === undefined ? '' : `; set locators.${locator} in a profile`
  return `That ${where} is ${what} is only likely (${rule})${advice}.`
}
