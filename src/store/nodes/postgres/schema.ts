// The tables of nodes and leases, in the settings' database. They are rewritten every second, so
// they have room for new versions of a row beside the old one.

import type { PostgresSchema } from '../../postgres/migrate.ts'

export const NODES_SCHEMA: PostgresSchema = {
  name: 'nodes',
  steps: [
    {
      compatibleBackTo: 1,
      text: `
CREATE TABLE nodes (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  role TEXT NOT NULL,
  state TEXT NOT NULL,
  version TEXT NOT NULL,
  config_hash TEXT NOT NULL,
  clock_offset_ms BIGINT,
  lag_bytes BIGINT,
  forwarded BIGINT,
  recorded BIGINT,
  pending BIGINT,
  unread BIGINT,
  dead BIGINT,
  lost BIGINT,
  caught_up_at BIGINT,
  started_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  until BIGINT NOT NULL
) WITH (fillfactor = 50)`,
    },
    {
      compatibleBackTo: 1,
      text: `
ALTER TABLE nodes ADD COLUMN fault TEXT;
ALTER TABLE nodes ADD COLUMN ledger_silent_since BIGINT;
ALTER TABLE nodes ADD COLUMN measured_at BIGINT;
ALTER TABLE nodes ADD COLUMN refusing_since BIGINT;
ALTER TABLE nodes ADD COLUMN refusal TEXT;
ALTER TABLE nodes ADD COLUMN waiting BIGINT;
-- By which run the node's id is held, and where. Null where an older program wrote the row.
ALTER TABLE nodes ADD COLUMN run TEXT;
ALTER TABLE nodes ADD COLUMN place TEXT`,
    },
  ],
}
