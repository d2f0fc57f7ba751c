// The only file that names an engine: which store a data directory holds. Another engine is another
// file in its store's room and a line here.

import path from 'node:path'
import type { Clock } from '../core/clock.ts'
import type { SettingsStore } from '../store/settings/settings-store.ts'
import { openSqliteSettings } from '../store/settings/sqlite.ts'
import { openSqliteUsage } from '../store/usage/sqlite.ts'
import type { UsageStore } from '../store/usage/usage-store.ts'

export type { KeySettings, SettingsStore } from '../store/settings/settings-store.ts'

export interface BackendOptions {
  readonly dataDir: string
  readonly clock: Clock
}

export function openSettingsStore({ dataDir, clock }: BackendOptions): Promise<SettingsStore> {
  return openSqliteSettings({ file: path.join(dataDir, 'settings.db'), clock })
}

export function openUsageStore({ dataDir }: BackendOptions): Promise<UsageStore> {
  return openSqliteUsage({ file: path.join(dataDir, 'usage.db') })
}
