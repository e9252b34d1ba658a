/** The reasons for refusing a command. The HTTP layer maps them to status codes. */
export type DomainErrorCode =
  | 'no-approvers'
  | 'workflow-not-found'
  | 'execution-not-found'
  | 'step-not-found'
  | 'step-not-assigned'
  | 'not-the-assignee'
  | 'document-not-confirmed'
  | 'session-not-found'
  | 'object-not-stored'
  | 'object-confirmed'
  | 'key-of-another-session'
  | 'file-name-mismatch'
  | 'file-too-large'
  | 'memory-full'
  | 'tenant-not-empty'
  | 'tenant-set-aside'

/** A command that a rule refuses. The message says what is wrong and what to do. */
export class DomainError extends Error {
  override readonly name = 'DomainError'

  constructor(
    readonly code: DomainErrorCode,
    message: string,
  ) {
    super(message)
  }
}

/** Returns the value. Throws a `DomainError` with the code if it is undefined. */
export function requireFound<T>(value: T | undefined, code: DomainErrorCode, message: string): T {
  if (value === undefined) throw new DomainError(code, message)
  return value
}
