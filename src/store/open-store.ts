// Which engine a data directory or a URL stands for. With databases.ts the only file that names
// one: another engine is a folder in each store's room and a line here. An engine is loaded where
// it is opened: no process needs all of them, and most need one.

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import { findOwner, openOwner } from './data-dir-owner.ts'
import type { OpenRecords } from './ledger/call-batches.ts'
import type { LedgerStore } from './ledger/ledger-store.ts'
import type { NodeStore } from './nodes/node-store.ts'
import type { LeaseOwner, LeaseStore } from './limits/lease-store.ts'
import type { CallsMove, CallsMoveOptions } from './postgres/move/calls-move.ts'
import type { StoreMove, StoreMoveOptions } from './postgres/move/move.ts'
import type { SettingsStore } from './settings/settings-store.ts'
import { copySqliteFile } from './sqlite/copy.ts'
import { findFileDamage } from './sqlite/damage.ts'
import type { SqliteCopy } from './sqlite/copy.ts'

export type { LedgerProgress as LedgerBook } from './ledger/ledger-progress.ts'
export type { LedgerStore } from './ledger/ledger-store.ts'
export type { UserChange } from './settings/user-store.ts'
export type { NodeStore } from './nodes/node-store.ts'
export type { KeySettings } from '../resources/codecs.ts'
export type { PriceSettings } from './settings/price-store.ts'
export type { SettingsStore } from './settings/settings-store.ts'
export type { UsageStore } from './usage/usage-store.ts'
export type { CallsMove } from './postgres/move/calls-move.ts'
export type { StoreMove } from './postgres/move/move.ts'

export interface BackendOptions {
  /** The data directory, or its URL: `file:///var/lib/weir`, `sqlite:/var/lib/weir`. */
  readonly dataDir: string
  /** A database's URL; null where the store is a file in the data directory. */
  readonly url?: string | null
  readonly clock: Clock
}

/** Of usage on PostgreSQL: single calls may be in a ClickHouse beside it. */
interface CallsLocation {
  readonly callsUrl?: string | null
  /** Only the ledger database is read, so it does not matter where the calls are. */
  readonly isBookOnly?: boolean
}

type FileOrUrl = Pick<BackendOptions, 'dataDir' | 'url'>

export interface SettingsOptions extends BackendOptions {
  /** How long a change waits for another process, blocking its whole thread. */
  readonly busyTimeoutMs?: number
}

export async function openSettingsStore(options: SettingsOptions): Promise<SettingsStore> {
  const { dataDir, url = null, clock, ...others } = options
  if (url !== null) {
    const { openPostgresSettings } = await import('./settings/postgres/store.ts')
    return openPostgresSettings({ url, clock })
  }
  const { openSqliteSettings } = await import('./settings/sqlite/store.ts')
  return openSqliteSettings({ file: toPath(dataDir, 'settings.db'), clock, ...others })
}

export interface LedgerOptions extends BackendOptions, Pick<CallsLocation, 'callsUrl'> {
  /** False for a process without journals of its own: with a database, it needs no directory. */
  readonly hasJournals?: boolean
}

export async function openLedgerStore(options: LedgerOptions): Promise<LedgerStore> {
  const { dataDir, url = null, callsUrl = null, hasJournals = true } = options
  const directory = toDirectory(dataDir)
  if (url !== null) {
    const owner = hasJournals ? openOwner(directory) : findOwner(directory)
    const { openPostgresLedger } = await import('./ledger/postgres/store.ts')
    return openPostgresLedger({ url, owner, ...(await toCalls(callsUrl)) })
  }
  const { openSqliteLedger } = await import('./ledger/sqlite/store.ts')
  const owner = openOwner(directory)
  const file = toPath(dataDir, 'usage.db')
  return openSqliteLedger({ file, owner, isSole: true })
}

async function toCalls(url: string | null): Promise<{ readonly openRecords?: OpenRecords }> {
  if (url === null) return {}
  const { openClickhouseRecords } = await import('./usage/clickhouse/open-records.ts')
  return { openRecords: openClickhouseRecords(url) }
}

/** Limits over several nodes, beside their settings. With files there is one node, and no need. */
export async function openLeaseStore({ url }: { readonly url: string }): Promise<LeaseStore> {
  const { openPostgresLeases } = await import('./limits/postgres/store.ts')
  return openPostgresLeases({ url })
}

/** This run of the node that the data directory belongs to. */
export function createLeaseOwner({ dataDir }: Pick<BackendOptions, 'dataDir'>): LeaseOwner {
  return { owner: randomUUID(), node: openOwner(toDirectory(dataDir)).node }
}

/** Every data directory has one from its first moments on; so has a database that is named. */
export function hasSettingsStore({ dataDir, url }: FileOrUrl): boolean {
  return (url ?? null) !== null || existsSync(toPath(dataDir, 'settings.db'))
}

/** For reading only: nothing is created or changed. Null where there is no store yet. */
export async function openLedgerStoreToRead(
  place: FileOrUrl & CallsLocation,
): Promise<LedgerStore | null> {
  const { dataDir, url = null, callsUrl = null, isBookOnly = false } = place
  const owner = findOwner(toDirectory(dataDir))
  const fixed = { owner, readOnly: true }
  if (url !== null) {
    const { openPostgresLedger } = await import('./ledger/postgres/store.ts')
    return openPostgresLedger({ url, ...fixed, isBookOnly, ...(await toCalls(callsUrl)) })
  }
  const file = toPath(dataDir, 'usage.db')
  if (!existsSync(file)) return null
  const { openSqliteLedger } = await import('./ledger/sqlite/store.ts')
  return openSqliteLedger({ file, ...fixed })
}

/** Of this data directory, for good; made where there is none yet. */
export function openNodeId({ dataDir }: Pick<BackendOptions, 'dataDir'>): string {
  return openOwner(toDirectory(dataDir)).node
}

/** Only nodes that share a database know of each other. */
export async function openNodeStore({ url }: { readonly url: string }): Promise<NodeStore> {
  const { openPostgresNodes } = await import('./nodes/postgres/store.ts')
  return openPostgresNodes({ url })
}

/**
 * Takes a data directory's stores into PostgreSQL, with single calls in ClickHouse or there, and
 * makes all tables that Weir needs to start. It is refused where their tables are not of this
 * version.
 */
export async function openStoreMove(options: Omit<StoreMoveOptions, 'node'>): Promise<StoreMove> {
  await (await openLedgerStoreToRead({ dataDir: options.dataDir }))?.close()
  const { migrateStores } = await import('./databases.ts')
  await migrateStores({ settings: options.settingsUrl, usage: options.usageUrl })
  const { openPostgresMove } = await import('./postgres/move/move.ts')
  return openPostgresMove({ ...options, node: findOwner(toDirectory(options.dataDir)).node })
}

/** Takes the single calls of a Weir on PostgreSQL into ClickHouse. */
export async function openCallsMove(options: CallsMoveOptions): Promise<CallsMove> {
  const { openPostgresCallsMove } = await import('./postgres/move/calls-move.ts')
  return openPostgresCallsMove(options)
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
