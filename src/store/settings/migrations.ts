// The tables of the settings store, as numbered steps; SQLite's user_version says how many were taken.
// Must stay true: a step that was released is never edited, a new one is added behind it.

import { WeirError } from '../../core/weir-error.ts'
import type { NodeSqlite } from './node-sqlite.ts'
import type { SettingsTables } from './settings-rows.ts'

const STEP_1 = `
  create table settings_revision (
    id integer primary key check (id = 1),
    revision integer not null
  ) strict;
  insert into settings_revision (id, revision) values (1, 0);

  create table api_keys (
    id text primary key,
    name text not null,
    secret_hash text not null,
    created_at integer not null,
    expires_at integer,
    revoked_at integer,
    allowed_models text not null check (json_type(allowed_models) = 'array'),
    allowed_providers text not null check (json_type(allowed_providers) = 'array'),
    default_dims text not null check (json_type(default_dims) = 'object'),
    locked_dims text not null check (json_type(locked_dims) = 'object'),
    required_dims text not null check (json_type(required_dims) = 'array'),
    rate_limit_rpm integer,
    revision integer not null
  ) strict;
  create index api_keys_by_revision on api_keys (revision);

  create table access_tokens (
    id text primary key,
    name text not null,
    secret_hash text not null,
    scopes text not null check (json_type(scopes) = 'array'),
    created_at integer not null,
    expires_at integer,
    revoked_at integer,
    last_used_at integer
  ) strict;

  create table setup_code (
    id integer primary key check (id = 1),
    code_hash text not null,
    created_at integer not null,
    spent_at integer
  ) strict;
`

/** The step at index n leads from version n to version n + 1. */
export const MIGRATIONS: readonly string[] = [STEP_1]

/**
 * Brings the file to the newest version. Processes that start at once queue up for the write lock, and
 * each looks at the version again once it holds it, so a step is taken once.
 */
export function migrate(database: NodeSqlite<SettingsTables>, file: string): void {
  if (readVersion(database, file) === MIGRATIONS.length) return
  database.write(() => {
    const version = readVersion(database, file)
    for (const step of MIGRATIONS.slice(version)) database.execute(step)
    database.execute(`pragma user_version = ${MIGRATIONS.length}`)
  })
}

/** Throws when the file was written by a newer Weir: what its tables mean is not known here. */
export function readVersion(database: NodeSqlite<SettingsTables>, file: string): number {
  const version = Number(database.pragma('user_version'))
  if (version <= MIGRATIONS.length) return version
  throw new WeirError(
    'store_unusable',
    `The settings store ${file} has version ${version}; this Weir knows versions up to ${MIGRATIONS.length}.`,
    {
      hint: 'Run the newer Weir that wrote it, or put a backup from before the upgrade in its place.',
    },
  )
}
