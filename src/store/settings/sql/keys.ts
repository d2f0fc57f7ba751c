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
import { WeirError } from '../../../core/weir-error.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { toChanges, toKeyFacts } from './audit-changes.ts'
import { fromKeyRow, toChangedColumns, toKeyColumns } from './settings-rows.ts'
import type { KeyRow } from './settings-rows.ts'
import type { CreatedKey, KeyChanges, KeySettings, KeyStore } from '../key-store.ts'
import type { WriteAudit, WriteAuditNow } from './audit.ts'
import { prepareRevision } from './revision.ts'
import { prepareVersionCheckNow } from './version-check.ts'

const NO_KEYS: readonly ApiKey[] = Object.freeze([])
const COLUMNS = `id, name, secret_hash, created_at, expires_at, revoked_at, allowed_models,
  allowed_providers, default_dims, locked_dims, required_dims, rate_limit_rpm, max_parallel,
  owner, note, old_secret_hash, old_secret_ends_at, version, revision`
// The same names as parameters: `:id, :name, …`.
const VALUES = COLUMNS.replaceAll(/\w+/g, ':$&')

export interface KeysOptions {
  readonly file: SqliteFile
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly writeAuditNow: WriteAuditNow
  readonly writeAudit: WriteAudit
  /** Including revoked ones: every proxy keeps all of them in memory. */
  readonly keysMax: number
}

export function createKeys(options: KeysOptions): KeyStore {
  const { file, clock } = options
  const insert = prepareKeyInsert(options)
  const change = prepareKeyChange(options)
  const revisions = prepareRevision(file, 'settings_revision')
  const selectAll = file.prepareOnce<KeyRow>(
    `SELECT ${COLUMNS} FROM api_keys ORDER BY created_at, id`,
  )
  const selectSince = file.prepareOnce<KeyRow>(
    `SELECT ${COLUMNS} FROM api_keys WHERE revision > ? ORDER BY revision`,
  )

  return {
    async create(settings: KeySettings): Promise<CreatedKey> {
      const credential = createKeyCredential()
      const key = file.transact(() => insert(settings, credential))
      return { key, credential: formatCredential(credential) }
    },

    async list(): Promise<readonly ApiKey[]> {
      return selectAll.all().map(fromKeyRow)
    },

    async update(id, settings: Partial<KeySettings>, expected = null): Promise<ApiKey | null> {
      return change({ action: 'key.update', id, expected }, () => toKeyColumns(settings))
    },

    async rotate(id: string, graceMs = 0, expected = null): Promise<CreatedKey | null> {
      const secret = createSecret()
      const key = change({ action: 'key.rotate', id, expected }, ({ secret_hash: before }) => ({
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
      const current = revisions.read()
      if (current === revision) return { revision, keys: NO_KEYS }
      // A store behind its reader was restored from a backup: everything may have changed.
      const since = current < revision ? 0 : revision
      return { revision: current, keys: selectSince.all(since).map(fromKeyRow) }
    },
  }
}

function prepareKeyInsert(options: KeysOptions) {
  const { file, clock, writeAuditNow, keysMax } = options
  const revisions = prepareRevision(file, 'settings_revision')
  const count = file.prepareOnce<{ n: number }>('SELECT COUNT(*) AS n FROM api_keys')
  const insert = file.prepareOnce(`INSERT INTO api_keys (${COLUMNS}) VALUES (${VALUES})`)

  return (settings: KeySettings, { id, secret }: Credential): ApiKey => {
    if (Number(count.first()?.n) >= keysMax) throw createTooManyKeys(keysMax)
    const row: KeyRow = {
      ...toKeyColumns(settings),
      id,
      secret_hash: hashSecret(secret),
      created_at: clock.now(),
      old_secret_hash: null,
      old_secret_ends_at: null,
      revoked_at: null,
      version: 0,
      revision: revisions.raise(),
    }
    const changes = toChanges(null, toKeyFacts(fromKeyRow(row)))
    const version = writeAuditNow({
      action: 'key.create',
      subjectId: id,
      subjectName: row.name,
      changes,
    })
    insert.run({ ...row, version })
    return fromKeyRow({ ...row, version })
  }
}

interface AskedChange {
  readonly action: AuditAction
  readonly id: string
  readonly expected: Expected
}

/** Without a change nothing is written, and no proxy wakes up. */
function prepareKeyChange({ file, writeAuditNow }: KeysOptions) {
  const requireVersion = prepareVersionCheckNow(file)
  const revisions = prepareRevision(file, 'settings_revision')
  const selectOne = file.prepareOnce<KeyRow>(`SELECT ${COLUMNS} FROM api_keys WHERE id = ?`)
  const update = file.prepareOnce(`UPDATE api_keys SET (${COLUMNS}) = (${VALUES}) WHERE id = :id`)

  return ({ action, id, expected }: AskedChange, toColumns: (row: KeyRow) => Partial<KeyRow>) =>
    file.transact((): ApiKey | null => {
      const row = selectOne.first(id)
      if (row === null) return null
      requireVersion(row, expected)
      const columns = toChangedColumns(row, toColumns(row))
      if (Object.keys(columns).length === 0) return fromKeyRow(row)
      const changed = { ...row, ...columns, revision: revisions.raise() }
      const changes = toChanges(toKeyFacts(fromKeyRow(row)), toKeyFacts(fromKeyRow(changed)))
      const version = writeAuditNow({ action, subjectId: id, subjectName: changed.name, changes })
      update.run({ ...changed, version })
      return fromKeyRow({ ...changed, version })
    })
}

function createTooManyKeys(keysMax: number): WeirError {
  return new WeirError('invalid_argument', `There are ${keysMax} keys, the most the store takes.`, {
    hint: 'Give several callers one key and tell them apart by dimensions.',
  })
}
