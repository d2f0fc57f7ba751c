// Access tokens in SQLite. They are looked up in the store at each use, so a revoked one ends at once
// and needs no revision.

import type { AccessToken, TokenScope } from '../../core/api-key.ts'
import type { Clock } from '../../core/clock.ts'
import { createTokenCredential, formatCredential, hashSecret } from '../../core/ids.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { SqliteFile } from '../sqlite-file.ts'
import { fromTokenRow } from './settings-rows.ts'
import type { TokenRow } from './settings-rows.ts'
import { TOUCH_INTERVAL_MS } from './settings-store.ts'
import type { CreatedToken, TokenStore } from './settings-store.ts'

export interface SqliteTokensOptions {
  readonly file: SqliteFile
  readonly clock: Clock
  /** Revoked ones included. */
  readonly tokensMax: number
}

export interface TokenSettings {
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly expiresAt: number | null
}

const COLUMNS = 'id, name, secret_hash, scopes, created_at, expires_at, revoked_at, last_used_at'

export function createSqliteTokens(options: SqliteTokensOptions): TokenStore {
  const { file, clock } = options
  const insert = prepareTokenInsert(options)
  const selectAll = file.prepare<TokenRow>(
    `SELECT ${COLUMNS} FROM access_tokens ORDER BY created_at, id`,
  )
  const selectOne = file.prepare<TokenRow>(`SELECT ${COLUMNS} FROM access_tokens WHERE id = ?`)
  const revoke = file.prepare(
    'UPDATE access_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  )
  const touch = file.prepare(`UPDATE access_tokens SET last_used_at = :now
    WHERE id = :id AND (last_used_at IS NULL OR last_used_at <= :now - ${TOUCH_INTERVAL_MS})`)

  function find(id: string): AccessToken | null {
    const row = selectOne.first(id)
    return row === null ? null : fromTokenRow(row)
  }

  return {
    async create(settings: TokenSettings): Promise<CreatedToken> {
      return file.transact(() => insert(settings))
    },

    async list(): Promise<readonly AccessToken[]> {
      return selectAll.all().map(fromTokenRow)
    },

    async find(id: string): Promise<AccessToken | null> {
      return find(id)
    },

    async revoke(id: string): Promise<AccessToken | null> {
      revoke.run(clock.now(), id)
      return find(id)
    },

    async touch(id: string): Promise<void> {
      const now = clock.now()
      const lastUsedAt = find(id)?.lastUsedAt ?? null
      // Even a statement that changes nothing takes the write lock, and waiting for it holds up the whole thread.
      if (lastUsedAt !== null && lastUsedAt > now - TOUCH_INTERVAL_MS) return
      file.withoutWaiting(() => touch.run({ id, now }))
    },
  }
}

/** What it returns runs only within a transaction: the setup code is spent for a token in its own. */
export function prepareTokenInsert(
  options: SqliteTokensOptions,
): (settings: TokenSettings) => CreatedToken {
  const { file, clock, tokensMax } = options
  const count = file.prepare<{ n: number }>('SELECT COUNT(*) AS n FROM access_tokens')
  const insert = file.prepare(`INSERT INTO access_tokens (${COLUMNS})
    VALUES (:id, :name, :secret_hash, :scopes, :created_at, :expires_at, :revoked_at, :last_used_at)`)

  return (settings) => {
    if (Number(count.first()?.n) >= tokensMax) {
      const message = `There are ${tokensMax} access tokens, the most the store holds.`
      throw new WeirError('invalid_argument', message, { hint: 'Use a token that exists.' })
    }
    const credential = createTokenCredential()
    const row: TokenRow = {
      id: credential.id,
      name: settings.name,
      secret_hash: hashSecret(credential.secret),
      scopes: JSON.stringify(settings.scopes),
      created_at: clock.now(),
      expires_at: settings.expiresAt,
      revoked_at: null,
      last_used_at: null,
    }
    insert.run({ ...row })
    return { token: fromTokenRow(row), credential: formatCredential(credential) }
  }
}
