// The usage store's tables on SQLite, as numbered steps. A released step is never edited: add a new
// one.

import { LEDGER_TABLES, SESSION_SUMS } from '../sql/schema.ts'

// The two indexes: records are sorted by their ids, which have a call's start. These few are away
// from their end: calls that ran for more than ten minutes, and calls during which the clock was
// set back.
const RECORDS = `
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
    price_version TEXT,
    shares TEXT,
    counted_as TEXT,
    violation TEXT,
    own_us INTEGER,
    region TEXT
  ) WITHOUT ROWID;
  CREATE INDEX records_long ON records (ended_at)
    WHERE hex(substr(id, 1, 6)) < printf('%012X', max(0, ended_at - 600000));
  CREATE INDEX records_back ON records (ended_at)
    WHERE hex(substr(id, 1, 6)) > printf('%012X', ended_at);

  CREATE TABLE names (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  );
  INSERT INTO names VALUES (0, '');
`

// `tally` is one row: what the journals opened over all time and what became of it, and up to when
// records were removed.
const PROGRESS = `
  CREATE TABLE open_calls (
    id BLOB PRIMARY KEY,
    worker TEXT NOT NULL,
    opening TEXT NOT NULL,
    held TEXT,
    node TEXT NOT NULL DEFAULT '',
    journal TEXT NOT NULL DEFAULT ''
  ) WITHOUT ROWID;

  CREATE TABLE tally (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    forwarded INTEGER NOT NULL,
    recorded INTEGER NOT NULL,
    dead INTEGER NOT NULL,
    removed_before INTEGER,
    rebuilds INTEGER NOT NULL,
    records INTEGER NOT NULL DEFAULT 0,
    analysis_from INTEGER
  );
  INSERT INTO tally VALUES (1, 0, 0, 0, NULL, 0, 0, NULL);

  CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    budget TEXT,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
  );

  CREATE TABLE day_spend (
    day INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    spent TEXT NOT NULL,
    PRIMARY KEY (day, kind, name)
  ) WITHOUT ROWID;
`

const STEPS: readonly string[] = [
  RECORDS + LEDGER_TABLES + PROGRESS,
  // For calls that are kept elsewhere: the last number that was given to a batch, how many count,
  // and the numbers that do not, as they are being written or were given up; which sums of calls
  // count there.
  `
  ALTER TABLE tally ADD COLUMN last_batch INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tally ADD COLUMN counted_batches INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tally ADD COLUMN call_sums TEXT;
  CREATE TABLE hidden_batches (
    first_batch INTEGER PRIMARY KEY,
    last_batch INTEGER NOT NULL,
    at INTEGER NOT NULL
  );
  `,
  // Who brought a value and when, so that a key has a share; names are values of dimension 0. What
  // is there already is everyone's. Months of refused calls are negative. See kept-places.ts.
  `
  ALTER TABLE analysis_values ADD COLUMN key INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE analysis_values ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
  INSERT INTO analysis_values (month, dim, value) SELECT DISTINCT month, 0, dim FROM analysis_values;
  `,
  // The tables of PostgreSQL, so that one text of SQL serves both: the tally is a node's, and the
  // rest of its row is the state of the store. Whose it is, is filled in when the store is opened.
  // See calls-place.ts for the numbers of batches, which only a PostgreSQL gives out any more.
  `
  CREATE TABLE usage_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    records INTEGER NOT NULL,
    removed_before INTEGER,
    rebuilds INTEGER NOT NULL,
    analysis_from INTEGER,
    outbox_seq INTEGER NOT NULL,
    last_batch INTEGER NOT NULL,
    batches INTEGER NOT NULL
  );
  INSERT INTO usage_state
    SELECT 1, records, removed_before, rebuilds, analysis_from,
      COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0), last_batch, 0
    FROM tally;
  CREATE TABLE node_tally (
    node TEXT PRIMARY KEY,
    forwarded INTEGER NOT NULL,
    recorded INTEGER NOT NULL,
    dead INTEGER NOT NULL
  ) WITHOUT ROWID;
  INSERT INTO node_tally SELECT '', forwarded, recorded, dead FROM tally
    WHERE forwarded <> 0 OR recorded <> 0 OR dead <> 0;
  DROP TABLE tally;
  ALTER TABLE node_tally RENAME TO tally;
  ALTER TABLE open_calls RENAME COLUMN held TO uncounted;
  ALTER TABLE budget_spend ADD COLUMN counted_at INTEGER;
  CREATE INDEX outbox_by_kind ON outbox (kind, at);
  `,
  'ALTER TABLE records ADD COLUMN provider_error TEXT;',
  // A session's calls are found by it; calls without one take no room in the index.
  `
  ALTER TABLE records ADD COLUMN session TEXT;
  ALTER TABLE records ADD COLUMN agent TEXT;
  CREATE INDEX records_session ON records (session) WHERE session IS NOT NULL;
  ${SESSION_SUMS}`,
]

/** Weir 0.1.0 had taken 12 steps. */
export const SQLITE_LEDGER = { migrations: STEPS, firstVersion: 12 }
