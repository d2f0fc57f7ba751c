// The settings store's tables, in the words of SQLite; `toPostgres` puts PostgreSQL's in place of
// them. A released step is never edited: add a new one, which suits both engines.
//
// Texts that are sorted have a collation by bytes, as a database's own would give another order on
// each server.

const ACCESS = `
  CREATE TABLE settings_revision (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL
  ) STRICT;
  INSERT INTO settings_revision (id, revision) VALUES (1, 0);

  CREATE TABLE api_keys (
    id TEXT COLLATE BINARY PRIMARY KEY,
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
    max_parallel INTEGER,
    owner TEXT,
    note TEXT,
    old_secret_hash TEXT,
    old_secret_ends_at INTEGER,
    version INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX api_keys_by_revision ON api_keys (revision);

  CREATE TABLE access_tokens (
    id TEXT COLLATE BINARY PRIMARY KEY,
    name TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    scopes TEXT NOT NULL CHECK (json_type(scopes) = 'array'),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
  ) STRICT;
`

const PRICES = `
  CREATE TABLE price_revision (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL
  ) STRICT;
  INSERT INTO price_revision (id, revision) VALUES (1, 0);

  CREATE TABLE price_rules (
    id TEXT COLLATE BINARY PRIMARY KEY,
    provider TEXT COLLATE BINARY NOT NULL,
    model TEXT COLLATE BINARY NOT NULL,
    tier TEXT COLLATE BINARY,
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
`

const BUDGETS = `
  CREATE TABLE budget_revision (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL
  ) STRICT;
  INSERT INTO budget_revision (id, revision) VALUES (1, 0);

  -- A limit is a text: picos may exceed 2^63.
  CREATE TABLE budgets (
    id TEXT COLLATE BINARY PRIMARY KEY,
    name TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (json_type(scope) = 'object'),
    period TEXT NOT NULL,
    limit_picos TEXT NOT NULL 
      CHECK (limit_picos <> '' AND limit_picos NOT LIKE '0%' AND ltrim(limit_picos, '0123456789') = ''),
    thresholds TEXT NOT NULL CHECK (json_type(thresholds) = 'array'),
    is_blocking INTEGER NOT NULL CHECK (is_blocking IN (0, 1)),
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE alert_targets (
    id TEXT COLLATE BINARY PRIMARY KEY,
    kind TEXT NOT NULL,
    address TEXT NOT NULL,
    budget_id TEXT COLLATE BINARY REFERENCES budgets (id),
    secret TEXT CHECK ((secret IS NOT NULL) = (kind = 'webhook')),
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX alert_targets_by_budget ON alert_targets (budget_id);
`

const ALERTS = `
  CREATE TABLE alert_place (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    place INTEGER NOT NULL
  ) STRICT;
  INSERT INTO alert_place (id, place) VALUES (1, 0);

  -- The log outlives budgets and targets: it refers to neither. An incident's figures grow after it
  -- was sent: the body stays as it was sent.
  CREATE TABLE alerts (
    number INTEGER PRIMARY KEY,
    id TEXT COLLATE BINARY NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    budget_id TEXT COLLATE BINARY,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    current_body TEXT,
    mark TEXT CHECK (mark IN ('acknowledged', 'snoozed')),
    marked_at INTEGER,
    marked_by TEXT,
    snoozed_until INTEGER,
    marked_excess TEXT
  ) STRICT;
  CREATE INDEX alerts_by_budget ON alerts (budget_id, number);
  CREATE INDEX alerts_by_age ON alerts (at);

  CREATE TABLE alert_deliveries (
    number INTEGER PRIMARY KEY,
    alert_id TEXT COLLATE BINARY NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
    target_id TEXT COLLATE BINARY NOT NULL,
    kind TEXT NOT NULL,
    address TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'given_up')),
    next_at INTEGER CHECK ((next_at IS NOT NULL) = (state = 'pending')),
    attempts INTEGER NOT NULL,
    -- Until then a node is sending it.
    claimed_until INTEGER,
    UNIQUE (alert_id, target_id)
  ) STRICT;
  CREATE INDEX alert_deliveries_due ON alert_deliveries (next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX alert_deliveries_by_target ON alert_deliveries (target_id) WHERE next_at IS NOT NULL;
  CREATE INDEX alert_deliveries_claimed ON alert_deliveries (target_id)
    WHERE claimed_until IS NOT NULL;

  CREATE TABLE alert_attempts (
    number INTEGER PRIMARY KEY,
    delivery INTEGER NOT NULL REFERENCES alert_deliveries (number) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    is_delivered INTEGER NOT NULL CHECK (is_delivered IN (0, 1)),
    detail TEXT NOT NULL
  ) STRICT;
  CREATE INDEX alert_attempts_by_delivery ON alert_attempts (delivery);
`

const ACCOUNTS = `
  CREATE TABLE setup_code (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    code_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    spent_at INTEGER
  ) STRICT;

  CREATE TABLE users (
    id TEXT COLLATE BINARY PRIMARY KEY,
    email TEXT COLLATE BINARY NOT NULL UNIQUE,
    name TEXT COLLATE BINARY NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('admin', 'viewer')),
    password_hash TEXT,
    issuer TEXT,
    subject TEXT CHECK ((subject IS NULL) = (issuer IS NULL)),
    created_at INTEGER NOT NULL,
    disabled_at INTEGER,
    last_sign_in_at INTEGER,
    version INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX users_by_subject ON users (issuer, subject);

  CREATE TABLE user_links (
    user_id TEXT COLLATE BINARY PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE sessions (
    id TEXT COLLATE BINARY PRIMARY KEY,
    user_id TEXT COLLATE BINARY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    rotated_at INTEGER NOT NULL,
    agent TEXT,
    address TEXT
  ) STRICT;
  CREATE INDEX sessions_by_user ON sessions (user_id);
  CREATE INDEX sessions_by_end ON sessions (expires_at);

  -- The secrets that a session had before: whoever comes with one may be a thief, or have met one.
  CREATE TABLE session_old_secrets (
    number INTEGER PRIMARY KEY,
    session_id TEXT COLLATE BINARY NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    secret_hash TEXT NOT NULL,
    rotated_at INTEGER NOT NULL,
    -- When a newer one was first used. Until then the answer that brought it may have been lost.
    superseded_at INTEGER,
    UNIQUE (session_id, secret_hash)
  ) STRICT;

  CREATE TABLE saved_views (
    id TEXT COLLATE BINARY PRIMARY KEY,
    user_id TEXT COLLATE BINARY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    page TEXT NOT NULL,
    name TEXT COLLATE BINARY NOT NULL,
    query TEXT NOT NULL,
    is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (user_id, page, name)
  ) STRICT;
  CREATE INDEX saved_views_shared ON saved_views (name) WHERE is_shared = 1;
`

const SHARED = `
  -- The log outlives what it is about, so it refers to nothing. Its numbers are given by the text
  -- that inserts, not by a sequence: a change that is rolled back leaves no gap.
  CREATE TABLE audit (
    number INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    actor_kind TEXT NOT NULL CHECK (actor_kind IN ('user', 'token', 'command', 'system')),
    actor_id TEXT,
    actor_name TEXT NOT NULL,
    action TEXT NOT NULL,
    noun TEXT NOT NULL GENERATED ALWAYS AS (substr(action, 1, instr(action, '.') - 1)) VIRTUAL,
    subject_id TEXT,
    subject_name TEXT,
    changes TEXT NOT NULL CHECK (json_type(changes) = 'object')
  ) STRICT;
  CREATE INDEX audit_by_noun ON audit (noun, number);
  CREATE INDEX audit_by_actor ON audit (actor_id, number) WHERE actor_id IS NOT NULL;
  CREATE INDEX audit_by_actor_noun ON audit (actor_id, noun, number) WHERE actor_id IS NOT NULL;
  CREATE INDEX audit_by_subject ON audit (subject_id, number) WHERE subject_id IS NOT NULL;

  -- Answers of the API while they are valid. They may be lost at any time.
  CREATE TABLE snapshots (
    identity TEXT COLLATE BINARY PRIMARY KEY,
    taken_at INTEGER NOT NULL,
    valid_until INTEGER NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX snapshots_by_end ON snapshots (valid_until);
  CREATE INDEX snapshots_by_age ON snapshots (taken_at);
`

// Programs that do not know a column neither fail nor change it: it has a default, and they name
// the columns that they write.
const STORED_CREDENTIALS = `
  ALTER TABLE api_keys ADD COLUMN use_credentials TEXT NOT NULL DEFAULT '[]'
    CHECK (json_type(use_credentials) = 'array');
`
const DERIVED_TOKENS = `
  ALTER TABLE api_keys ADD COLUMN allow_derived_tokens INTEGER NOT NULL DEFAULT 0
    CHECK (allow_derived_tokens IN (0, 1));
`
const COST_CENTERS = 'ALTER TABLE api_keys ADD COLUMN cost_center TEXT;'
const PAUSED_KEYS = 'ALTER TABLE api_keys ADD COLUMN paused_at INTEGER;'

// What is kept in the place of a check on a column: neither engine can change one. The column is
// the last one afterwards; rows, their order and what refers to them stay.
//
// An older Weir beside it reads a role that it does not know as a fault: whoever has it cannot sign
// in there, and its list of users fails until it is replaced. Nobody gets more than they have.
const COMPANY_ROLES = `
  ALTER TABLE users ADD COLUMN company_role TEXT NOT NULL DEFAULT 'none'
    CHECK (company_role IN ('admin', 'finance', 'viewer', 'none'));
  UPDATE users SET company_role = role;
  ALTER TABLE users DROP COLUMN role;
  ALTER TABLE users RENAME COLUMN company_role TO role;
`

const TEAMS = `
  CREATE TABLE team_revision (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL
  ) STRICT;
  INSERT INTO team_revision (id, revision) VALUES (1, 0);

  CREATE TABLE teams (
    id TEXT COLLATE BINARY PRIMARY KEY,
    name TEXT COLLATE BINARY NOT NULL,
    slug TEXT COLLATE BINARY NOT NULL UNIQUE,
    parent_id TEXT COLLATE BINARY REFERENCES teams (id),
    cost_center TEXT,
    note TEXT,
    allowed_models TEXT NOT NULL CHECK (json_type(allowed_models) = 'array'),
    allowed_providers TEXT NOT NULL CHECK (json_type(allowed_providers) = 'array'),
    use_credentials TEXT NOT NULL CHECK (json_type(use_credentials) = 'array'),
    required_dims TEXT NOT NULL CHECK (json_type(required_dims) = 'array'),
    rate_limit_rpm INTEGER,
    key_days_max INTEGER,
    members_see_totals INTEGER NOT NULL CHECK (members_see_totals IN (0, 1)),
    created_at INTEGER NOT NULL,
    archived_at INTEGER,
    version INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX teams_by_parent ON teams (parent_id) WHERE parent_id IS NOT NULL;

  CREATE TABLE team_members (
    team_id TEXT COLLATE BINARY NOT NULL REFERENCES teams (id),
    user_id TEXT COLLATE BINARY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT COLLATE BINARY NOT NULL CHECK (role IN ('lead', 'member')),
    source TEXT NOT NULL CHECK (source IN ('hand', 'oidc', 'scim')),
    since INTEGER NOT NULL,
    PRIMARY KEY (team_id, user_id)
  ) STRICT;
  CREATE INDEX team_members_by_user ON team_members (user_id);

  -- They refer to nothing: a key keeps the person whose it was.
  ALTER TABLE api_keys ADD COLUMN team_id TEXT;
  ALTER TABLE api_keys ADD COLUMN person_id TEXT;
  -- Null where it was paused by hand, and stays so when the person may sign in again.
  ALTER TABLE api_keys ADD COLUMN paused_by TEXT CHECK (paused_by = 'person');
  CREATE INDEX api_keys_by_person ON api_keys (person_id) WHERE person_id IS NOT NULL;
  ALTER TABLE access_tokens ADD COLUMN team_id TEXT;
`

const DIRECTORY = `
  ALTER TABLE users ADD COLUMN user_name TEXT;
  ALTER TABLE users ADD COLUMN external_id TEXT;
  ALTER TABLE users ADD COLUMN unknown_groups TEXT NOT NULL DEFAULT '[]'
    CHECK (json_type(unknown_groups) = 'array');
  CREATE UNIQUE INDEX users_by_user_name ON users (lower(user_name)) WHERE user_name IS NOT NULL;
  CREATE INDEX users_by_external_id ON users (external_id) WHERE external_id IS NOT NULL;

  CREATE TABLE directory_groups (
    id TEXT COLLATE BINARY PRIMARY KEY,
    name TEXT NOT NULL,
    external_id TEXT,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE directory_members (
    group_id TEXT COLLATE BINARY NOT NULL REFERENCES directory_groups (id) ON DELETE CASCADE,
    user_id TEXT COLLATE BINARY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (group_id, user_id)
  ) STRICT;
  CREATE INDEX directory_members_by_user ON directory_members (user_id);
`

// A Weir that does not know of it would count a rule as one budget for all: see 0076.
const EACH_BUDGETS = `ALTER TABLE budgets ADD COLUMN each TEXT NOT NULL DEFAULT 'none';`
const TARGETS_ONLY = `
  ALTER TABLE budgets ADD COLUMN targets_only INTEGER NOT NULL DEFAULT 0
    CHECK (targets_only IN (0, 1));
`
const TEAM_DEFAULTS = `
  ALTER TABLE budgets ADD COLUMN default_of TEXT;
  CREATE UNIQUE INDEX budgets_by_team ON budgets (default_of) WHERE default_of IS NOT NULL;
`
// Asks refer to nothing: they stay readable when key, budget or person is gone.
const ASKS = `
  ALTER TABLE budgets ADD COLUMN own_limits TEXT NOT NULL DEFAULT '{}'
    CHECK (json_type(own_limits) = 'object');

  CREATE TABLE asks (
    number INTEGER PRIMARY KEY,
    id TEXT COLLATE BINARY NOT NULL UNIQUE,
    team_id TEXT COLLATE BINARY NOT NULL,
    person_id TEXT COLLATE BINARY NOT NULL,
    email TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('budget', 'limit')),
    key_id TEXT,
    budget_id TEXT,
    amount TEXT,
    note TEXT,
    status TEXT NOT NULL CHECK (status IN ('open', 'approved', 'declined', 'closed')),
    created_at INTEGER NOT NULL,
    decided_at INTEGER CHECK ((decided_at IS NULL) = (status = 'open')),
    decided_by TEXT,
    answer TEXT,
    granted TEXT
  ) STRICT;
  CREATE INDEX asks_by_person ON asks (person_id) WHERE status = 'open';
`

const DEVICE_SIGN_INS = `
  CREATE TABLE device_sign_ins (
    id TEXT COLLATE BINARY PRIMARY KEY,
    -- Null where it no longer waits for a person.
    code_hash TEXT COLLATE BINARY UNIQUE,
    device_hash TEXT COLLATE BINARY NOT NULL UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('asked', 'approved', 'denied', 'signed_in')),
    asked_at INTEGER NOT NULL,
    -- Of the codes, then of the refresh token.
    ends_at INTEGER NOT NULL,
    polled_at INTEGER,
    agent TEXT,
    address TEXT NOT NULL,
    user_id TEXT COLLATE BINARY REFERENCES users (id) ON DELETE CASCADE,
    key_id TEXT COLLATE BINARY,
    refresh_hash TEXT,
    -- Where it was last signed in or refreshed from.
    seen_at_address TEXT
  ) STRICT;
  CREATE INDEX device_sign_ins_by_end ON device_sign_ins (ends_at);
  CREATE INDEX device_sign_ins_by_key ON device_sign_ins (key_id) WHERE key_id IS NOT NULL;
`

/** The first makes the tables of Weir 0.1.0. */
export const SETTINGS_STEPS: readonly string[] = [
  [ACCESS, PRICES, BUDGETS, ALERTS, ACCOUNTS, SHARED].join(''),
  STORED_CREDENTIALS,
  DERIVED_TOKENS,
  COST_CENTERS,
  PAUSED_KEYS,
  COMPANY_ROLES,
  TEAMS,
  DIRECTORY,
  EACH_BUDGETS,
  TARGETS_ONLY,
  TEAM_DEFAULTS,
  DEVICE_SIGN_INS,
  ASKS,
]
