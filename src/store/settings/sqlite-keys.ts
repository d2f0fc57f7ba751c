// API keys in SQLite. Must stay true: every change to a key raises the store's revision and marks the
// key with it in the same transaction, or a proxy that polls would never hear of the change.

import type { ApiKey } from '../../core/api-key.ts'
import { assert } from '../../core/assert.ts'
import type { Clock } from '../../core/clock.ts'
import { createKeyCredential, createSecret, formatCredential, hashSecret } from '../../core/ids.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { NodeSqlite } from './node-sqlite.ts'
import { fromKeyRow, toKeyColumns } from './settings-rows.ts'
import type { KeyRow, SettingsTables } from './settings-rows.ts'
import type { CreatedKey, KeyChanges, KeySettings, KeyStore } from './settings-store.ts'

const NO_KEYS: readonly ApiKey[] = Object.freeze([])

export interface SqliteKeysOptions {
  readonly database: NodeSqlite<SettingsTables>
  readonly clock: Clock
  /** Revoked ones included: every proxy holds all of them in memory. */
  readonly keysMax: number
}

export function createSqliteKeys(options: SqliteKeysOptions): KeyStore {
  const { database, clock, keysMax } = options
  const { build } = database
  const readRevision = prepareRevision(database)

  /** Nothing is written, and no proxy woken, when there is no such key or nothing to change. */
  function change(id: string, toColumns: (row: KeyRow) => Partial<KeyRow>): ApiKey | null {
    return database.write(() => {
      const row = database.first(build.selectFrom('api_keys').selectAll().where('id', '=', id))
      if (row === null) return null
      const columns = toColumns(row)
      if (Object.keys(columns).length === 0) return fromKeyRow(row)
      const changed = { ...columns, revision: raiseRevision(database) }
      database.run(build.updateTable('api_keys').set(changed).where('id', '=', id))
      return fromKeyRow({ ...row, ...changed })
    })
  }

  return {
    async create(settings: KeySettings): Promise<CreatedKey> {
      const credential = createKeyCredential()
      const key = database.write(() => {
        refuseBeyond(database, keysMax)
        const row: KeyRow = {
          ...toKeyColumns(settings),
          id: credential.id,
          secret_hash: hashSecret(credential.secret),
          created_at: clock.now(),
          revoked_at: null,
          revision: raiseRevision(database),
        }
        database.run(build.insertInto('api_keys').values(row))
        return fromKeyRow(row)
      })
      return { key, credential: formatCredential(credential) }
    },

    async list(): Promise<readonly ApiKey[]> {
      const query = build.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id')
      return database.all(query).map(fromKeyRow)
    },

    async update(id: string, settings: Partial<KeySettings>): Promise<ApiKey | null> {
      return change(id, () => toKeyColumns(settings))
    },

    async rotate(id: string): Promise<CreatedKey | null> {
      const secret = createSecret()
      const key = change(id, () => ({ secret_hash: hashSecret(secret) }))
      return key === null ? null : { key, credential: formatCredential({ id, secret }) }
    },

    async revoke(id: string): Promise<ApiKey | null> {
      // Read and written in one transaction: two who revoke at once agree on the first moment.
      return change(id, (row) => (row.revoked_at === null ? { revoked_at: clock.now() } : {}))
    },

    async readChanges(revision: number): Promise<KeyChanges> {
      const current = readRevision()
      if (current === revision) return { revision, keys: NO_KEYS }
      // A store that is behind its reader was put back from a backup: everything may have changed.
      const since = current < revision ? 0 : revision
      const query = build.selectFrom('api_keys').selectAll().where('revision', '>', since)
      return { revision: current, keys: database.all(query.orderBy('revision')).map(fromKeyRow) }
    },
  }
}

/** Prepared once: proxies ask four times a second each. */
function prepareRevision(database: NodeSqlite<SettingsTables>): () => number {
  const statement = database.prepare(
    database.build.selectFrom('settings_revision').select('revision'),
  )
  return () => {
    const row = database.guard(() => statement.get())
    assert(row !== undefined, 'the settings store has a revision')
    return row['revision'] as number
  }
}

function raiseRevision(database: NodeSqlite<SettingsTables>): number {
  const row = database.first(
    database.build
      .updateTable('settings_revision')
      .set((column) => ({ revision: column('revision', '+', 1) }))
      .returning('revision'),
  )
  assert(row !== null, 'the settings store has a revision')
  return row.revision
}

function refuseBeyond(database: NodeSqlite<SettingsTables>, keysMax: number): void {
  const count = database.build
    .selectFrom('api_keys')
    .select((column) => column.fn.countAll().as('n'))
  if (Number(database.first(count)?.n) < keysMax) return
  throw new WeirError('invalid_argument', `There are ${keysMax} keys, the most the store holds.`, {
    hint: 'Give several callers one key and tell them apart by dimensions.',
  })
}
