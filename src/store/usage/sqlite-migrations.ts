// The schema of the usage database as numbered steps; PRAGMA user_version says how many were taken.
// A step that was ever released is never edited: a new one is added behind it.

import type { DatabaseSync } from 'node:sqlite'
import { WeirError } from '../../core/weir-error.ts'

// Names in rollups are ids of the table `names`, whose 0 is the empty name: all keys, no model.
// Periods are their digits: days 20261015, months 202610; totals are kept by both, the rest by
// month. Costs in rollups are whole dollars and the remainder in 1e-12 apart: one integer would
// overflow a sum at $9.2 million.
const ROLLUP_FIGURES = `
  cost_usd INTEGER NOT NULL,
  cost_pico INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  unpriced INTEGER NOT NULL`

const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE records (
    id BLOB PRIMARY KEY,
    version INTEGER NOT NULL,
    key_id TEXT,
    provider TEXT NOT NULL,
    operation TEXT,
    dims TEXT,
    started_at INTEGER NOT NULL,
    requested_model TEXT,
    model TEXT,
    status TEXT NOT NULL,
    http_status INTEGER,
    error_code TEXT,
    streamed INTEGER NOT NULL,
    first_byte_at INTEGER,
    ended_at INTEGER NOT NULL,
    request_bytes INTEGER NOT NULL,
    response_bytes INTEGER NOT NULL,
    chargeable INTEGER NOT NULL,
    usage TEXT NOT NULL,
    input_tokens INTEGER,
    output_tokens INTEGER,
    token_parts TEXT,
    tool_calls TEXT,
    service_tier TEXT,
    billing TEXT,
    cost_pico INTEGER,
    cost_source TEXT NOT NULL,
    price_version TEXT
  ) WITHOUT ROWID;

  CREATE TABLE names (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  );
  INSERT INTO names VALUES (0, '');

  CREATE TABLE total_rollup (
    period INTEGER NOT NULL,
    key_id INTEGER NOT NULL,
    provider INTEGER NOT NULL,${ROLLUP_FIGURES},
    PRIMARY KEY (period, key_id, provider)
  ) WITHOUT ROWID;

  CREATE TABLE model_rollup (
    period INTEGER NOT NULL,
    key_id INTEGER NOT NULL,
    provider INTEGER NOT NULL,
    model INTEGER NOT NULL,${ROLLUP_FIGURES},
    PRIMARY KEY (period, key_id, provider, model)
  ) WITHOUT ROWID;

  CREATE TABLE dim_rollup (
    period INTEGER NOT NULL,
    key_id INTEGER NOT NULL,
    dim_key INTEGER NOT NULL,
    dim_value INTEGER NOT NULL,
    model INTEGER NOT NULL,${ROLLUP_FIGURES},
    PRIMARY KEY (period, key_id, dim_key, dim_value, model)
  ) WITHOUT ROWID;

  CREATE TABLE cursors (
    worker TEXT PRIMARY KEY,
    segment INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    sequence INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE open_calls (
    id BLOB PRIMARY KEY,
    worker TEXT NOT NULL,
    opening TEXT NOT NULL
  ) WITHOUT ROWID;
  `,
]

export const SCHEMA_VERSION = MIGRATIONS.length

/** Takes the missing steps in one exclusive transaction: two processes may start at once. */
export function migrate(database: DatabaseSync): void {
  if (readVersion(database) === SCHEMA_VERSION) return
  database.exec('BEGIN EXCLUSIVE')
  try {
    const version = readVersion(database)
    requireKnown(version)
    for (const step of MIGRATIONS.slice(version)) database.exec(step)
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** For readers, which change nothing: the schema must be exactly the one this program knows. */
export function requireCurrent(database: DatabaseSync): void {
  const version = readVersion(database)
  requireKnown(version)
  if (version === SCHEMA_VERSION) return
  throw new WeirError('store_unusable', `The usage database has an older schema (${version}).`, {
    hint: 'Start Weir once on this data directory: it brings the database up to date.',
  })
}

function requireKnown(version: number): void {
  if (version <= SCHEMA_VERSION) return
  throw new WeirError(
    'store_unusable',
    `The usage database is of a newer Weir: schema ${version}, this one knows ${SCHEMA_VERSION}.`,
    { hint: 'Run the newer version, or point Weir at another data directory.' },
  )
}

function readVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
}
