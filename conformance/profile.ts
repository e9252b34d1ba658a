/** What discovery cannot find on a deployment, or gets wrong. */
export interface Profile {
  /** Where values are: JSON Pointers (RFC 6901) into the answers named. */
  readonly locators?: Partial<Record<LocatorName, string>>
  /** How long a deployment may take to show what was done. @default 10 */
  readonly settleSeconds?: number
  /** Regular expression that a test-mode key matches here. */
  readonly testKeyPattern?: string
}

/** `workflow_id` in the create answer; `session_id`, `upload_url` and `key` in the upload answer; `document_id` in the confirm answer. */
export type LocatorName =
  | 'workflow_id'
  | 'session_id'
  | 'upload_url'
  | 'key'
  | 'document_id'
  | 'execution_metrics'
  | 'step_performance'
  | 'optimization_recommendations'
