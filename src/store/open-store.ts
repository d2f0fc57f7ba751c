// The only file that names an engine: which store a data directory holds. Another engine is another
// file in its store's room and a line here.

import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '../core/clock.ts'
import type { SettingsStore } from './settings/settings-store.ts'
import { openSqliteSettings } from './settings/sqlite/sqlite.ts'
import { copySqliteFile } from './sqlite/sqlite-copy.ts'
import { findFileDamage } from './sqlite/sqlite-damage.ts'
import type { SqliteCopy } from './sqlite/sqlite-copy.ts'
import { openSqliteUsage } from './usage/sqlite/sqlite.ts'
import type { UsageStore } from './usage/usage-store.ts'

export type { UserChange } from './settings/account-store.ts'
export type { KeySettings, PriceSettings, SettingsStore } from './settings/settings-store.ts'
export type { UsageStore } from './usage/usage-store.ts'

export interface BackendOptions {
  readonly dataDir: string
  readonly clock: Clock
}

export interface SettingsOptions extends BackendOptions {
  /** How long a change waits for another process, holding up its whole thread. */
  readonly busyTimeoutMs?: number
}

export function openSettingsStore(options: SettingsOptions): Promise<SettingsStore> {
  const { dataDir, ...others } = options
  return openSqliteSettings({ file: path.join(dataDir, 'settings.db'), ...others })
}

export function openUsageStore(options: BackendOptions): Promise<UsageStore> {
  const { dataDir } = options
  return openSqliteUsage({ file: path.join(dataDir, 'usage.db') })
}

/** For asking only: nothing is made or changed. Null where there is none yet. */
export async function openUsageStoreToRead({
  dataDir,
}: Pick<BackendOptions, 'dataDir'>): Promise<UsageStore | null> {
  const file = path.join(dataDir, 'usage.db')
  return existsSync(file) ? openSqliteUsage({ file, readOnly: true }) : null
}

/**
 * A whole copy of one of them beside running writes. It opens no store, so it changes nothing, and what an
 * older Weir wrote is copied as it is.
 */
export function copyStore(
  { dataDir }: Pick<BackendOptions, 'dataDir'>,
  name: 'settings.db' | 'usage.db',
  copy: Omit<SqliteCopy, 'from'>,
): Promise<void> {
  return copySqliteFile({ ...copy, from: path.join(dataDir, name) })
}

/** What is wrong with the structure of one of them, in sentences; it takes as long as reading all of it. */
export function findStoreDamage(
  { dataDir }: Pick<BackendOptions, 'dataDir'>,
  name: 'settings.db' | 'usage.db',
): readonly string[] {
  return findFileDamage(path.join(dataDir, name))
}

// SQLite's BUSY, LOCKED and PROTOCOL, https://www.sqlite.org/rescode.html
const BUSY_CODES: ReadonlySet<number> = new Set([5, 6, 15])

/** Whether a store is only held by another process at the moment, so that another try will help. */
export function isBusy(error: Error): boolean {
  const { errcode = 0 } = (error.cause ?? {}) as { errcode?: number }
  return BUSY_CODES.has(errcode & 0xff)
}
