// The settings store in one SQLite file, which several processes open and change at the same time:
// proxies poll it, the API and the command line change it. Must stay true: a change is on the disk
// before its caller hears of it (synchronous=full), for a secret is shown only once.

import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../core/clock.ts'
import { createSecret, hashSecret, isSecretOf } from '../../core/ids.ts'
import { WeirError } from '../../core/weir-error.ts'
import { migrate, readVersion } from './migrations.ts'
import { isBusy, NodeSqlite } from './node-sqlite.ts'
import type { SqliteValue } from './node-sqlite.ts'
import type { SettingsTables } from './settings-rows.ts'
import type { CreatedToken, SettingsStore } from './settings-store.ts'
import { createSqliteKeys } from './sqlite-keys.ts'
import { createSqliteTokens, insertToken } from './sqlite-tokens.ts'

const KEYS_MAX = 100_000
const TOKENS_MAX = 10_000
const WAL_ATTEMPTS_MAX = 100
const WAL_PAUSE_MS = 20

export interface SqliteSettingsOptions {
  readonly file: string
  readonly clock: Clock
  readonly keysMax?: number
  readonly tokensMax?: number
}

export async function openSqliteSettings(options: SqliteSettingsOptions): Promise<SettingsStore> {
  const { file, clock, keysMax = KEYS_MAX, tokensMax = TOKENS_MAX } = options
  const database = new NodeSqlite<SettingsTables>(file)
  try {
    // Before anything is written: the file of a newer Weir is left as it is.
    readVersion(database, file)
    await configure(database, file)
    migrate(database, file)
    const parts = { database, clock, keysMax, tokensMax }
    return createStore(parts, file)
  } catch (error) {
    database.close()
    throw error
  }
}

interface Parts {
  readonly database: NodeSqlite<SettingsTables>
  readonly clock: Clock
  readonly keysMax: number
  readonly tokensMax: number
}

function createStore(parts: Parts, file: string): SettingsStore {
  const { database, clock } = parts
  const fileAtOpen = readFileId(file)
  return {
    keys: createSqliteKeys(parts),
    tokens: createSqliteTokens(parts),
    createSetupCode: async () => createSetupCode(database, clock.now()),
    redeemSetupCode: async (code) => redeemSetupCode(parts, code),

    async check(): Promise<string | null> {
      // A file that was replaced lives on for us alone: no other process would see our changes.
      if (readFileId(file) !== fileAtOpen) {
        return `The settings store ${file} was moved or replaced while in use; restart Weir.`
      }
      try {
        const verdict = database.pragma('quick_check(1)')
        return verdict === 'ok' ? null : `The settings store ${file} is damaged: ${verdict}.`
      } catch (error) {
        if (error instanceof WeirError) return error.message
        throw error
      }
    },

    async close(): Promise<void> {
      database.close()
    },
  }
}

async function configure(database: NodeSqlite<SettingsTables>, file: string): Promise<void> {
  const mode = await switchToWal(database)
  if (mode !== 'wal') {
    const message = `The settings store ${file} cannot be shared between processes (${mode}).`
    throw new WeirError('store_unusable', message, {
      hint: 'Put the data directory on a local disk: network file systems lack what SQLite needs.',
    })
  }
  database.pragma('synchronous = full')
}

/**
 * Two processes that open a new file at once collide here, and SQLite refuses one of them without
 * waiting: its busy timeout does not cover this switch. On a file that has made it, it is a read.
 */
async function switchToWal(database: NodeSqlite<SettingsTables>): Promise<SqliteValue> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return database.pragma('journal_mode = wal')
    } catch (error) {
      if (!isBusy(error) || attempt === WAL_ATTEMPTS_MAX) throw error
      await setTimeout(WAL_PAUSE_MS)
    }
  }
}

/** Device and inode; null when the file is gone. */
function readFileId(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`
}

/** The row stays when the code was spent, so there is never a second code. */
function createSetupCode(database: NodeSqlite<SettingsTables>, nowMs: number): string | null {
  const code = createSecret()
  const row = { id: 1, code_hash: hashSecret(code), created_at: nowMs, spent_at: null }
  const isFirst = database.run(
    database.build
      .insertInto('setup_code')
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
  )
  return isFirst === 1 ? code : null
}

function redeemSetupCode(parts: Parts, code: string): CreatedToken | null {
  const { database, clock } = parts
  const query = database.build.selectFrom('setup_code').selectAll().where('spent_at', 'is', null)
  const row = database.first(query)
  if (row === null || !isSecretOf(code, row.code_hash)) return null
  return database.write(() => {
    const spend = database.build.updateTable('setup_code').set({ spent_at: clock.now() })
    // Of two who come at once with the right code, the second changes no row here.
    if (database.run(spend.where('spent_at', 'is', null)) === 0) return null
    return insertToken(parts, { name: 'administrator', scopes: ['admin'], expiresAt: null })
  })
}
