// Access tokens. They are looked up at each use, so a revoked one ends at once and needs
// no revision. Must stay true: a change and its audit line are one transaction.

import type { AccessToken } from '../../../core/api-key.ts'
import { createTokenCredential, formatCredential, hashSecret } from '../../../core/ids.ts'
import { TOKEN_CODEC } from '../../../resources/codecs.ts'
import type { ColumnsOf } from '../../../resources/field.ts'
import type { TOKEN_FIELDS } from '../../../resources/token.ts'
import { TOUCH_INTERVAL_MS } from '../token-store.ts'
import type { TokenStore } from '../token-store.ts'
import { toTokenFacts } from './audit-changes.ts'
import { toMembers } from '../../sql/members.ts'
import { createRows } from './noun-rows.ts'
import type { SettingsTools } from './tools.ts'

/** Of the secret only the hash is stored. */
interface TokenRow extends ColumnsOf<typeof TOKEN_FIELDS> {
  id: string
  secret_hash: string
  created_at: number
  revoked_at: number | null
  last_used_at: number | null
}

const OWN_COLUMNS = ['id', 'secret_hash', 'created_at', 'revoked_at', 'last_used_at'] as const

const TOUCH = `UPDATE access_tokens SET last_used_at = :now
  WHERE id = :id AND (last_used_at IS NULL OR last_used_at <= :before)`

export function createTokens(tools: SettingsTools): TokenStore {
  const { database, clock, tokensMax } = tools
  const rows = createRows<TokenRow, AccessToken>(tools, {
    table: 'access_tokens',
    columns: [...OWN_COLUMNS, ...TOKEN_CODEC.columns],
    order: 'created_at, id',
    fromRow: (row) => ({ ...toMembers(row, OWN_COLUMNS), ...TOKEN_CODEC.fromColumns(row) }),
    toFacts: toTokenFacts,
    nameOf: ({ name }) => name,
    full: { max: tokensMax, plural: 'access tokens', hint: 'Use a token that exists.' },
  })

  return {
    async create(settings) {
      const credential = createTokenCredential()
      const row: TokenRow = {
        ...TOKEN_CODEC.toColumns(settings),
        id: credential.id,
        secret_hash: hashSecret(credential.secret),
        created_at: clock.now(),
        revoked_at: null,
        last_used_at: null,
      }
      const token = await database.transact((sql) =>
        rows.insert(sql, row, { action: 'token.create' }),
      )
      return { token, credential: formatCredential(credential) }
    },

    list: () => rows.list(),

    find: (id) => rows.find(id),

    revoke(id) {
      // Read and written in one transaction: two who revoke at once agree on the first moment.
      const toColumns = ({ revoked_at: at }: TokenRow) => ({ revoked_at: at ?? clock.now() })
      return rows.change({ action: 'token.revoke', id }, { toColumns })
    },

    async touch(id) {
      const now = clock.now()
      const before = now - TOUCH_INTERVAL_MS
      const lastUsedAt = (await rows.find(id))?.lastUsedAt ?? null
      // Even a statement that changes nothing takes SQLite's write lock, and waiting blocks.
      if (lastUsedAt !== null && lastUsedAt > before) return
      await database.changeWithoutWaiting((sql) => sql.run(TOUCH, { id, now, before }))
    },
  }
}
