import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { initJournal } from '../../src/node/postgres/init.ts'
import { openPostgres } from '../../src/node/postgres/postgres-stream.ts'
import { startMock } from '../../src/node/start-mock.ts'
import { certificate, key as certificateKey } from '../support/certificate.ts'
import { freePort, sharedPostgres, unprivileged } from '../support/postgres.ts'
import { scratch } from '../support/scratch.ts'
import { clientOf } from '../support/service.ts'

const postgres = await sharedPostgres()

/** Has the server write a file that only it can read. */
function write(path: string, text: string): Promise<void> {
  const encoded = Buffer.from(text).toString('base64')
  return postgres.run(`COPY (SELECT 1) TO PROGRAM 'umask 077; echo ${encoded} | base64 -d > ${path}'`)
}

/** Starts PgBouncer in front of a database. Returns the address of the database behind it. */
async function pool(url: string, mode: 'session' | 'transaction' | 'statement'): Promise<string> {
  const [folder, port] = [scratch(), await freePort()]
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const settings = [
    ...['[databases]', `* = host=127.0.0.1 port=${new URL(url).port} user=countersign`, '[pgbouncer]'],
    ...[`pool_mode = ${mode}`, `listen_port = ${port}`, 'listen_addr = 127.0.0.1', 'auth_type = any'],
    'unix_socket_dir =',
  ]
  writeFileSync(file, settings.join('\n'))
  const pooler = spawn('pgbouncer', [file], { ...unprivileged, stdio: 'ignore' })
  onTestFinished(async () => {
    pooler.kill('SIGKILL')
    await once(pooler, 'exit')
  })
  const pooled = new URL(url)
  pooled.port = String(port)
  for (;;) {
    const answers = await postgres.ask(pooled.href, 'SELECT 1').then(
      () => true,
      () => false,
    )
    if (answers) return pooled.href
    await pause(20)
  }
}

/** Lets a user called `careful` in with a password, and one called `tls` only over TLS, which is prepared. */
async function configure(): Promise<void> {
  await postgres.run("CREATE USER careful PASSWORD 'right'; CREATE USER reader; CREATE USER tls")
  const { rows } = await postgres.ask(
    await postgres.createDatabase(),
    "SELECT current_setting('data_directory') AS folder",
  )
  const [{ folder }] = rows
  const rules = ['host all careful all scram-sha-256', 'hostnossl all tls all reject', 'host all all all trust']
  await write(join(folder, 'pg_hba.conf'), `${rules.join('\n')}\n`)
  await write(join(folder, 'server.crt'), certificate)
  await write(join(folder, 'server.key'), certificateKey)
  await postgres.run('SELECT pg_reload_conf()')
}

/** Has three mocks create workflows of one tenant at the same time. */
async function createMany(journal: string): Promise<void> {
  const mocks = await Promise.all([1, 2, 3].map(() => startMock({ journal, graceMs: 100 })))
  onTestFinished(() => Promise.all(mocks.map((mock) => mock.close())).then(() => {}))
  const clients = mocks.map((mock) => clientOf(mock, 'test_many'))
  const answers = await Promise.all(clients.flatMap(({ create }) => Array.from({ length: 10 }, () => create())))
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201))
}

/** Changes a part of the address of a journal. */
const change = (part: 'username' | 'pathname' | 'hostname' | 'search', value: string) => (journal: string) => {
  const url = new URL(journal)
  url[part] = value
  return url.href
}

/** Changes a journal with a statement. */
const after = (statement: string) => async (journal: string) => {
  await postgres.ask(journal, statement)
  return journal
}

const asReader = async (journal: string) => change('username', 'reader')(await after(readable)(journal))
const readable = `GRANT USAGE ON SCHEMA countersign TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA countersign TO reader`
/** Sets a parameter of a database for new sessions. */
const set = (parameter: string) => async (journal: string) => {
  await postgres.run(`ALTER DATABASE ${new URL(journal).pathname.slice(1)} SET ${parameter}`)
  return journal
}

/** Turns TLS in the server on or off. New sessions have it so as soon as they show it. */
async function setTls(journal: string, ssl: 'on' | 'off'): Promise<void> {
  await postgres.run(`ALTER SYSTEM SET ssl = ${ssl}`)
  await postgres.run('SELECT pg_reload_conf()')
  await expect.poll(async () => (await postgres.ask(journal, 'SHOW ssl')).rows).toEqual([{ ssl }])
}

const withoutTls = async (journal: string) => {
  await setTls(journal, 'off')
  return change('search', 'sslmode=verify-full')(journal)
}

const inLatin1 = () => postgres.createDatabase("ENCODING 'LATIN1' TEMPLATE template0")

/** Fails unless a journal is refused at once. */
async function mustRefuse(url: string, message: RegExp): Promise<void> {
  const warnings: string[] = []
  const opening = openPostgres(url, { patienceMs: 1000, warn: (text) => warnings.push(text) })
  await expect(opening).rejects.toThrow(message)
  expect(warnings).toEqual([])
}

/** What waiting does not help, and how the message ends. */
const refused: readonly (readonly [what: string, prepare: (journal: string) => string | Promise<string>, RegExp])[] = [
  ['a wrong password', change('username', 'careful:wrong'), /password authentication failed .* Correct the user or/],
  ['no password', change('username', 'careful'), /password must be a string\. Set PGPASSWORD/],
  ['an unknown user', change('username', 'ghost'), /role "ghost" does not exist\. Correct the user/],
  ['an unknown database', change('pathname', '/ghost'), /"ghost" does not exist\. Create the database/],
  ['an unknown host', change('hostname', 'ghost.invalid'), /ENOTFOUND ghost\.invalid\. Correct the host\./],
  ['no TLS in the server', withoutTls, /does not support SSL.*\. Turn TLS on there, or/],
  ['a file that is missing', change('search', 'sslrootcert=/none'), /ENOENT.* Check the address/],
  ['no journal', after('DROP SCHEMA countersign CASCADE'), /Run countersign journal init/],
  ['an older journal', after('UPDATE countersign.journal SET version = 1'), /has version 1, .* Drop its schema/],
  ['a newer journal', after('UPDATE countersign.journal SET version = 99'), /has version 99, .* a newer Countersign/],
  ['no rights', change('username', 'reader'), /permission denied for schema countersign\. Grant its user/],
  ['a user that may only read', asReader, /reader lacks rights in .*: INSERT on .*streams, UPDATE on .*\. Grant its/],
  ['no writing', set('default_transaction_read_only = on'), /is read-only\. Use a server that can be written to/],
  ['another encoding', inLatin1, /has the encoding LATIN1\. Create one with CREATE DATABASE … ENCODING 'UTF8'/],
  ['pooled transactions', (journal) => pool(journal, 'transaction'), /does not keep sessions,.* pool_mode = session\./],
  ['pooled statements', (journal) => pool(journal, 'statement'), /not allowed in statement pooling mode\. Have the/],
]

beforeAll(configure)

test.each(refused)('a mock does not wait for a database with %s', async (what, prepare, message) => {
  const url = await prepare(await postgres.createJournal())
  await mustRefuse(decodeURIComponent(url), message)
  // There is no journal in a database with another encoding, either.
  if (what === 'another encoding') await expect(initJournal(url)).rejects.toThrow(message)
})

test('a mock writes through a pooler that keeps sessions', async () => {
  await createMany(await pool(await postgres.createJournal(), 'session'))
})

test('a mock writes if transactions are serializable by default', async () => {
  await createMany(await set("default_transaction_isolation = 'serializable'")(await postgres.createJournal()))
})

test('a mock trusts the authority in sslrootcert, and names it if it is missing', async () => {
  const journal = await postgres.createJournal()
  await setTls(journal, 'on')
  const authority = join(scratch(), 'authority.crt')
  writeFileSync(authority, certificate)
  const withTls = change('search', 'sslmode=verify-full')(change('username', 'tls')(journal))
  await postgres.ask(
    journal,
    'GRANT ALL ON SCHEMA countersign TO tls; GRANT ALL ON ALL TABLES IN SCHEMA countersign TO tls',
  )
  await mustRefuse(
    withTls.replace('verify-full', 'require'),
    /Add sslrootcert=FILE with its authority to the address\./,
  )
  await mustRefuse(change('search', '')(withTls), /pg_hba\.conf rejects connection .*no encryption\. Correct the user/)
  await createMany(`${withTls}&sslrootcert=${authority}`)
})
