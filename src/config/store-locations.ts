// Where the stores of a configuration are: files in the data directory, or databases.

import { WeirError } from '../core/weir-error.ts'
import type { Config } from './config.ts'
import { isClickhouseUrl } from './database-url.ts'

export interface StoreLocation {
  readonly dataDir: string
  /** Null for a file in the data directory. */
  readonly url: string | null
}

type Placed = Pick<Config, 'dataDir' | 'settings' | 'usage'>

export function toSettingsLocation({ dataDir, settings }: Placed): StoreLocation {
  return { dataDir, url: settings.url ?? null }
}

export interface UsageLocation extends StoreLocation {
  /** The ClickHouse of single calls; null where they are beside their sums. */
  readonly callsUrl: string | null
}

export function toUsageLocation({ dataDir, settings, usage }: Placed): UsageLocation {
  if (usage.url !== undefined && isClickhouseUrl(usage.url)) {
    return { dataDir, url: settings.url ?? null, callsUrl: usage.url }
  }
  return { dataDir, url: usage.url ?? settings.url ?? null, callsUrl: null }
}

/** Both stores are databases that all nodes share, or neither is. */
export function isShared({ settings }: Pick<Config, 'settings'>): boolean {
  return settings.url !== undefined
}

/** For commands that work on SQLite's files. `instead` says what to do on PostgreSQL. */
export function requireFiles(
  config: Pick<Config, 'settings'>,
  { command, instead }: { readonly command: string; readonly instead: string },
): void {
  if (!isShared(config)) return
  throw new WeirError('invalid_config', `${command} is for SQLite; settings.url is set.`, {
    hint: instead,
  })
}
