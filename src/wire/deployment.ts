import type { BodyOperationId, Violation } from '../contract/operations.ts'

/** The times after which the details show changes, in milliseconds. */
export interface Delays {
  /** Of the list of executions. */
  readonly executions: number
  /** Of everything that follows from executions, such as metrics. */
  readonly figures: number
}

/** The ways in which a deployment differs from the contract, and its storage from S3. */
export interface DeploymentWays {
  /** Returns true if it accepts what is refused by a name, such as `file-too-large` or `putObject SignatureDoesNotMatch type`. */
  readonly accepts: (name: string) => boolean
  /** Returns true if it refuses what is accepted otherwise, by a name such as `putObject again`. */
  readonly refuses: (name: string) => boolean
  /** Returns true if it accepts a violation of the contract. */
  acceptsViolation(id: BodyOperationId, body: object, violation: Violation): boolean
  /** Returns a body that the service can use in place of one with accepted violations, or undefined if there is none. */
  repair(body: object, violations: readonly Violation[]): object | undefined
  /** Returns what it refuses in a body that the contract accepts. */
  stricter(id: BodyOperationId, body: object): readonly Violation[]
  readonly delays: Delays
  /** True if it lists all workflows at `GET /api/v1/workflows`. */
  readonly listsWorkflows: boolean
  /** The paths at which it shows a single execution, such as `/api/v1/executions/{execution_id}`. */
  readonly executionPaths: readonly string[]
  /** True if the MD5 of stored objects is computed. */
  readonly needsMd5: boolean
  /** True if the SHA-256 of stored objects is computed, and not only if a PUT announces it. */
  readonly needsSha256: boolean
}

/** Does everything as the contract and S3 do. */
export const asDocumented: DeploymentWays = {
  accepts: () => false,
  refuses: () => false,
  acceptsViolation: () => false,
  repair: () => undefined,
  stricter: () => [],
  delays: { executions: 0, figures: 0 },
  listsWorkflows: false,
  executionPaths: [],
  needsMd5: false,
  needsSha256: false,
}
