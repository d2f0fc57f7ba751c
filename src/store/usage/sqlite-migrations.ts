// The tables of the usage store, as numbered steps. Must stay true: a step that was released is never
// edited, a new one is added behind it.

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

export const MIGRATIONS: readonly string[] = [
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
  // Objects whose usage was counted: forgotten by age, so they can be found by it.
  `
  ALTER TABLE records ADD COLUMN shares TEXT;
  ALTER TABLE records ADD COLUMN counted_as TEXT;
  ALTER TABLE records ADD COLUMN violation TEXT;

  CREATE TABLE counted (
    provider TEXT NOT NULL,
    name TEXT NOT NULL,
    event_id BLOB NOT NULL,
    ended_at INTEGER NOT NULL,
    PRIMARY KEY (provider, name)
  ) WITHOUT ROWID;
  CREATE INDEX counted_by_age ON counted (ended_at);
  `,
]
