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
  // One row: what the journals opened over all times and what became of it, and up to when records were removed. An
  // older store's calls are those of its rollups by month (six digits) over all keys, and those that are open.
  `
  ALTER TABLE cursors ADD COLUMN forwarded INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE open_calls ADD COLUMN held TEXT;

  CREATE TABLE tally (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    forwarded INTEGER NOT NULL,
    recorded INTEGER NOT NULL,
    dead INTEGER NOT NULL,
    removed_before INTEGER,
    rebuilds INTEGER NOT NULL
  );
  INSERT INTO tally
    SELECT 1, stored + (SELECT COUNT(*) FROM open_calls), stored, 0, NULL, 0 FROM (
      SELECT COALESCE(SUM(requests), 0) AS stored FROM total_rollup
      WHERE key_id = 0 AND period < 1000000
    );

  CREATE TABLE prices (
    version TEXT PRIMARY KEY,
    sheet TEXT NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE repricings (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    records INTEGER NOT NULL,
    before_usd INTEGER NOT NULL,
    before_pico INTEGER NOT NULL,
    after_usd INTEGER NOT NULL,
    after_pico INTEGER NOT NULL
  );
  `,
  // Money as digits: it is added up in memory and may be beyond 2^63. A budget's row begins with its period, since those
  // of one period are read together.
  `
  CREATE TABLE budget_spend (
    period_start INTEGER NOT NULL,
    budget TEXT NOT NULL,
    basis TEXT NOT NULL,
    cost_revision TEXT NOT NULL,
    spent TEXT NOT NULL,
    unpriced INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    calls_cost TEXT NOT NULL,
    request_bytes INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    largest TEXT NOT NULL,
    PRIMARY KEY (period_start, budget)
  ) WITHOUT ROWID;

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
  `,
]
