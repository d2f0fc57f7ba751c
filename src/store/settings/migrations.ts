// The tables of the settings store, as numbered steps. Must stay true: a step that was released is
// never edited, a new one is added behind it.

export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE settings_revision (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL
  ) STRICT;
  INSERT INTO settings_revision (id, revision) VALUES (1, 0);

  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    allowed_models TEXT NOT NULL CHECK (json_type(allowed_models) = 'array'),
    allowed_providers TEXT NOT NULL CHECK (json_type(allowed_providers) = 'array'),
    default_dims TEXT NOT NULL CHECK (json_type(default_dims) = 'object'),
    locked_dims TEXT NOT NULL CHECK (json_type(locked_dims) = 'object'),
    required_dims TEXT NOT NULL CHECK (json_type(required_dims) = 'array'),
    rate_limit_rpm INTEGER,
    revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX api_keys_by_revision ON api_keys (revision);

  CREATE TABLE access_tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    scopes TEXT NOT NULL CHECK (json_type(scopes) = 'array'),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
  ) STRICT;

  CREATE TABLE setup_code (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    code_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    spent_at INTEGER
  ) STRICT;
  `,
  // Prices: the operator's rules and what was imported, with a revision apart from that of the keys, so that
  // a changed price wakes no proxy.
  `
  CREATE TABLE price_revision (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL
  ) STRICT;
  INSERT INTO price_revision (id, revision) VALUES (1, 0);

  CREATE TABLE price_rules (
    id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    tier TEXT,
    effective_from INTEGER NOT NULL,
    price TEXT NOT NULL CHECK (json_type(price) = 'object'),
    note TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX price_rules_by_place
    ON price_rules (provider, model, COALESCE(tier, ''), effective_from);

  CREATE TABLE price_import (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    text TEXT NOT NULL,
    imported_at INTEGER NOT NULL,
    who TEXT NOT NULL
  ) STRICT;
  `,
  // Answers of the API for as long as they hold. They may be lost at any time.
  `
  CREATE TABLE snapshots (
    identity TEXT PRIMARY KEY,
    taken_at INTEGER NOT NULL,
    valid_until INTEGER NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX snapshots_by_end ON snapshots (valid_until);
  CREATE INDEX snapshots_by_age ON snapshots (taken_at);
  `,
]
