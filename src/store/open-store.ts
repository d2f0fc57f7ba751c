// The only file that names an engine: which one a data directory or a URL stands for. Another
// engine is a folder in each store's room and a line here.

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import { findOwner, openOwner } from './data-dir-owner.ts'
import type { LedgerStore } from './ledger/ledger-store.ts'
import { USAGE_SCHEMA } from './ledger/postgres/schema.ts'
import { openPostgresLedger } from './ledger/postgres/store.ts'
import { openSqliteLedger } from './ledger/sqlite/store.ts'
import type { NodeStore } from './nodes/node-store.ts'
import { NODES_SCHEMA } from './nodes/postgres/schema.ts'
import { openPostgresNodes } from './nodes/postgres/store.ts'
import type { LeaseOwner, LeaseStore } from './limits/lease-store.ts'
import { LIMITS_SCHEMA } from './limits/postgres/schema.ts'
import { openPostgresLeases } from './limits/postgres/store.ts'
import { openPostgresDatabase } from './postgres/database.ts'
import { readFacts } from './postgres/database-facts.ts'
import type { DatabaseFacts } from './postgres/database-facts.ts'
import { LOCKS } from './postgres/locks.ts'
import { measureTables } from './postgres/measure-tables.ts'
import { migratePostgres } from './postgres/migrate.ts'
import type { StoreName } from './postgres/migrate.ts'
import { openPostgresMove } from './postgres/move/move.ts'
import type { StoreMove, StoreMoveOptions } from './postgres/move/move.ts'
import { SETTINGS_SCHEMA } from './settings/postgres/schema.ts'
import { openPostgresSettings } from './settings/postgres/store.ts'
import type { SettingsStore } from './settings/settings-store.ts'
import { openSqliteSettings } from './settings/sqlite/store.ts'
import { copySqliteFile } from './sqlite/copy.ts'
import { findFileDamage } from './sqlite/damage.ts'
import type { SqliteCopy } from './sqlite/copy.ts'

export type { LedgerBook } from './ledger/ledger-book.ts'
export type { LedgerStore } from './ledger/ledger-store.ts'
export type { UserChange } from './settings/user-store.ts'
export type { NodeStore } from './nodes/node-store.ts'
export type { KeySettings } from './settings/key-store.ts'
export type { PriceSettings } from './settings/price-store.ts'
export type { SettingsStore } from './settings/settings-store.ts'
export type { UsageStore } from './usage/usage-store.ts'
export type { DatabaseFacts } from './postgres/database-facts.ts'
export type { StoreMove } from './postgres/move/move.ts'

export interface BackendOptions {
  /** The data directory, or its URL: `file:///var/lib/weir`, `sqlite:/var/lib/weir`. */
  readonly dataDir: string
  /** A database's URL; null where the store is a file in the data directory. */
  readonly url?: string | null
  readonly clock: Clock
}

type Place = Pick<BackendOptions, 'dataDir' | 'url'>

export interface SettingsOptions extends BackendOptions {
  /** How long a change waits for another process, blocking its whole thread. */
  readonly busyTimeoutMs?: number
}

export async function openSettingsStore(options: SettingsOptions): Promise<SettingsStore> {
  const { dataDir, url = null, clock, ...others } = options
  if (url !== null) return openPostgresSettings({ url, clock })
  return openSqliteSettings({ file: toPath(dataDir, 'settings.db'), clock, ...others })
}

export interface LedgerOptions extends BackendOptions {
  /** False for a process without journals of its own: with a database, it needs no directory. */
  readonly hasJournals?: boolean
}

export async function openLedgerStore(options: LedgerOptions): Promise<LedgerStore> {
  const { dataDir, url = null, hasJournals = true } = options
  const directory = toDirectory(dataDir)
  if (url !== null) {
    const owner = hasJournals ? openOwner(directory) : findOwner(directory)
    return openPostgresLedger({ url, owner })
  }
  const owner = openOwner(directory)
  return openSqliteLedger({ file: toPath(dataDir, 'usage.db'), owner, isSole: true })
}

/** Limits over several nodes, beside their settings. With files there is one node, and no need. */
export function openLeaseStore({ url }: { readonly url: string }): LeaseStore {
  return openPostgresLeases({ url })
}

/** This run of the node that the data directory belongs to. */
export function createLeaseOwner({ dataDir }: Pick<BackendOptions, 'dataDir'>): LeaseOwner {
  return { owner: randomUUID(), node: openOwner(toDirectory(dataDir)).node }
}

/** Every data directory has one from its first moments on; so has a database that is named. */
export function hasSettingsStore({ dataDir, url }: Place): boolean {
  return (url ?? null) !== null || existsSync(toPath(dataDir, 'settings.db'))
}

/** For reading only: nothing is created or changed. Null where there is no store yet. */
export async function openLedgerStoreToRead({ dataDir, url }: Place): Promise<LedgerStore | null> {
  const owner = findOwner(toDirectory(dataDir))
  if ((url ?? null) !== null)
    return openPostgresLedger({ url: url as string, owner, readOnly: true })
  const file = toPath(dataDir, 'usage.db')
  if (!existsSync(file)) return null
  return openSqliteLedger({ file, owner, readOnly: true })
}

/** Of this data directory, for good; made where there is none yet. */
export function openNodeId({ dataDir }: Pick<BackendOptions, 'dataDir'>): string {
  return openOwner(toDirectory(dataDir)).node
}

/** Only nodes that share a database know of each other. */
export function openNodeStore({ url }: { readonly url: string }): Promise<NodeStore> {
  return openPostgresNodes({ url })
}

const SCHEMAS = {
  settings: [SETTINGS_SCHEMA, NODES_SCHEMA, LIMITS_SCHEMA],
  usage: [USAGE_SCHEMA],
} as const

/** Fails where it cannot be reached. */
export async function readDatabaseFacts({
  url,
  clock,
}: {
  readonly url: string
  readonly clock: Clock
}): Promise<DatabaseFacts> {
  const database = openPostgresDatabase({ url, name: 'database', lock: LOCKS.settings })
  try {
    return await readFacts(database, { schemas: [...SCHEMAS.settings, ...SCHEMAS.usage], clock })
  } finally {
    await database.close()
  }
}

const MEASURE_MS_MAX = 5000

/** The bytes of a store's tables in its database; null where there are none. It takes some ms. */
export async function measureStore(
  { url }: { readonly url: string },
  name: 'settings' | 'usage',
): Promise<number | null> {
  const fixed = { name: `${name} store`, lock: LOCKS[name], statementMsMax: MEASURE_MS_MAX }
  const database = openPostgresDatabase({ url, ...fixed })
  try {
    return await measureTables(database, SCHEMAS[name])
  } finally {
    await database.close()
  }
}

export interface MigratedStore {
  readonly store: StoreName
  /** The versions of its tables; 0 where there were none. */
  readonly before: number
  readonly after: number
}

/** A step may rebuild an index over all calls. */
const MIGRATE_MS_MAX = 6 * 3_600_000

/** Brings the tables of all stores up to date; nodes may be working on them meanwhile. */
export async function migrateStores(urls: {
  readonly settings: string
  readonly usage: string
}): Promise<readonly MigratedStore[]> {
  return [
    ...(await migrateDatabase(urls.settings, 'settings')),
    ...(await migrateDatabase(urls.usage, 'usage')),
  ]
}

async function migrateDatabase(
  url: string,
  name: 'settings' | 'usage',
): Promise<readonly MigratedStore[]> {
  const fixed = { name: `${name} store`, lock: LOCKS[name], statementMsMax: MIGRATE_MS_MAX }
  const database = openPostgresDatabase({ url, ...fixed })
  try {
    const migrated: MigratedStore[] = []
    for (const schema of SCHEMAS[name]) {
      migrated.push({ store: schema.name, ...(await migratePostgres(database, schema)) })
    }
    return migrated
  } finally {
    await database.close()
  }
}

/** Takes a data directory's stores into PostgreSQL. */
export function openStoreMove(options: Omit<StoreMoveOptions, 'node'>): Promise<StoreMove> {
  return openPostgresMove({ ...options, node: findOwner(toDirectory(options.dataDir)).node })
}

/** Copies a store beside running writes. It opens none, so an older Weir's file is not migrated. */
export function copyStore(
  { dataDir }: Pick<BackendOptions, 'dataDir'>,
  name: 'settings.db' | 'usage.db',
  copy: Omit<SqliteCopy, 'from'>,
): Promise<void> {
  return copySqliteFile({ ...copy, from: toPath(dataDir, name) })
}

/** Faults in a store's structure, in sentences. It takes as long as reading the whole file. */
export function findStoreDamage(
  { dataDir }: Pick<BackendOptions, 'dataDir'>,
  name: 'settings.db' | 'usage.db',
): readonly string[] {
  return findFileDamage(toPath(dataDir, name))
}

/** Two letters at least: one is a drive. */
const SCHEME = /^([a-z][a-z0-9+.-]+):/i

function toPath(dataDir: string, name: string): string {
  return path.join(toDirectory(dataDir), name)
}

function toDirectory(place: string): string {
  const scheme = SCHEME.exec(place)?.[1]?.toLowerCase()
  switch (scheme) {
    case undefined:
      return place
    case 'file':
      return fileURLToPath(place)
    case 'sqlite':
      return place.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')
    default:
      throw new WeirError('store_unusable', `There is no store for ${scheme}: addresses.`, {
        hint: 'Name a data directory, or its URL with file: or sqlite:. A PostgreSQL database goes into settings.url.',
      })
  }
}
