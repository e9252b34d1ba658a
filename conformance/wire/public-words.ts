import { gapIds, requirement, requirementIds } from '../catalogue/catalogue.ts'

/** Words of the suite, the contract and HTTP that occur in every report, independent of the key. */
const wellKnown = `
  conformance- countersign approvals execution executions workflows workflow_id document_id execution_id session_id
  upload_url file_name content_type file_size submitter_email completed_files description isSequential approvers
  estimated_duration execution_metrics step_performance bottlenecks optimization_recommendations
  Authorization Content-Type application/json application/pdf application/problem+json text/plain localhost
  user-agent accept-language keep-alive Retry-After Location /api/v1/workflows /api/v1/upload/confirm
  test_ sk_test_ sandbox_ sk_live_ default production development
`

const runs = new Map<number, ReadonlySet<string>>()

/** Returns whether a run of characters is part of a public word, and so cannot be the secret part of a key. */
export function isPublic(run: string): boolean {
  const known = runs.get(run.length) ?? publicRuns(run.length)
  runs.set(run.length, known)
  return known.has(run)
}

function publicRuns(length: number): Set<string> {
  const facts = requirementIds.map((id) => requirement(id).fact)
  const words = [wellKnown, ...requirementIds, ...facts, ...gapIds].join('\n').toLowerCase()
  return new Set(Array.from(words, (_, from) => words.slice(from, from + length)))
}
