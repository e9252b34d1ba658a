import { ArchiveError } from '../../world/archive.ts'
import { causeOf } from '../journal/errors.ts'

const start = 'Start it, or correct the address.'
const account = 'Correct the user or the password, or what the server allows (pg_hba.conf).'
const database = 'Create the database, or correct its name.'

/**
 * Errors as `CODE message`, whether they may pass by themselves, and what to do. The code is PostgreSQL's (SQLSTATE) or Node's; errors
 * of the driver have none. The first row that fits counts. An error that fits none is permanent.
 */
const rows: readonly (readonly [error: RegExp, passes: 'temporary' | 'permanent', advice: string])[] = [
  // PgBouncer has this code for nearly everything.
  [/^08P01 .*(authentication failed|no such user|not allowed to)/, 'permanent', account],
  [/^08P01 .*(database .* does not exist|no such database)/, 'permanent', database],
  [/^08P01 .*pooling mode/, 'permanent', 'Have the pooler keep sessions: pool_mode = session.'],
  [/^08P01 unsupported startup parameter/, 'permanent', 'Leave it out of the address.'],
  [/^28/, 'permanent', account],
  [/^ SASL: .*password/, 'permanent', 'Set PGPASSWORD, or use ~/.pgpass.'],
  [/^(3D000|57P04)/, 'permanent', database],
  [/^(3F000|42P01)/, 'permanent', 'Run countersign journal init with its address.'],
  [/^42501/, 'permanent', 'Grant its user the rights in docs/postgres.md.'],
  [/^25006/, 'permanent', 'Use a server that can be written to, and a user that may write.'],
  [/^(08|40|53|55|57|58)/, 'temporary', start],
  [/^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|ENOENT connect)/, 'temporary', start],
  [/^ .*(terminated|timeout)/i, 'temporary', start],
  [/^ENOTFOUND/, 'permanent', 'Correct the host.'],
  [/^ .*does not support SSL/, 'permanent', 'Turn TLS on there, or leave sslmode out of the address.'],
  [/^(UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/, 'permanent', 'Add sslrootcert=FILE with its authority to the address.'],
  [/^ERR_TLS_CERT_ALTNAME/, 'permanent', 'Use a host name of the certificate.'],
]

function rowOf(error: unknown) {
  const { code = '' } = (error instanceof AggregateError ? error.errors[0] : error) as { readonly code?: unknown }
  const text = `${code} ${causeOf(error)}`
  return rows.find(([pattern]) => pattern.test(text))
}

/** Returns true if the same may work a little later. */
export function isTemporary(error: unknown): boolean {
  return rowOf(error)?.[1] === 'temporary'
}

/** Returns the error for users. `what` says what failed, as a sentence without its end. */
export function explained(what: string, error: unknown): ArchiveError {
  if (error instanceof ArchiveError) return error
  const advice = rowOf(error)?.[2] ?? 'Check the address and the server.'
  return new ArchiveError(`${what}: ${causeOf(error)}. ${advice}`)
}
