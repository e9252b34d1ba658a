import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, type QueryResult } from 'pg'
import { afterAll } from 'vitest'
import { initJournal } from '../../src/node/postgres/init.ts'
import { findPostgres } from './find-postgres.ts'
import { startTcpProxy } from './tcp-proxy.ts'

/** A PostgreSQL that a test has started. */
export interface TestPostgres {
  /** Creates a database with a journal, and returns its address. */
  createJournal(): Promise<string>
  /** Creates an empty database, with more of `CREATE DATABASE`, and returns its address. */
  createDatabase(options?: string): Promise<string>
  /** Asks a database. */
  ask(url: string, statement: string): Promise<QueryResult>
  /** Runs a statement outside of the journals. */
  run(statement: string): Promise<void>
  /** Ends the server at once, as a crash does. */
  crash(): Promise<void>
  /** Starts the server again, on the same port. */
  restart(): Promise<void>
  /** Stops the server and removes its files. */
  close(): Promise<void>
}

/** PostgreSQL and PgBouncer refuse to run as root. This user has no rights. */
export const unprivileged: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Creates an empty folder of that user. */
export function unprivilegedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  const { uid, gid } = unprivileged
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/**
 * Starts a PostgreSQL with an empty folder, as an unprivileged user, on a free port of this machine.
 * With `networks` (such as `10.0.0.0/8`) it can be reached from there too.
 */
export async function startPostgres(networks?: string): Promise<TestPostgres> {
  const bin = findPostgres()
  if (bin === undefined)
    throw new Error('PostgreSQL is not installed. Install it (Debian: apt-get install postgresql).')
  const folder = unprivilegedFolder()
  chmodSync(folder, 0o700)
  const data = join(folder, 'data')
  const superuser = 'countersign'
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', superuser, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...unprivileged, cwd: folder, stdio: 'pipe' },
  )
  if (networks !== undefined) appendFileSync(join(data, 'pg_hba.conf'), `host all all ${networks} trust\n`)
  const port = await freePort()
  const urlOf = (database: string) => `postgres://${superuser}@127.0.0.1:${port}/${database}`
  const options = [
    'fsync=off',
    'max_connections=200',
    `listen_addresses=${networks === undefined ? '127.0.0.1' : '*'}`,
    `unix_socket_directories=${folder}`,
  ]
  let server = start()
  let created = 0

  function start() {
    const args = ['-D', data, '-p', String(port), ...options.flatMap((option) => ['-c', option])]
    const child = spawn(join(bin as string, 'postgres'), args, { ...unprivileged, cwd: folder, stdio: 'ignore' })
    return { child, ended: new Promise<void>((resolve) => child.once('exit', () => resolve())) }
  }

  async function ask(url: string, statement: string) {
    const client = new Client({ connectionString: url })
    await client.connect()
    return client.query(statement).finally(() => client.end())
  }

  async function run(statement: string) {
    await ask(urlOf('postgres'), statement)
  }

  async function untilReady() {
    for (;;) {
      if (server.child.exitCode !== null) throw new Error('PostgreSQL did not start.')
      try {
        return await run('SELECT 1')
      } catch {
        await pause(20)
      }
    }
  }

  async function createDatabase(options = '') {
    created += 1
    const name = `journal_${created}`
    await run(`CREATE DATABASE ${name} ${options}`)
    return urlOf(name)
  }

  await untilReady()
  return {
    ask,
    run,
    createDatabase,
    async createJournal() {
      const url = await createDatabase()
      await initJournal(url)
      return url
    },
    async crash() {
      server.child.kill('SIGQUIT')
      await server.ended
    },
    async restart() {
      server = start()
      await untilReady()
    },
    async close() {
      server.child.kill('SIGQUIT')
      await server.ended
      rmSync(folder, { recursive: true })
    },
  }
}

/** Starts a PostgreSQL for all tests of a file. */
export async function sharedPostgres(networks?: string): Promise<TestPostgres> {
  const postgres = await startPostgres(networks)
  afterAll(() => postgres.close())
  return postgres
}

/** Returns a port of this machine that nobody uses. */
export async function freePort(): Promise<number> {
  const { port, close } = await startTcpProxy(0)
  await close()
  return port
}
