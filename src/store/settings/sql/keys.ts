// API keys. Must stay true: every change raises the store's revision, marks the key with
// it and is audited in the same transaction, or a polling proxy would never see the change.

import type { ApiKey } from '../../../core/api-key.ts'
import type { Expected } from '../changed-meanwhile.ts'
import type { Clock } from '../../../core/clock.ts'
import {
  createKeyCredential,
  createSecret,
  formatCredential,
  hashSecret,
} from '../../../core/ids.ts'
import type { Credential } from '../../../core/ids.ts'
import type { AuditAction } from '../../../core/user.ts'
import { findUselessCredentials } from '../../../core/key-rules.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { toChanges, toKeyFacts } from './audit-changes.ts'
import { fromKeyRow, toChangedColumns, toKeyColumns } from './settings-rows.ts'
import type { KeyRow } from './settings-rows.ts'
import type { CreatedKey, KeyChanges, KeySettings, KeyStore } from '../key-store.ts'
import type { WriteAudit } from './audit.ts'
import { raiseRevision, readRevision, toSince } from './revision.ts'
import { requireVersion } from './version-check.ts'

const NO_KEYS: readonly ApiKey[] = Object.freeze([])
const COLUMNS = `id, name, secret_hash, created_at, expires_at, revoked_at, allowed_models,
  allowed_providers, default_dims, locked_dims, required_dims, rate_limit_rpm, max_parallel,
  owner, note, old_secret_hash, old_secret_ends_at, use_credentials, allow_derived_tokens,
  version, revision`
// The same names as parameters: `:id, :name, …`.
const VALUES = COLUMNS.replaceAll(/\w+/g, ':$&')

const REVISION = 'settings_revision'
const SELECT = `SELECT ${COLUMNS} FROM api_keys`
const INSERT = `INSERT INTO api_keys (${COLUMNS}) VALUES (${VALUES})`
const UPDATE = `UPDATE api_keys SET (${COLUMNS}) = (${VALUES}) WHERE id = :id`

export interface KeysOptions {
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly writeAudit: WriteAudit
  /** Including revoked ones: every proxy keeps all of them in memory. */
  readonly keysMax: number
}

export function createKeys(options: KeysOptions): KeyStore {
  const { database, clock } = options
  const change = createKeyChange(options)

  return {
    async create(settings: KeySettings): Promise<CreatedKey> {
      requireUsefulCredentials(settings)
      const credential = createKeyCredential()
      const key = await insertKey(options, settings, credential)
      return { key, credential: formatCredential(credential) }
    },

    async list(): Promise<readonly ApiKey[]> {
      const rows = await database.all<KeyRow>(`${SELECT} ORDER BY created_at, id`)
      return rows.map(fromKeyRow)
    },

    async update(id, settings: Partial<KeySettings>, expected = null): Promise<ApiKey | null> {
      // A change of something else goes through, whatever an older Weir made of the two lists.
      const isAbout = (settings.useCredentials ?? settings.allowedProviders) !== undefined
      return change({ action: 'key.update', id, expected }, (row) => {
        if (isAbout) requireUsefulCredentials({ ...fromKeyRow(row), ...settings })
        return toKeyColumns(settings)
      })
    },

    async rotate(id: string, graceMs = 0, expected = null): Promise<CreatedKey | null> {
      const secret = createSecret()
      const asked = { action: 'key.rotate', id, expected } as const
      const key = await change(asked, ({ secret_hash: before }) => ({
        secret_hash: hashSecret(secret),
        old_secret_hash: graceMs > 0 ? before : null,
        old_secret_ends_at: graceMs > 0 ? clock.now() + graceMs : null,
      }))
      return key === null ? null : { key, credential: formatCredential({ id, secret }) }
    },

    async endGrace(id: string, expected = null): Promise<ApiKey | null> {
      const none = { old_secret_hash: null, old_secret_ends_at: null }
      return change({ action: 'key.end_grace', id, expected }, () => none)
    },

    async revoke(id: string, expected = null): Promise<ApiKey | null> {
      // Read and written in one transaction: two who revoke at once agree on the first moment.
      return change({ action: 'key.revoke', id, expected }, (row) => {
        return row.revoked_at === null ? { revoked_at: clock.now() } : {}
      })
    },

    async readChanges(revision: number): Promise<KeyChanges> {
      const current = await readRevision(database, REVISION, database.epoch)
      if (current === revision) return { revision, keys: NO_KEYS }
      const since = toSince(revision, current)
      // A key that changed after the revision was read comes again at the next call.
      const rows = await database.all<KeyRow>(`${SELECT} WHERE revision > ? ORDER BY revision`, [
        since,
      ])
      const changes = { revision: current, keys: rows.map(fromKeyRow) }
      return since === 0 && revision !== 0 ? { ...changes, isAll: true } : changes
    },
  }
}

function insertKey(
  { database, clock, writeAudit, keysMax }: KeysOptions,
  settings: KeySettings,
  { id, secret }: Credential,
): Promise<ApiKey> {
  return database.transact(async (sql) => {
    const count = await sql.first<{ n: number }>('SELECT COUNT(*) AS n FROM api_keys')
    if (Number(count?.n) >= keysMax) throw createTooManyKeys(keysMax)
    const row: KeyRow = {
      ...toKeyColumns(settings),
      id,
      secret_hash: hashSecret(secret),
      created_at: clock.now(),
      old_secret_hash: null,
      old_secret_ends_at: null,
      revoked_at: null,
      version: 0,
      revision: await raiseRevision(sql, REVISION),
    }
    const changes = toChanges(null, toKeyFacts(fromKeyRow(row)))
    const subject = { subjectId: id, subjectName: row.name }
    const version = await writeAudit(sql, { action: 'key.create', ...subject, changes })
    await sql.run(INSERT, { ...row, version })
    return fromKeyRow({ ...row, version })
  })
}

interface AskedChange {
  readonly action: AuditAction
  readonly id: string
  readonly expected: Expected
}

/** Without a change nothing is written, and no proxy wakes up. */
function createKeyChange({ database, writeAudit }: KeysOptions) {
  return ({ action, id, expected }: AskedChange, toColumns: (row: KeyRow) => Partial<KeyRow>) =>
    database.transact(async (sql: Sql): Promise<ApiKey | null> => {
      const row = await sql.first<KeyRow>(`${SELECT} WHERE id = ?`, [id])
      if (row === null) return null
      await requireVersion(sql, row, expected)
      const columns = toChangedColumns(row, toColumns(row))
      if (Object.keys(columns).length === 0) return fromKeyRow(row)
      const changed = { ...row, ...columns, revision: await raiseRevision(sql, REVISION) }
      const changes = toChanges(toKeyFacts(fromKeyRow(row)), toKeyFacts(fromKeyRow(changed)))
      const subject = { subjectId: id, subjectName: changed.name }
      const version = await writeAudit(sql, { action, ...subject, changes })
      await sql.run(UPDATE, { ...changed, version })
      return fromKeyRow({ ...changed, version })
    })
}

/** In the transaction of the change: two who change one list each cannot contradict each other. */
function requireUsefulCredentials(
  lists: Pick<KeySettings, 'allowedProviders' | 'useCredentials'>,
): void {
  const useless = findUselessCredentials(lists)
  if (useless.length === 0) return
  const names = useless.join(', ')
  throw new WeirError(
    'invalid_argument',
    `The key may not call ${names}, so it cannot use the credential stored for it.`,
    { hint: `Allow the key ${names} as well, or do not let it use that credential.` },
  )
}

function createTooManyKeys(keysMax: number): WeirError {
  return new WeirError('invalid_argument', `There are ${keysMax} keys, the most the store takes.`, {
    hint: 'Give several callers one key and tell them apart by dimensions.',
  })
}
