import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Pool, PoolClient, QueryResult } from 'pg'
import { UnavailableError, UncertainError } from '../../world/archive.ts'
import { type Addition, type Channel, type Position, type Stream, start } from '../../world/shared/stream.ts'
import { causeOf } from '../journal/errors.ts'
import { isRefusal, loadPg, placeOf, settingsFor, sqlStateOf } from './connection.ts'
import { openDatabase } from './opening.ts'
import { isTemporary } from './refusals.ts'

/** Options of `openPostgres`. */
export interface PostgresOptions {
  /** The time to wait for the database at the start, in milliseconds. @default 30,000 */
  readonly patienceMs?: number
  /** Called with warnings for the user. @default they are ignored */
  readonly warn?: (message: string) => void
}

/** Connections for statements, and as many for sections that one mock has for itself. */
const mostConnections = 8
/** The time for which an append with an unknown outcome is repeated, in milliseconds, and the time between two tries. */
const certaintyMs = 10_000
const betweenTriesMs = 200
/** The time for which other mocks may hold a section. */
const lockWait = '3s'
/** The time between two messages to other mocks, in milliseconds. */
const newsMs = 50
/** The time for closing connections, in milliseconds. */
const leaveMs = 1000
const channelName = 'countersign'
/** The number of records in one answer, and the bytes after which it ends earlier. */
const recordsAtOnce = 5000
const bytesAtOnce = 8 * 1024 * 1024

/** A statement with its values; prepared once for each connection under its name. */
interface Statement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** Waits for the database and opens the journal in it. Throws an `ArchiveError` if it does not answer or has no journal. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<PostgresStream> {
  const { patienceMs = 30_000, warn = () => {} } = options
  const sockets = new Set<Socket>()
  const stream = () => {
    const socket = new Socket()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const settings = { ...settingsFor(url), stream }
  const place = placeOf(url)
  const pg = await loadPg()
  const create = () => {
    const pool = new pg.Pool({ ...settings, max: mostConnections })
    // A connection that was lost while idle is replaced with the next query.
    pool.on('error', () => {})
    // A connection that is lost between two statements of a transaction rejects the next statement.
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
  const pools = { statements: create(), sections: create() }
  try {
    const secret = await openDatabase(pools.statements, place, { patienceMs, warn })
    return new PostgresStream({ pools, connect: () => new pg.Client(settings), secret, place, warn, sockets })
  } catch (error) {
    await Promise.all([pools.statements.end(), pools.sections.end()])
    throw error
  }
}

interface Asked {
  readonly tenantId: string
  readonly resolve: (position: Position) => void
  readonly reject: (error: unknown) => void
}

/** A journal in a database, and the connections to it. */
interface Database {
  readonly pools: { readonly statements: Pool; readonly sections: Pool }
  readonly connect: () => Client
  readonly secret: string
  readonly place: string
  readonly warn: (text: string) => void
  /** The sockets of all connections. */
  readonly sockets: Iterable<Socket>
}

/** Streams of records in PostgreSQL. */
export class PostgresStream implements Stream {
  readonly secret: string
  readonly #database: Database
  /** Marks the news of this mock, so that it does not listen to itself. */
  readonly #self = randomUUID()
  readonly #news = new Set<string>()
  #asked: Asked[] = []
  #isAsking = false
  #isAway = false
  #isClosed = false
  #listener: Client | undefined
  #newsTimer: NodeJS.Timeout | undefined

  constructor(database: Database) {
    this.#database = database
    this.secret = database.secret
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#newsTimer)
    // A database that is cut off does not take leave.
    const timer = setTimeout(() => {
      for (const socket of this.#database.sockets) socket.destroy()
    }, leaveMs)
    await Promise.all([
      this.#database.pools.statements.end(),
      this.#database.pools.sections.end(),
      this.#listener?.end(),
    ])
    clearTimeout(timer)
  }

  /** Asks once for all streams that wait, one question at a time: so each question is asked after its call. */
  position(tenantId: string): Promise<Position> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ tenantId, resolve, reject })
      if (!this.#isAsking) this.#askForPositions()
    })
  }

  async #askForPositions(): Promise<void> {
    this.#isAsking = true
    while (this.#asked.length > 0) {
      const asked = this.#asked
      this.#asked = []
      try {
        const values = [[...new Set(asked.map(({ tenantId }) => tenantId))]]
        const { rows } = await this.#query({ name: 'positions', text: positions, values })
        const known = new Map(rows.map(({ tenant, seq, batch }) => [tenant, { at: Number(seq), batch }]))
        for (const { tenantId, resolve } of asked) resolve(known.get(tenantId) ?? start)
      } catch (error) {
        for (const { reject } of asked) reject(error)
      }
    }
    this.#isAsking = false
  }

  read: Channel['read'] = (tenantId, after, take) =>
    this.#readWith((statement) => this.#query(statement), tenantId, after, take)

  async append(addition: Addition): Promise<Position | undefined> {
    return this.#appendSurely(addition, randomUUID(), false)
  }

  /**
   * Appends records. If the connection is lost, it is unknown whether they were; then it sends the same statement until the database
   * says that it is stored, now or before, or that another mock was first.
   */
  async #appendSurely(addition: Addition, batch: string, wasSent: boolean): Promise<Position | undefined> {
    const statement = appending(addition, batch)
    const givesUpAt = performance.now() + certaintyMs
    let isUncertain = wasSent
    for (;;) {
      try {
        const { rowCount } = await this.#database.pools.statements.query(statement)
        this.#noteAnswer()
        if (rowCount) this.#announce(addition.tenantId)
        if (!rowCount && !(await this.#wasStored(this.#database.pools.statements, addition, batch))) return undefined
        return positionAfter(addition, batch)
      } catch (error) {
        isUncertain ||= !isRefusal(error) && !neverSent(error)
        if (!isUncertain) throw this.#unavailable(error)
        if (performance.now() > givesUpAt) {
          this.#unavailable(error)
          throw new UncertainError(
            'PostgreSQL was lost while the call was stored, so it is unknown whether it was carried out. Look before you repeat it.',
          )
        }
        await pause(betweenTriesMs)
      }
    }
  }

  /** Returns true if an append that did nothing was stored before. Warns if the stream has lost the position before it. */
  async #wasStored(database: Pool | PoolClient, { tenantId, after }: Addition, batch: string): Promise<boolean> {
    const { rows } = await database.query(fate, [tenantId, after.at, after.batch, batch])
    const [{ stored, known }] = rows
    if (!known) this.#noteLoss(tenantId)
    return stored
  }

  async #readWith(
    query: (statement: Statement) => Promise<QueryResult>,
    tenantId: string,
    after: Position,
    take: Parameters<Channel['read']>[2],
  ): Promise<Position | undefined> {
    let position = after
    for (;;) {
      const { rows } = await query({ name: 'page', text: page, values: [tenantId, position.at, position.batch] })
      const [{ last, batch, length, records, known }] = rows
      if (!known) {
        this.#noteLoss(tenantId)
        return undefined
      }
      if (records === null) return position
      position = { at: Number(last), batch }
      take(records, Math.max(0, Number(length) - position.at))
      if (position.at >= Number(length)) return position
    }
  }

  async exclusively(tenantId: string, waits: boolean, use: (channel: Channel) => Promise<void>): Promise<boolean> {
    const client = await this.#section(tenantId, waits)
    if (client === 'busy' && !waits) return false
    if (client === 'busy') {
      // Without the section there is more work, and the result is the same.
      await use(this)
      return true
    }
    let isOver = false
    let isBroken = false
    const end = async (how: 'COMMIT' | 'ROLLBACK') => {
      isOver = true
      await client.query(how)
    }
    const channel: Channel = {
      read: (id, after, take) =>
        this.#readWith((statement) => this.#answered(client.query(statement)), id, after, take),
      append: async (addition) => {
        const batch = randomUUID()
        try {
          const { rowCount } = await client.query(appending(addition, batch))
          if (!rowCount) {
            await this.#wasStored(client, addition, batch)
            return undefined
          }
          await end('COMMIT')
          this.#noteAnswer()
          this.#announce(addition.tenantId)
          return positionAfter(addition, batch)
        } catch (error) {
          isBroken = true
          if (isRefusal(error) && sqlStateOf(error) !== idleTooLong) throw this.#unavailable(error)
          return this.#appendSurely(addition, batch, true)
        }
      },
    }
    try {
      await use(channel)
    } finally {
      if (!isOver && !isBroken) {
        const breakOff = () => {
          isBroken = true
        }
        await end('ROLLBACK').catch(breakOff)
      }
      client.release(isBroken)
    }
    return true
  }

  /** Begins a transaction that has the section of a tenant. */
  async #section(tenantId: string, waits: boolean): Promise<PoolClient | 'busy'> {
    const client = await this.#answered(this.#database.pools.sections.connect())
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = '${lockWait}'`)
      const text = waits ? lockAndWait : lockIfFree
      const { rows } = await client.query({ name: waits ? 'lock' : 'try-lock', text, values: [tenantId] })
      if (rows[0].locked !== false) return client
      await client.query('ROLLBACK')
      client.release()
      return 'busy'
    } catch (error) {
      client.release(true)
      if (sqlStateOf(error) === lockTimeout) return 'busy'
      throw this.#unavailable(error)
    }
  }

  async tenants(): Promise<readonly string[]> {
    const { rows } = await this.#query({ name: 'tenants', text: openTenants, values: [] })
    return rows.map(({ tenant }) => tenant)
  }

  async overdue(before: number): Promise<readonly string[]> {
    const { rows } = await this.#query({ name: 'overdue', text: overdueTenants, values: [Math.floor(before)] })
    return rows.map(({ tenant }) => tenant)
  }

  onNews(listener: (tenantId: string) => void): void {
    const listen = async () => {
      if (this.#isClosed) return
      const client = this.#database.connect()
      this.#listener = client
      let isLost = false
      const again = () => {
        if (isLost) return
        isLost = true
        setTimeout(listen, 1000).unref()
      }
      client.on('error', again)
      client.on('end', again)
      client.on('notification', ({ payload = '' }) => {
        const [sender, tenantId = ''] = payload.split(' ')
        if (sender !== this.#self) listener(tenantId)
      })
      try {
        await client.connect()
        await client.query(`LISTEN ${channelName}`)
      } catch {
        again()
      }
    }
    listen()
  }

  /** Tells other mocks, a little later and for many appends at once: each message takes a lock on the whole database. */
  #announce(tenantId: string): void {
    this.#news.add(tenantId)
    this.#newsTimer ??= setTimeout(() => {
      this.#newsTimer = undefined
      const values = [channelName, this.#self, [...this.#news]]
      this.#news.clear()
      this.#database.pools.statements.query({ name: 'announce', text: announcement, values }).catch(newsOnlySaveWaiting)
    }, newsMs).unref()
  }

  /** Asks a question. Connections that were lost in the meantime are no reason to fail. */
  #query(statement: Statement): Promise<QueryResult> {
    return this.#answered(
      this.#database.pools.statements.query(statement).catch((error) => {
        if (isRefusal(error) || neverSent(error)) throw error
        return this.#database.pools.statements.query(statement)
      }),
    )
  }

  async #answered<Result>(answer: Promise<Result>): Promise<Result> {
    try {
      const result = await answer
      this.#noteAnswer()
      return result
    } catch (error) {
      throw this.#unavailable(error)
    }
  }

  #noteLoss(tenantId: string): void {
    const what = tenantId === '' ? 'the settings of new tenants' : `tenant ${tenantId}`
    this.#database.warn(
      `PostgreSQL at ${this.#database.place} has lost the last records of ${what}: a backup was restored, or a replica took over. The mock goes on with what is left.`,
    )
  }

  #noteAnswer(): void {
    if (!this.#isAway) return
    this.#isAway = false
    this.#database.warn(`PostgreSQL at ${this.#database.place} answers again.`)
  }

  /** Creates the error for clients. Warns about the first of several. */
  #unavailable(error: unknown): UnavailableError {
    if (error instanceof UnavailableError) return error
    const reason = causeOf(error)
    if (!this.#isAway && !this.#isClosed)
      this.#database.warn(
        `PostgreSQL at ${this.#database.place} fails: ${reason}. Calls answer 503 until it works again.`,
      )
    this.#isAway = true
    const what = sqlStateOf(error) === undefined ? 'cannot be reached' : `refuses (${reason})`
    const advice = isTemporary(error) ? 'Try again later.' : 'Ask whoever runs the mock.'
    return new UnavailableError(`The mock keeps its state in PostgreSQL, which ${what}. Nothing was changed. ${advice}`)
  }
}

/** Ignores an error, since other mocks find the same a little later without news. */
function newsOnlySaveWaiting(): void {}

const idleTooLong = '25P03'
const lockTimeout = '55P03'

/** Returns true if a connection could not be made, so that nothing was sent. */
function neverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(neverSent)
  const { code, syscall, message = '' } = error as NodeJS.ErrnoException
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  return (
    code === undefined &&
    /timeout exceeded when trying to connect|Connection terminated due to connection timeout/.test(message)
  )
}

/** Whether a stream still has a position, or was reset since: then it is longer, and has no record from before. */
const hasPosition = `($2::bigint = 0 OR coalesce(
    (SELECT seq = $2 AND batch = $3::uuid FROM countersign.events WHERE tenant = $1 AND seq <= $2 ORDER BY seq DESC LIMIT 1),
    (SELECT seq > $2 FROM countersign.streams WHERE tenant = $1),
    false)) AS known`
const positions = 'SELECT tenant, seq, batch FROM countersign.streams WHERE tenant = ANY($1)'
const openTenants = 'SELECT tenant FROM countersign.streams WHERE open ORDER BY tenant'
const overdueTenants = 'SELECT tenant FROM countersign.streams WHERE due < $1 ORDER BY due LIMIT 100'
const fate = `SELECT EXISTS (SELECT FROM countersign.events WHERE tenant = $1 AND seq = $2 + 1 AND batch = $4::uuid) AS stored,
  ${hasPosition}`
// The records are sent as one list, since one long text is parsed in less time than as many rows.
const page = `SELECT max(seq) AS last, (array_agg(batch ORDER BY seq DESC))[1] AS batch, ${hasPosition}, json_agg(record ORDER BY seq) AS records,
    (SELECT seq FROM countersign.streams WHERE tenant = $1) AS length
  FROM (SELECT seq, batch, record, sum(size) OVER (ORDER BY seq) - size AS before FROM (
    SELECT seq, batch, record, octet_length(record::text) AS size FROM countersign.events
    WHERE tenant = $1 AND seq > $2 ORDER BY seq LIMIT ${recordsAtOnce}) AS next) AS sized
  WHERE before < ${bytesAtOnce}`
const announcement = "SELECT pg_notify($1, $2 || ' ' || tenant) FROM unnest($3::text[]) AS tenant"
const lockAndWait = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'
const lockIfFree = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked'

function positionAfter({ after, records }: Addition, batch: string): Position {
  return { at: after.at + records.length, batch }
}

/**
 * Returns the statement that appends records if the stream is still at its position. Several at once wait for each other at the row
 * of the stream, and all but one find another position there.
 */
function appending({ tenantId, after, records, due, isOpen, defaultsAt }: Addition, batch: string): Statement {
  const forgets = records.some((record) => 'forget' in record)
  const isNew = after.at === 0 && tenantId !== ''
  const values: unknown[] = [tenantId, after.at, after.at + records.length, due ?? null, isOpen, batch]
  values.push(JSON.stringify(records))
  const uuid = (value: string) => `$${values.push(value)}::uuid`
  const parts = [
    // Holds the defaults, so that they change before this statement or after it.
    ...(defaultsAt
      ? [
          `held AS (SELECT 1 FROM countersign.streams WHERE tenant = '' AND batch = ${uuid(defaultsAt.batch)} FOR SHARE)`,
        ]
      : []),
    isNew
      ? `head AS (INSERT INTO countersign.streams (tenant, seq, batch, due, open)
           SELECT $1, $3::bigint, $6::uuid, $4::bigint, $5::boolean ${defaultsAt ? 'FROM held' : ''}
           ON CONFLICT DO NOTHING RETURNING tenant)`
      : `head AS (UPDATE countersign.streams SET seq = $3, batch = $6::uuid, due = $4, open = $5
           WHERE tenant = $1 AND batch = ${uuid(after.batch)} ${defaultsAt ? 'AND EXISTS (SELECT 1 FROM held)' : ''}
           RETURNING tenant)`,
    ...(forgets
      ? ['gone AS (DELETE FROM countersign.events USING head WHERE events.tenant = head.tenant AND events.seq <= $2)']
      : []),
  ]
  const text = `WITH ${parts.join(', ')}
    INSERT INTO countersign.events (tenant, seq, batch, record)
    SELECT head.tenant, $2::bigint + new.place, $6::uuid, new.record
    FROM head, json_array_elements($7::json) WITH ORDINALITY AS new (record, place)`
  return { name: `append-${Number(isNew)}${Number(defaultsAt !== undefined)}${Number(forgets)}`, text, values }
}
