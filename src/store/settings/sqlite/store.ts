// The settings store in one SQLite file that several processes open and change at the same time.
// Must stay true: a change is on the disk before the call returns (synchronous=full), since a
// secret is shown only once.

import { statSync } from 'node:fs'
import type { Clock } from '../../../core/clock.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { createSqliteDatabase } from '../../sqlite/database.ts'
import { openSqliteFile } from '../../sqlite/file.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { createMemoryCounters } from '../memory-counters.ts'
import type { StoreClock } from '../../store-clock.ts'
import type { SettingsStore } from '../settings-store.ts'
import { SETTINGS_STEPS } from '../sql/schema.ts'
import { createSettings } from '../sql/store.ts'
import type { SettingsLimits } from '../sql/tools.ts'

/** A change locks the file for some milliseconds. */
const BUSY_TIMEOUT_MS = 5000

/** Weir 0.1.0 had taken 12 steps. */
export const SQLITE_SETTINGS = { migrations: SETTINGS_STEPS, firstVersion: 12 }

export interface SqliteSettingsOptions extends SettingsLimits {
  readonly file: string
  readonly clock: Clock
  readonly busyTimeoutMs?: number
}

export function openSqliteSettings(options: SqliteSettingsOptions): Promise<SettingsStore> {
  const { file: path, clock, busyTimeoutMs = BUSY_TIMEOUT_MS, ...limits } = options
  const fixed = { name: 'settings store', ...SQLITE_SETTINGS, busyTimeoutMs }
  return openSqliteFile({ file: path, ...fixed }, (file) => {
    const database = createSqliteDatabase(file)
    return createSettings(
      { ...limits, database, clock: toStoreClock(clock) },
      {
        // One process serves the API of a file.
        counters: createMemoryCounters(clock),
        check: createCheck(file, path),
        checkpoint: async () => file.checkpoint(),
        close: () => database.close(),
      },
    )
  })
}

/** Processes that share a file share a clock. */
function toStoreClock(clock: Clock): StoreClock {
  return { now: () => clock.now(), monotonic: () => clock.monotonic(), offsetMs: () => 0 }
}

function createCheck(file: SqliteFile, path: string): SettingsStore['check'] {
  const idAtOpen = readFileId(path)
  return async () => {
    // A replaced file stays open for us alone: no other process would see our changes.
    if (readFileId(path) !== idAtOpen) {
      return `${file.title} was moved or replaced while in use; restart Weir.`
    }
    try {
      const row = file.prepare<{ quick_check: string }>('PRAGMA quick_check(1)').first()
      return row?.quick_check === 'ok' ? null : `${file.title} is damaged: ${row?.quick_check}.`
    } catch (error) {
      if (error instanceof WeirError) return error.message
      throw error
    }
  }
}

/** Device and inode; null when the file is gone. */
function readFileId(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`
}
