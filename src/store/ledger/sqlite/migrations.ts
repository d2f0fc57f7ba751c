// The usage store's tables, as numbered steps. A released step is never edited: add a new one.

// Names in rollups are ids of the table `names`; 0 is the empty name: all keys, no model. Periods
// are digits: days 20261015, months 202610; totals have both, the rest months only. Costs are whole
// dollars plus a remainder in 1e-12: one integer would overflow at $9.2 million.
const ROLLUP_FIGURES = `
  cost_usd INTEGER NOT NULL,
  cost_pico INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  unpriced INTEGER NOT NULL`

const PICO = '1000000000000'

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
  // One row: what the journals opened over all time and what became of it, and up to when records
  // were removed. An older store's calls are those of its monthly rollups (six digits) and the open
  // ones.
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
  // Money as digits: it is added in memory and may exceed 2^63. The key starts with the period,
  // since the rows of one period are read together.
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
  // How many records there are, and two small rollups: by how a call's usage is known, and by
  // dimension. Nearly all records are reported ones: only the others are summed, and the reported
  // ones, with calls whose records are gone, are the rest of the totals. Counts beyond 1e12 tokens
  // are left out, and so are costs kept as digits after a #, too large to add here: weir rollups
  // rebuild adds them.
  `
  ALTER TABLE records ADD COLUMN own_us INTEGER;
  ALTER TABLE tally ADD COLUMN records INTEGER NOT NULL DEFAULT 0;
  UPDATE tally SET records = (SELECT COUNT(*) FROM records);

  CREATE TABLE usage_rollup (
    period INTEGER NOT NULL,
    usage INTEGER NOT NULL,${ROLLUP_FIGURES},
    PRIMARY KEY (period, usage)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE others AS
    SELECT usage, CAST(strftime('%Y%m', ended_at / 1000, 'unixepoch') AS INTEGER) AS period,
      CASE WHEN typeof(cost_pico) = 'integer' THEN cost_pico ELSE 0 END AS cost,
      COALESCE(input_tokens + output_tokens, 0) AS tokens, cost_pico IS NULL AS is_unpriced
    FROM records WHERE usage <> 'reported' AND status <> 'denied';
  INSERT OR IGNORE INTO names (name) SELECT DISTINCT usage FROM others
    UNION SELECT 'reported' WHERE EXISTS (SELECT 1 FROM total_rollup);
  INSERT INTO usage_rollup
    SELECT period, (SELECT id FROM names WHERE name = usage),
      SUM(cost / ${PICO} - (cost % ${PICO} < 0)) + SUM((cost % ${PICO} + ${PICO}) % ${PICO}) / ${PICO},
      SUM((cost % ${PICO} + ${PICO}) % ${PICO}) % ${PICO}, COUNT(*),
      SUM(CASE WHEN tokens BETWEEN 0 AND 1000000000000 THEN tokens ELSE 0 END), SUM(is_unpriced)
    FROM others GROUP BY period, usage;
  DROP TABLE others;
  INSERT INTO usage_rollup
    SELECT period, (SELECT id FROM names WHERE name = 'reported'),
      usd + pico / ${PICO} - (pico % ${PICO} < 0), (pico % ${PICO} + ${PICO}) % ${PICO},
      requests, tokens, unpriced
    FROM (
      SELECT period, SUM(cost_usd) AS usd, SUM(cost_pico) AS pico, SUM(requests) AS requests,
        SUM(tokens) AS tokens, SUM(unpriced) AS unpriced
      FROM (
        SELECT period, cost_usd, cost_pico, requests, tokens, unpriced
        FROM total_rollup WHERE key_id = 0 AND period < 1000000
        UNION ALL
        SELECT period, -cost_usd, -cost_pico, -requests, -tokens, -unpriced FROM usage_rollup
      ) GROUP BY period
    ) WHERE requests > 0;

  CREATE TABLE dim_key_rollup (
    period INTEGER NOT NULL,
    dim_key INTEGER NOT NULL,${ROLLUP_FIGURES},
    PRIMARY KEY (period, dim_key)
  ) WITHOUT ROWID;
  INSERT INTO dim_key_rollup
    SELECT period, dim_key, SUM(cost_usd) + SUM(cost_pico) / ${PICO},
      SUM(cost_pico) % ${PICO}, SUM(requests), SUM(tokens), SUM(unpriced)
    FROM dim_rollup WHERE key_id = 0 GROUP BY period, dim_key;
  `,
  // Cursors and open calls belong to a node and its journal. Existing rows belong to the store's
  // data directory, whose ids SQL does not know: they are filled in when the store is opened there.
  `
  CREATE TABLE owned_cursors (
    node TEXT NOT NULL,
    journal TEXT NOT NULL,
    worker TEXT NOT NULL,
    segment INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    forwarded INTEGER NOT NULL,
    PRIMARY KEY (node, journal, worker)
  ) WITHOUT ROWID;
  INSERT INTO owned_cursors
    SELECT '', '', worker, segment, offset, sequence, forwarded FROM cursors;
  DROP TABLE cursors;
  ALTER TABLE owned_cursors RENAME TO cursors;
  ALTER TABLE open_calls ADD COLUMN node TEXT NOT NULL DEFAULT '';
  ALTER TABLE open_calls ADD COLUMN journal TEXT NOT NULL DEFAULT '';
  `,
  // The market cost of calls already summed is taken to be their cost. Where a provider stated
  // another, weir rollups rebuild corrects it for all calls still on record.
  ['total_rollup', 'model_rollup', 'dim_rollup', 'usage_rollup', 'dim_key_rollup']
    .map(
      (table) => `
  ALTER TABLE ${table} ADD COLUMN market_cost_usd INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE ${table} ADD COLUMN market_cost_pico INTEGER NOT NULL DEFAULT 0;
  UPDATE ${table} SET market_cost_usd = cost_usd, market_cost_pico = cost_pico;`,
    )
    .join(''),
  'ALTER TABLE records ADD COLUMN region TEXT;',
  // When a key was last used, which outlives its records.
  `
  CREATE TABLE key_uses (
    key_id TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) WITHOUT ROWID;
  INSERT INTO key_uses
    SELECT key_id, MAX(started_at) FROM records WHERE key_id IS NOT NULL GROUP BY key_id;
  `,
  // Sums for questions of any shape, by month and hour (2026101512): see part-writer.ts. Calls
  // that were stored before are in them after weir rollups rebuild; until then their end is noted.
  `
  CREATE TABLE analysis_parts (
    id INTEGER PRIMARY KEY,
    period INTEGER NOT NULL,
    tier INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    part BLOB NOT NULL
  );
  CREATE INDEX analysis_parts_by_period ON analysis_parts (period, tier, rows);
  CREATE TABLE analysis_values (
    month INTEGER NOT NULL,
    dim INTEGER NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (month, dim, value)
  ) WITHOUT ROWID;
  ALTER TABLE tally ADD COLUMN analysis_from INTEGER;
  UPDATE tally SET analysis_from = unixepoch('now') * 1000 WHERE recorded > 0 OR records > 0;
  `,
  // Records are sorted by their ids, which have a call's start. These few are away from their end:
  // calls that ran for more than ten minutes, and calls during which the clock was set back.
  `
  CREATE INDEX records_long ON records (ended_at)
    WHERE hex(substr(id, 1, 6)) < printf('%012X', max(0, ended_at - 600000));
  CREATE INDEX records_back ON records (ended_at)
    WHERE hex(substr(id, 1, 6)) > printf('%012X', ended_at);
  `,
  // What a repricing changed of each month. Of earlier ones only the sum over all months is known.
  `
  CREATE TABLE repriced_months (
    month INTEGER NOT NULL,
    repricing INTEGER NOT NULL,
    records INTEGER NOT NULL,
    before_usd INTEGER NOT NULL,
    before_pico INTEGER NOT NULL,
    after_usd INTEGER NOT NULL,
    after_pico INTEGER NOT NULL,
    PRIMARY KEY (month, repricing)
  ) WITHOUT ROWID;
  CREATE INDEX repriced_months_by_repricing ON repriced_months (repricing);
  `,
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
]
