import type { PoolConfig } from 'pg'
import { ArchiveError } from '../../world/archive.ts'
import { installed } from '../journal/errors.ts'

/** Returns true if a journal is a database, and not a file. */
export function isPostgresUrl(journal: string): boolean {
  return /^postgres(ql)?:\/\//i.test(journal)
}

/** The time that a connection may take, in milliseconds. */
const connectMs = 2000
/** The time that the database may take for a statement, and the time to wait for its answer. */
const statementMs = 5000
const answerMs = 6000
/** The time after which the database ends the transaction of a mock that has stopped. */
export const idleMs = 2000

/** What each session sets. It does not say so while it connects, since poolers refuse that. */
const session = `SET statement_timeout = ${statementMs}; SET idle_in_transaction_session_timeout = ${idleMs};
  SET default_transaction_isolation = 'read committed'`

/** Returns the settings of all connections to the database with a URL. Throws an `ArchiveError` if it is not a URL. */
export function settingsFor(url: string): PoolConfig {
  if (!URL.canParse(url)) {
    throw new ArchiveError('The address of the database is not a URL. Use postgres://user@host:5432/database.')
  }
  return {
    // They mean the same to the driver, which warns that a later one will not verify the server.
    connectionString: url.replace(/([?&]sslmode=)(prefer|require|verify-ca)\b/, '$1verify-full'),
    application_name: 'countersign',
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
    verify: (client, done) => void client.query(session).then(() => done(), done),
  }
}

/** Returns the name of a database for messages, without user and password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'localhost'}${port && `:${port}`}${pathname}`
}

/** Loads the driver on demand: a mock without a database has none. Throws an `ArchiveError` if it is not installed. */
export const loadPg = () => installed('pg', import('pg'))

/** Returns the code of an error of the database (SQLSTATE); undefined if the database did not answer. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code) ? code : undefined
}

/** Classes and codes of errors after which it is unknown whether a statement was carried out. */
const uncertain = /^(08|57P0[12])/

/** Returns true if the database has refused a statement, so that it had no effect. */
export function isRefusal(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state !== undefined && !uncertain.test(state)
}
