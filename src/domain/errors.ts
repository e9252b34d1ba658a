/** Every way in which a command can be refused. Status numbers are added at the edge. */
export type DomainErrorCode =
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

/** A command that a rule refuses. The message says what failed, why, and what to do. */
export class DomainError extends Error {
  override readonly name = 'DomainError'

  constructor(
    readonly code: DomainErrorCode,
    message: string,
  ) {
    super(message)
  }
}

/** Gives the value back, or refuses with the code when there is none. */
export function found<T>(value: T | undefined, code: DomainErrorCode, message: string): T {
  if (value === undefined) throw new DomainError(code, message)
  return value
}
