// Access tokens in SQLite. They are looked up in the store at each use, so a revoked one ends at once
// and needs no revision.

import type { AccessToken, TokenScope } from '../../core/api-key.ts'
import type { Clock } from '../../core/clock.ts'
import { createTokenCredential, formatCredential, hashSecret } from '../../core/ids.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { NodeSqlite } from './node-sqlite.ts'
import { fromTokenRow } from './settings-rows.ts'
import type { SettingsTables, TokenRow } from './settings-rows.ts'
import type { CreatedToken, TokenStore } from './settings-store.ts'

/** A token's last use is written at most this often. */
export const TOUCH_INTERVAL_MS = 60_000

export interface SqliteTokensOptions {
  readonly database: NodeSqlite<SettingsTables>
  readonly clock: Clock
  /** Revoked ones included. */
  readonly tokensMax: number
}

export interface TokenSettings {
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly expiresAt: number | null
}

export function createSqliteTokens(options: SqliteTokensOptions): TokenStore {
  const { database, clock } = options
  const { build } = database

  async function find(id: string): Promise<AccessToken | null> {
    const row = database.first(build.selectFrom('access_tokens').selectAll().where('id', '=', id))
    return row === null ? null : fromTokenRow(row)
  }

  return {
    async create(settings: TokenSettings): Promise<CreatedToken> {
      return database.write(() => insertToken(options, settings))
    },

    async list(): Promise<readonly AccessToken[]> {
      const query = build.selectFrom('access_tokens').selectAll()
      return database.all(query.orderBy('created_at').orderBy('id')).map(fromTokenRow)
    },

    find,

    async revoke(id: string): Promise<AccessToken | null> {
      database.run(
        build
          .updateTable('access_tokens')
          .set({ revoked_at: clock.now() })
          .where('id', '=', id)
          .where('revoked_at', 'is', null),
      )
      return find(id)
    },

    async touch(id: string): Promise<void> {
      const nowMs = clock.now()
      database.run(
        build
          .updateTable('access_tokens')
          .set({ last_used_at: nowMs })
          .where('id', '=', id)
          .where((column) =>
            column.or([
              column('last_used_at', 'is', null),
              column('last_used_at', '<=', nowMs - TOUCH_INTERVAL_MS),
            ]),
          ),
      )
    },
  }
}

/** Only within a transaction: the spending of the setup code creates a token in its own. */
export function insertToken(options: SqliteTokensOptions, settings: TokenSettings): CreatedToken {
  const { database, clock, tokensMax } = options
  const { build } = database
  const count = build.selectFrom('access_tokens').select((column) => column.fn.countAll().as('n'))
  if (Number(database.first(count)?.n) >= tokensMax) {
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
  database.run(build.insertInto('access_tokens').values(row))
  return { token: fromTokenRow(row), credential: formatCredential(credential) }
}
