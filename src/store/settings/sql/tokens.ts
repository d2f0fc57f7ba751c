// Access tokens. They are looked up at each use, so a revoked one ends at once and needs
// no revision. Must stay true: a change and its audit line are one transaction.

import type { AccessToken } from '../../../core/api-key.ts'
import type { Clock } from '../../../core/clock.ts'
import { createTokenCredential, formatCredential, hashSecret } from '../../../core/ids.ts'
import { TOKEN_CODEC } from '../../../resources/codecs.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import { toTokenFacts } from './audit-changes.ts'
import { createRows } from './noun-rows.ts'
import { fromTokenRow } from './settings-rows.ts'
import type { TokenRow } from './settings-rows.ts'
import { TOUCH_INTERVAL_MS } from '../token-store.ts'
import type { CreatedToken, TokenStore } from '../token-store.ts'
import type { WriteAudit } from './audit.ts'

export interface TokensOptions {
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly writeAudit: WriteAudit
  /** Including revoked ones. */
  readonly tokensMax: number
}

const TOUCH = `UPDATE access_tokens SET last_used_at = :now
  WHERE id = :id AND (last_used_at IS NULL OR last_used_at <= :before)`

function createTokenRows(writeAudit: WriteAudit) {
  return createRows<TokenRow, AccessToken>(
    {
      table: 'access_tokens',
      columns: [
        ...(['id', 'secret_hash', 'created_at', 'revoked_at', 'last_used_at'] as const),
        ...TOKEN_CODEC.columns,
      ],
      order: 'created_at, id',
      fromRow: fromTokenRow,
      toFacts: toTokenFacts,
      nameOf: ({ name }) => name,
      full: { plural: 'access tokens', hint: 'Use a token that exists.' },
    },
    writeAudit,
  )
}

export function createTokens({
  database,
  clock,
  writeAudit,
  tokensMax,
}: TokensOptions): TokenStore {
  const rows = createTokenRows(writeAudit)

  return {
    async create(settings): Promise<CreatedToken> {
      const credential = createTokenCredential()
      const row: TokenRow = {
        ...TOKEN_CODEC.toColumns(settings),
        id: credential.id,
        secret_hash: hashSecret(credential.secret),
        created_at: clock.now(),
        revoked_at: null,
        last_used_at: null,
      }
      const token = await database.transact(async (sql) => {
        await rows.requireRoom(sql, tokensMax)
        return rows.insert(sql, row, { action: 'token.create' })
      })
      return { token, credential: formatCredential(credential) }
    },

    list: () => rows.list(database),

    find: (id) => rows.find(database, id),

    async revoke(id: string): Promise<AccessToken | null> {
      // Read and written in one transaction: two who revoke at once agree on the first moment.
      const toColumns = ({ revoked_at: at }: TokenRow) => ({ revoked_at: at ?? clock.now() })
      const asked = { action: 'token.revoke', id } as const
      return database.transact((sql) => rows.change(sql, asked, { toColumns }))
    },

    async touch(id: string): Promise<void> {
      const now = clock.now()
      const before = now - TOUCH_INTERVAL_MS
      const lastUsedAt = (await rows.find(database, id))?.lastUsedAt ?? null
      // Even a statement that changes nothing takes SQLite's write lock, and waiting blocks.
      if (lastUsedAt !== null && lastUsedAt > before) return
      await database.changeWithoutWaiting((sql) => sql.run(TOUCH, { id, now, before }))
    },
  }
}
