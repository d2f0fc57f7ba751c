// The tables of the ledger's progress and of usage that both engines have, in the words of SQLite;
// `toPostgres` puts PostgreSQL's in place of them. What engines declare each in their own way is in
// their folders. A released step is never edited.

/** All but the period are ids of `names`. */
export const ROLLUPS: Readonly<Record<string, readonly string[]>> = {
  total_rollup: ['period', 'key_id', 'provider'],
  model_rollup: ['period', 'key_id', 'provider', 'model'],
  dim_rollup: ['period', 'key_id', 'dim_key', 'dim_value', 'model'],
  usage_rollup: ['period', 'usage'],
  dim_key_rollup: ['period', 'dim_key'],
}

// Names in rollups are ids of the table `names`; 0 is the empty name: all keys, no model. Periods
// are digits: days 20261015, months 202610, hours 2026101512; totals have days and months, the rest
// months only. Costs are whole dollars plus a remainder in 1e-12: one integer would overflow at
// $9.2 million.
const SUMS = `${Object.entries(ROLLUPS)
  .map(
    ([name, key]) => `
CREATE TABLE ${name} (
  ${key.map((column) => `${column} INT NOT NULL`).join(',\n  ')},
  cost_usd INTEGER NOT NULL,
  cost_pico INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  market_cost_usd INTEGER NOT NULL,
  market_cost_pico INTEGER NOT NULL,
  PRIMARY KEY (${key.join(', ')})
) WITHOUT ROWID;`,
  )
  .join('')}

-- Sums for questions of any shape, by month and hour: see block-bytes.ts.
CREATE TABLE analysis_parts (
  id INTEGER PRIMARY KEY,
  period INTEGER NOT NULL,
  tier INT NOT NULL,
  rows INT NOT NULL,
  part BLOB NOT NULL
);
CREATE INDEX analysis_parts_by_period ON analysis_parts (period, tier, rows);
CREATE TABLE analysis_values (
  month INT NOT NULL,
  dim INT NOT NULL,
  value INT NOT NULL,
  PRIMARY KEY (month, dim, value)
) WITHOUT ROWID;

-- When a key was last used, which outlives its records.
CREATE TABLE key_uses (
  key_id TEXT COLLATE BINARY PRIMARY KEY,
  at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE prices (
  version TEXT COLLATE BINARY PRIMARY KEY,
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
-- What a repricing changed of each month. Of earlier ones only the sum over all months is known.
CREATE TABLE repriced_months (
  month INT NOT NULL,
  repricing INTEGER NOT NULL,
  records INTEGER NOT NULL,
  before_usd INTEGER NOT NULL,
  before_pico INTEGER NOT NULL,
  after_usd INTEGER NOT NULL,
  after_pico INTEGER NOT NULL,
  PRIMARY KEY (month, repricing)
) WITHOUT ROWID;
CREATE INDEX repriced_months_by_repricing ON repriced_months (repricing);
`

const PROGRESS = `
CREATE TABLE cursors (
  node TEXT COLLATE BINARY NOT NULL,
  journal TEXT COLLATE BINARY NOT NULL,
  worker TEXT COLLATE BINARY NOT NULL,
  segment INTEGER NOT NULL,
  "offset" INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  forwarded INTEGER NOT NULL,
  PRIMARY KEY (node, journal, worker)
) WITHOUT ROWID;

-- Objects whose usage was counted: forgotten by age, so they can be found by it. A long name is
-- kept as its digest: see counted.ts.
CREATE TABLE counted (
  provider TEXT COLLATE BINARY NOT NULL,
  name TEXT COLLATE BINARY NOT NULL,
  event_id BLOB NOT NULL,
  ended_at INTEGER NOT NULL,
  PRIMARY KEY (provider, name)
) WITHOUT ROWID;
CREATE INDEX counted_by_age ON counted (ended_at);

-- Money as digits: it is added in memory and may exceed 2^63. The key starts with the period, since
-- the rows of one period are read together.
CREATE TABLE budget_spend (
  period_start INTEGER NOT NULL,
  budget TEXT COLLATE BINARY NOT NULL,
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
`

/** As Weir 0.1.0 had them. */
export const LEDGER_TABLES = SUMS + PROGRESS

/** Sums of sessions, see session-sums.ts; its figures are those of the rollups. */
export const SESSION_SUMS = `CREATE TABLE session_rollup (
  period INT NOT NULL,
  key_id INT NOT NULL,
  session INT NOT NULL,
  team INT NOT NULL,
  person INT NOT NULL,
  part INT NOT NULL,
  cost_usd INTEGER NOT NULL,
  cost_pico INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  market_cost_usd INTEGER NOT NULL,
  market_cost_pico INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  tool TEXT COLLATE BINARY NOT NULL,
  tool_version TEXT COLLATE BINARY NOT NULL,
  repository TEXT COLLATE BINARY NOT NULL,
  PRIMARY KEY (period, key_id, session, team, person, part)
) WITHOUT ROWID;
CREATE INDEX session_rollup_by_session ON session_rollup (session, key_id);
`
