import { gapIds, requirement, requirementIds } from './catalogue.ts'

/** Words of the suite, the contract and HTTP that are in every report, whatever the key is. */
const wellKnown = `
  conformance- countersign approvals execution executions workflows workflow_id document_id execution_id session_id
  upload_url file_name content_type file_size submitter_email completed_files description isSequential approvers
  estimated_duration execution_metrics step_performance bottlenecks optimization_recommendations
  Authorization Content-Type application/json application/pdf application/problem+json text/plain localhost
  user-agent accept-language keep-alive Retry-After Location /api/v1/workflows /api/v1/upload/confirm
  test_ sk_test_ sandbox_ sk_live_ default production development
`

let words: string | undefined

/** Tells whether a run of characters is part of a word that everybody knows, so that it cannot be the secret part of a key. */
export function isPublic(run: string): boolean {
  words ??= [wellKnown, ...requirementIds, ...requirementIds.map((id) => requirement(id).fact), ...gapIds]
    .join('\n')
    .toLowerCase()
  return words.includes(run)
}
