import { start } from '../../world/shared/stream.ts'

/** The version of the tables, and of the events in them, that this Countersign reads and writes. */
export const tablesVersion = 5

/**
 * The statements that create the tables. `streams` has a row for each tenant, and one with an empty name for all of them; its `batch`
 * is that of the last append, and decides who appends next. `due` is when the tenant's next alarm is due, by the real clock.
 */
export const tables: readonly string[] = [
  'CREATE SCHEMA IF NOT EXISTS countersign',
  'CREATE TABLE countersign.journal (version int NOT NULL, secret text NOT NULL)',
  `CREATE TABLE countersign.streams (
     tenant text PRIMARY KEY,
     seq bigint NOT NULL,
     batch uuid NOT NULL,
     due bigint,
     open boolean NOT NULL
   ) WITH (fillfactor = 50)`,
  `CREATE TABLE countersign.events (
     tenant text NOT NULL,
     seq bigint NOT NULL,
     batch uuid NOT NULL,
     record json NOT NULL,
     PRIMARY KEY (tenant, seq)
   )`,
  `INSERT INTO countersign.streams (tenant, seq, batch, open) VALUES ('', 0, '${start.batch}', false)`,
]
