import { expect, test } from 'vitest'
import { isTemporary } from '../../src/node/postgres/refusals.ts'

/** Errors of PostgreSQL, PgBouncer, Node and the driver that pass by themselves, and that do not. */
const temporary = [
  ...['08006', '40001', '53300', '55P03', '57P01', '57P03', '58030', 'ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN'],
  ...['08P01 server login has been failing, try again later', '08P01 query_wait_timeout'],
  ...['ENOENT connect ENOENT /tmp/.s.PGSQL.5432', ' Connection terminated unexpectedly', ' timeout expired'],
]
const permanent = [
  ...['22021', '25006', '28000', '28P01', '3D000', '3F000', '42501', '42P01', '57P04', 'XX001', 'ENOTFOUND'],
  ...['08P01 SASL authentication failed', '08P01 database "ghost" does not exist', 'CERT_HAS_EXPIRED'],
  ...['ENOENT ENOENT: no such file or directory, open ca.crt', ' The server does not support SSL connections'],
]

function errorOf(text: string): Error {
  const [, code, message = ''] = /^(\w*) ?(.*)$/.exec(text) ?? []
  return Object.assign(new Error(message), code && { code })
}

test('only errors that pass by themselves are waited for', () => {
  expect([...temporary, ...permanent].filter((text) => isTemporary(errorOf(text)))).toEqual(temporary)
})
