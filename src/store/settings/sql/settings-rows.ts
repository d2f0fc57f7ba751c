// The rows of keys, tokens and budgets. What an administrator sets of them follows from the
// declarations; of secrets only the hash is stored.

import type { AccessToken, ApiKey } from '../../../core/api-key.ts'
import type { Budget } from '../../../core/budget.ts'
import { BUDGET_CODEC, KEY_CODEC, TOKEN_CODEC } from '../../../resources/codecs.ts'
import type { BUDGET_FIELDS } from '../../../resources/budget.ts'
import type { ColumnsOf } from '../../../resources/field.ts'
import type { KEY_FIELDS } from '../../../resources/key.ts'
import type { TOKEN_FIELDS } from '../../../resources/token.ts'

export interface KeyRow extends ColumnsOf<typeof KEY_FIELDS> {
  id: string
  secret_hash: string
  created_at: number
  revoked_at: number | null
  old_secret_hash: string | null
  old_secret_ends_at: number | null
  version: number
  /** The store's revision at which this key was created or last changed. */
  revision: number
}

export interface TokenRow extends ColumnsOf<typeof TOKEN_FIELDS> {
  id: string
  secret_hash: string
  created_at: number
  revoked_at: number | null
  last_used_at: number | null
}

export interface BudgetRow extends ColumnsOf<typeof BUDGET_FIELDS> {
  id: string
  created_at: number
  version: number
}

export function fromKeyRow(row: KeyRow): ApiKey {
  const { old_secret_hash: hash, old_secret_ends_at: endsAt } = row
  return {
    id: row.id,
    ...KEY_CODEC.fromColumns(row),
    secretHash: row.secret_hash,
    oldSecret: hash === null || endsAt === null ? null : { hash, endsAt },
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    version: row.version,
  }
}

export function fromTokenRow(row: TokenRow): AccessToken {
  return {
    id: row.id,
    ...TOKEN_CODEC.fromColumns(row),
    secretHash: row.secret_hash,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}

export function fromBudgetRow(row: BudgetRow): Budget {
  const { id, created_at: createdAt, version } = row
  return { id, ...BUDGET_CODEC.fromColumns(row), createdAt, version }
}
