// The tables of limits that nodes share, beside the settings. They change with every lease and are
// small; after a crash of the server the nodes say again what they have within a second.

import type { PostgresSchema } from '../../postgres/migrate.ts'
import { FUNCTIONS, LEASE_BUDGETS } from './functions.ts'

const TABLES = `
CREATE TABLE limit_owners (
  owner TEXT PRIMARY KEY,
  node TEXT NOT NULL,
  beat_at TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE limit_budgets (
  budget_id TEXT NOT NULL,
  start_ms BIGINT NOT NULL,
  end_ms BIGINT NOT NULL,
  spent NUMERIC NOT NULL,
  -- When a node last reported no less than that.
  confirmed_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (budget_id, start_ms)
) WITH (fillfactor = 50);

CREATE TABLE budget_leases (
  budget_id TEXT NOT NULL,
  start_ms BIGINT NOT NULL,
  owner TEXT NOT NULL,
  amount NUMERIC NOT NULL,
  reserved NUMERIC NOT NULL,
  ended NUMERIC NOT NULL,
  running BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  PRIMARY KEY (budget_id, start_ms, owner)
) WITH (fillfactor = 50);

CREATE TABLE rate_permits (
  key_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  batch BIGINT NOT NULL,
  permits BIGINT NOT NULL,
  taken_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (key_id, owner, batch)
);

CREATE TABLE call_slots (
  call_id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  taken_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX call_slots_by_key ON call_slots (key_id);
`

/** The highest limit of which all was spent or leased once. */
const FULLY_LEASED = `
ALTER TABLE limit_budgets ADD COLUMN fully_leased_limit NUMERIC;
`

export const LIMITS_SCHEMA: PostgresSchema = {
  name: 'limits',
  steps: [
    { text: `${TABLES}\n${FUNCTIONS}`, compatibleBackTo: 1 },
    { text: `${FULLY_LEASED}\n${LEASE_BUDGETS}`, compatibleBackTo: 1 },
  ],
}
