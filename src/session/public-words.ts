/** Words of the contract and of HTTP that occur in every session, independent of the key. */
export const wellKnown = `
  conformance- countersign approvals execution executions workflows workflow_id document_id execution_id session_id
  upload_url file_name content_type file_size submitter_email completed_files description isSequential approvers
  estimated_duration execution_metrics step_performance bottlenecks optimization_recommendations
  Authorization Content-Type application/json application/pdf application/problem+json text/plain localhost
  user-agent accept-language keep-alive Retry-After Location /api/v1/workflows /api/v1/upload/confirm
  test_ sk_test_ sandbox_ sk_live_ default production development
`

/** Returns a function that says whether a run of characters is part of public words, and so cannot be the secret part of a key. */
export function publicRunsIn(words: string): (run: string) => boolean {
  const text = words.toLowerCase()
  const runs = new Map<number, ReadonlySet<string>>()
  return (run) => {
    const { length } = run
    const known = runs.get(length) ?? new Set(Array.from(text, (_, from) => text.slice(from, from + length)))
    runs.set(length, known)
    return known.has(run)
  }
}
