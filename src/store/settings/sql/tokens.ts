// Access tokens. They are looked up at each use, so a revoked one ends at once and needs
// no revision. Must stay true: a change and its audit line are one transaction.

import type { AccessToken, TokenScope } from '../../../core/api-key.ts'
import type { Clock } from '../../../core/clock.ts'
import { createTokenCredential, formatCredential, hashSecret } from '../../../core/ids.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { toChanges, toTokenFacts } from './audit-changes.ts'
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

interface TokenSettings {
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly expiresAt: number | null
}

const COLUMNS = 'id, name, secret_hash, scopes, created_at, expires_at, revoked_at, last_used_at'
const SELECT_ALL = `SELECT ${COLUMNS} FROM access_tokens ORDER BY created_at, id`
const SELECT_ONE = `SELECT ${COLUMNS} FROM access_tokens WHERE id = ?`
const INSERT = `INSERT INTO access_tokens (${COLUMNS})
  VALUES (:id, :name, :secret_hash, :scopes, :created_at, :expires_at, :revoked_at, :last_used_at)`
const REVOKE = 'UPDATE access_tokens SET revoked_at = ? WHERE id = ?'
const TOUCH = `UPDATE access_tokens SET last_used_at = :now
  WHERE id = :id AND (last_used_at IS NULL OR last_used_at <= :before)`

export function createTokens(options: TokensOptions): TokenStore {
  const { database, clock, writeAudit } = options

  return {
    create: (settings) => database.transact((sql) => insertToken(sql, options, settings)),

    async list(): Promise<readonly AccessToken[]> {
      return (await database.all<TokenRow>(SELECT_ALL)).map(fromTokenRow)
    },

    find: (id) => find(database, id),

    async revoke(id: string): Promise<AccessToken | null> {
      // Read and written in one transaction: two who revoke at once agree on the first moment.
      return database.transact(async (sql) => {
        const token = await find(sql, id)
        if (token === null || token.revokedAt !== null) return token
        const revoked = { ...token, revokedAt: clock.now() }
        await sql.run(REVOKE, [revoked.revokedAt, id])
        const changes = toChanges(toTokenFacts(token), toTokenFacts(revoked))
        const subject = { subjectId: id, subjectName: token.name }
        await writeAudit(sql, { action: 'token.revoke', ...subject, changes })
        return revoked
      })
    },

    async touch(id: string): Promise<void> {
      const now = clock.now()
      const before = now - TOUCH_INTERVAL_MS
      const lastUsedAt = (await find(database, id))?.lastUsedAt ?? null
      // Even a statement that changes nothing takes SQLite's write lock, and waiting blocks.
      if (lastUsedAt !== null && lastUsedAt > before) return
      await database.changeWithoutWaiting((sql) => sql.run(TOUCH, { id, now, before }))
    },
  }
}

async function find(sql: Sql, id: string): Promise<AccessToken | null> {
  const row = await sql.first<TokenRow>(SELECT_ONE, [id])
  return row === null ? null : fromTokenRow(row)
}

/** Only inside a transaction. */
async function insertToken(
  sql: Sql,
  { clock, writeAudit, tokensMax }: TokensOptions,
  settings: TokenSettings,
): Promise<CreatedToken> {
  const count = await sql.first<{ n: number }>('SELECT COUNT(*) AS n FROM access_tokens')
  if (Number(count?.n) >= tokensMax) {
    const message = `There are ${tokensMax} access tokens, the most the store takes.`
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
  await sql.run(INSERT, { ...row })
  const token = fromTokenRow(row)
  const { id, name } = token
  const changes = toChanges(null, toTokenFacts(token))
  await writeAudit(sql, { action: 'token.create', subjectId: id, subjectName: name, changes })
  return { token, credential: formatCredential(credential) }
}
