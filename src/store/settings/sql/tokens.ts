// Access tokens. They are looked up at each use, so a revoked one ends at once and needs
// no revision. Must stay true: a change and its audit line are one transaction.

import type { AccessToken, TokenScope } from '../../../core/api-key.ts'
import type { Clock } from '../../../core/clock.ts'
import { createTokenCredential, formatCredential, hashSecret } from '../../../core/ids.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { toChanges, toTokenFacts } from './audit-changes.ts'
import { fromTokenRow } from './settings-rows.ts'
import type { TokenRow } from './settings-rows.ts'
import { TOUCH_INTERVAL_MS } from '../token-store.ts'
import type { CreatedToken, TokenStore } from '../token-store.ts'
import type { WriteAudit, WriteAuditNow } from './audit.ts'

export interface TokensOptions {
  readonly file: SqliteFile
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly writeAuditNow: WriteAuditNow
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

export function createTokens(options: TokensOptions): TokenStore {
  const { file, clock, writeAuditNow } = options
  const insert = prepareTokenInsert(options)
  const selectAll = file.prepareOnce<TokenRow>(
    `SELECT ${COLUMNS} FROM access_tokens ORDER BY created_at, id`,
  )
  const selectOne = file.prepareOnce<TokenRow>(`SELECT ${COLUMNS} FROM access_tokens WHERE id = ?`)
  const revoke = file.prepareOnce('UPDATE access_tokens SET revoked_at = ? WHERE id = ?')
  const touch = file.prepareOnce(`UPDATE access_tokens SET last_used_at = :now
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
      // Read and written in one transaction: two who revoke at once agree on the first moment.
      return file.transact(() => {
        const token = find(id)
        if (token === null || token.revokedAt !== null) return token
        const revoked = { ...token, revokedAt: clock.now() }
        revoke.run(revoked.revokedAt, id)
        const changes = toChanges(toTokenFacts(token), toTokenFacts(revoked))
        writeAuditNow({ action: 'token.revoke', subjectId: id, subjectName: token.name, changes })
        return revoked
      })
    },

    async touch(id: string): Promise<void> {
      const now = clock.now()
      const lastUsedAt = find(id)?.lastUsedAt ?? null
      // Even a statement that changes nothing takes the write lock, and waiting blocks the thread.
      if (lastUsedAt !== null && lastUsedAt > now - TOUCH_INTERVAL_MS) return
      file.withoutWaiting(() => touch.run({ id, now }))
    },
  }
}

function prepareTokenInsert(options: TokensOptions): (settings: TokenSettings) => CreatedToken {
  const { file, clock, writeAuditNow, tokensMax } = options
  const count = file.prepareOnce<{ n: number }>('SELECT COUNT(*) AS n FROM access_tokens')
  const insert = file.prepareOnce(`INSERT INTO access_tokens (${COLUMNS})
    VALUES (:id, :name, :secret_hash, :scopes, :created_at, :expires_at, :revoked_at, :last_used_at)`)

  return (settings) => {
    if (Number(count.first()?.n) >= tokensMax) {
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
    insert.run({ ...row })
    const token = fromTokenRow(row)
    const { id, name } = token
    const changes = toChanges(null, toTokenFacts(token))
    writeAuditNow({ action: 'token.create', subjectId: id, subjectName: name, changes })
    return { token, credential: formatCredential(credential) }
  }
}
