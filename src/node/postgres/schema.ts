/** The version of the tables that this Countersign reads and writes. */
export const tablesVersion = 2

/**
 * The statements that lead from each version to the next one. `streams` has a row for each tenant, and one with an empty name for
 * all of them; its `seq` is the lock that decides who appends next. `due` is when the tenant's next alarm is due, by the real clock.
 * `snapshots` has what a world is after a record, in parts.
 */
export const migrations: readonly (readonly string[])[] = [
  [
    'CREATE SCHEMA IF NOT EXISTS countersign',
    'CREATE TABLE countersign.journal (version int NOT NULL, secret text NOT NULL)',
    `CREATE TABLE countersign.streams (
       tenant text PRIMARY KEY,
       seq bigint NOT NULL,
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
    "INSERT INTO countersign.streams (tenant, seq, open) VALUES ('', 0, false)",
  ],
  [
    // A snapshot counts only while the record that it names is in the stream, with its batch.
    `CREATE TABLE countersign.snapshots (
       tenant text NOT NULL,
       seq bigint NOT NULL,
       part int NOT NULL,
       format int NOT NULL,
       batch uuid NOT NULL,
       is_last boolean NOT NULL,
       records json NOT NULL,
       PRIMARY KEY (tenant, seq, part)
     )`,
  ],
]
