// The settings store in one SQLite file, which several processes open and change at the same time:
// proxies poll it, the API and the command line change it. Must stay true: a change is on the disk
// before its caller hears of it (synchronous=full), for a secret is shown only once.

import { statSync } from 'node:fs'
import { BUDGETS_MAX } from '../../core/budget.ts'
import type { Clock } from '../../core/clock.ts'
import { createSecret, hashSecret, isSecretOf } from '../../core/ids.ts'
import { WeirError } from '../../core/weir-error.ts'
import { openSqliteFile } from '../sqlite-file.ts'
import type { SqliteFile } from '../sqlite-file.ts'
import { TARGETS_MAX } from './alert-store.ts'
import { MIGRATIONS } from './migrations.ts'
import type { SettingsStore } from './settings-store.ts'
import { createSqliteAlerts } from './sqlite-alerts.ts'
import { createSqliteBudgets } from './sqlite-budgets.ts'
import { createSqliteKeys } from './sqlite-keys.ts'
import { createSqlitePrices } from './sqlite-prices.ts'
import { createSqliteSnapshots } from './sqlite-snapshots.ts'
import { createSqliteTargets } from './sqlite-targets.ts'
import { createSqliteTokens, prepareTokenInsert } from './sqlite-tokens.ts'
import type { SqliteTokensOptions } from './sqlite-tokens.ts'

const KEYS_MAX = 100_000
const TOKENS_MAX = 10_000
const RULES_MAX = 10_000
/** A change holds the file for some milliseconds. */
const BUSY_TIMEOUT_MS = 5000

export interface SqliteSettingsOptions {
  readonly file: string
  readonly clock: Clock
  readonly keysMax?: number
  readonly tokensMax?: number
  readonly rulesMax?: number
  readonly budgetsMax?: number
  readonly targetsMax?: number
  readonly busyTimeoutMs?: number
}

export function openSqliteSettings(options: SqliteSettingsOptions): Promise<SettingsStore> {
  const { file: path, clock, keysMax = KEYS_MAX, tokensMax = TOKENS_MAX } = options
  const { rulesMax = RULES_MAX, budgetsMax = BUDGETS_MAX, targetsMax = TARGETS_MAX } = options
  const { busyTimeoutMs = BUSY_TIMEOUT_MS } = options
  const fixed = { name: 'settings store', migrations: MIGRATIONS, busyTimeoutMs }
  return openSqliteFile({ file: path, ...fixed }, (file) => ({
    keys: createSqliteKeys({ file, clock, keysMax }),
    tokens: createSqliteTokens({ file, clock, tokensMax }),
    prices: createSqlitePrices({ file, clock, rulesMax }),
    budgets: createSqliteBudgets({ file, clock, budgetsMax, targetsMax }),
    targets: createSqliteTargets({ file, clock, targetsMax }),
    alerts: createSqliteAlerts({ file, clock }),
    snapshots: createSqliteSnapshots({ file, clock }),
    ...createSetupCodes({ file, clock, tokensMax }),
    check: createCheck(file, path),
    foldBack: async () => file.foldBack(),
    close: async () => file.close(),
  }))
}

function createCheck(file: SqliteFile, path: string): SettingsStore['check'] {
  const idAtOpen = readFileId(path)
  return async () => {
    // A file that was replaced lives on for us alone: no other process would see our changes.
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

function createSetupCodes(
  options: SqliteTokensOptions,
): Pick<SettingsStore, 'createSetupCode' | 'redeemSetupCode'> {
  const { file, clock } = options
  const insertToken = prepareTokenInsert(options)
  // The row stays when the code was spent, so there is never a second code.
  const insertCode = file.prepare(`INSERT INTO setup_code (id, code_hash, created_at, spent_at)
    VALUES (1, ?, ?, NULL) ON CONFLICT DO NOTHING`)
  const selectUnspent = file.prepare<{ code_hash: string }>(
    'SELECT code_hash FROM setup_code WHERE spent_at IS NULL',
  )
  const spend = file.prepare('UPDATE setup_code SET spent_at = ? WHERE spent_at IS NULL')

  return {
    async createSetupCode() {
      const code = createSecret()
      return insertCode.run(hashSecret(code), clock.now()) === 1 ? code : null
    },

    async redeemSetupCode(code) {
      const row = selectUnspent.first()
      if (row === null || !isSecretOf(code, row.code_hash)) return null
      return file.transact(() => {
        // Of two who come at once with the right code, the second changes no row here.
        if (spend.run(clock.now()) === 0) return null
        return insertToken({ name: 'administrator', scopes: ['admin'], expiresAt: null })
      })
    },
  }
}
