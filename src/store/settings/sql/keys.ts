// API keys. Must stay true: every change raises the store's revision, marks the key with
// it and is audited in the same transaction, or a polling proxy would never see the change.

import { ACCESS_GRACE_MS } from '../../../core/agents/device-code.ts'
import type { ApiKey } from '../../../core/api-key.ts'
import {
  createKeyCredential,
  createSecret,
  formatCredential,
  hashSecret,
} from '../../../core/ids.ts'
import { findUselessCredentials } from '../../../core/key-rules.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { KEY_CODEC } from '../../../resources/codecs.ts'
import type { KeySettings } from '../../../resources/codecs.ts'
import type { ColumnsOf } from '../../../resources/field.ts'
import type { KEY_FIELDS } from '../../../resources/key.ts'
import type { CreatedKey, KeyChanges, KeyStore } from '../key-store.ts'
import { toKeyFacts } from './audit-changes.ts'
import { insertBudget } from './budgets.ts'
import { toMembers } from '../../sql/members.ts'
import type { Sql } from '../../sql/sql.ts'
import { createRows } from './noun-rows.ts'
import type { AskedChange } from './noun-rows.ts'
import { raiseRevision, readRevision, toSince } from './revision.ts'
import type { SettingsTools } from './tools.ts'

const NO_KEYS: readonly ApiKey[] = Object.freeze([])
const REVISION = 'settings_revision'

/** Of secrets only the hash is stored. */
interface KeyRow extends ColumnsOf<typeof KEY_FIELDS> {
  id: string
  secret_hash: string
  created_at: number
  revoked_at: number | null
  paused_at: number | null
  /** Null: by hand. */
  paused_by: 'person' | null
  old_secret_hash: string | null
  old_secret_ends_at: number | null
  version: number
  /** The store's revision at which this key was created or last changed. */
  revision: number
}

const MEMBERS = ['id', 'secret_hash', 'created_at', 'revoked_at', 'paused_at', 'version'] as const

function fromKeyRow(row: KeyRow): ApiKey {
  const { old_secret_hash: hash, old_secret_ends_at: endsAt } = row
  const oldSecret = hash === null || endsAt === null ? null : { hash, endsAt }
  return { ...toMembers(row, MEMBERS), ...KEY_CODEC.fromColumns(row), oldSecret }
}

function createKeyRows(tools: SettingsTools) {
  return createRows<KeyRow, ApiKey>(tools, {
    table: 'api_keys',
    columns: [
      ...MEMBERS,
      ...(['paused_by', 'old_secret_hash', 'old_secret_ends_at', 'revision'] as const),
      ...KEY_CODEC.columns,
    ],
    order: 'created_at, id',
    fromRow: fromKeyRow,
    toFacts: toKeyFacts,
    nameOf: ({ name }) => name,
    full: {
      max: tools.keysMax,
      plural: 'keys',
      hint: 'Give several callers one key and tell them apart by dimensions.',
    },
    raise: async (sql) => ({ revision: await raiseRevision(sql, REVISION) }),
  })
}

export function createKeys(tools: SettingsTools): KeyStore {
  const { database, clock } = tools
  const rows = createKeyRows(tools)
  const change: Change = (asked, toColumns, check) =>
    rows.change(asked, { toColumns, ...(check !== undefined && { check }) })

  return {
    async create(settings, asked): Promise<CreatedKey> {
      requireUsefulCredentials(settings)
      const credential = createKeyCredential()
      const row: KeyRow = {
        ...KEY_CODEC.toColumns(settings),
        id: credential.id,
        secret_hash: hashSecret(credential.secret),
        created_at: clock.now(),
        old_secret_hash: null,
        old_secret_ends_at: null,
        revoked_at: null,
        paused_at: null,
        paused_by: null,
        version: 0,
        revision: 0,
      }
      return database.transact(async (sql) => {
        await requirePerson(sql, row)
        const key = await rows.insert(sql, row, { action: 'key.create' })
        const made = { key, credential: formatCredential(credential) }
        if (asked === undefined) return made
        const scope = { kind: 'api_key', keyId: key.id } as const
        return {
          ...made,
          budget: await insertBudget(sql, tools, { settings: { ...asked, scope } }),
        }
      })
    },

    list: () => rows.list(),

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

    update: createUpdate(change),

    ...createStops(change, clock),

    async readChanges(revision: number): Promise<KeyChanges> {
      const current = await readRevision(database, REVISION, database.epoch)
      if (current === revision) return { revision, keys: NO_KEYS }
      const since = toSince(revision, current)
      // A key that changed after the revision was read comes again at the next call.
      const text = `${rows.select} WHERE revision > ? ORDER BY revision`
      const keys = (await database.all<KeyRow>(text, [since])).map(fromKeyRow)
      const changes = { revision: current, keys }
      return since === 0 && revision !== 0 ? { ...changes, isAll: true } : changes
    },
  }
}

type Change = (
  asked: AskedChange,
  toColumns: (row: KeyRow) => Partial<KeyRow>,
  check?: (sql: Sql, before: KeyRow, after: KeyRow) => Promise<void>,
) => Promise<ApiKey | null>

function createUpdate(change: Change): KeyStore['update'] {
  return async (id, settings, expected = null) => {
    // A change of something else goes through, whatever an older Weir made of the two lists.
    const isAbout = (settings.useCredentials ?? settings.allowedProviders) !== undefined
    const toColumns = (row: KeyRow): Partial<KeyRow> => {
      if (isAbout) requireUsefulCredentials({ ...fromKeyRow(row), ...settings })
      const columns = KEY_CODEC.toColumns(settings)
      const { person_id: personId = row.person_id } = columns
      // Another person's sign-in is no reason to resume it.
      return personId === row.person_id ? columns : { ...columns, paused_by: null }
    }
    return change({ action: 'key.update', id, expected }, toColumns, async (sql, before, after) => {
      if (after.person_id !== before.person_id) await requirePerson(sql, before, after)
    })
  }
}

const RESUMED = { paused_at: null, paused_by: null } as const

/** What stops a secret or a key, and lets it go on. */
function createStops(
  change: Change,
  clock: SettingsTools['clock'],
): Pick<KeyStore, 'endGrace' | 'pause' | 'resume' | 'revoke'> {
  const none = { old_secret_hash: null, old_secret_ends_at: null }
  return {
    endGrace: (id, expected = null) =>
      change({ action: 'key.end_grace', id, expected }, () => none),
    // Read and written in one transaction: two who do it at once agree on the first moment.
    pause: (id, expected = null) =>
      change({ action: 'key.pause', id, expected }, ({ paused_at: at }) => {
        return { paused_at: at ?? clock.now(), paused_by: null }
      }),
    resume: (id, expected = null) =>
      change({ action: 'key.resume', id, expected }, () => RESUMED, requirePerson),
    revoke: (id, expected = null) =>
      change({ action: 'key.revoke', id, expected }, ({ revoked_at: at }) => {
        return { revoked_at: at ?? clock.now() }
      }),
  }
}

/** In the transaction that lets a person sign in again, or no more: a proxy refuses their keys. */
export async function switchKeysOf(
  sql: Sql,
  tools: SettingsTools,
  { personId, isActive }: { readonly personId: string; readonly isActive: boolean },
): Promise<void> {
  const rows = createKeyRows(tools)
  const action = isActive ? 'key.resume' : 'key.pause'
  const which = isActive ? `paused_by = 'person'` : 'paused_at IS NULL'
  const stopped = { paused_at: tools.clock.now(), paused_by: 'person' } as const
  const text = `SELECT id FROM api_keys
    WHERE person_id = ? AND revoked_at IS NULL AND ${which} ORDER BY created_at, id`
  for (const { id } of await sql.all<{ id: string }>(text, [personId])) {
    await rows.changeIn(sql, { action, id }, { toColumns: () => (isActive ? RESUMED : stopped) })
  }
}

/** In the transaction that gives a user another address: an owner is named by it. */
export async function renameOwner(
  sql: Sql,
  tools: SettingsTools,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const rows = createKeyRows(tools)
  const text = 'SELECT id FROM api_keys WHERE lower(owner) = ? ORDER BY created_at, id'
  for (const { id } of await sql.all<{ id: string }>(text, [from])) {
    await rows.changeIn(sql, { action: 'key.update', id }, { toColumns: () => ({ owner: to }) })
  }
}

interface GivenSecret {
  readonly keyId: string
  readonly secretHash: string
  readonly endsAt: number
  /** Of the secret before; left out: as long as a refreshed one has. */
  readonly graceMs?: number | undefined
}

/** A new secret that ends by itself, with the key. False where the key was revoked. */
export async function giveKeySecret(
  sql: Sql,
  tools: SettingsTools,
  { keyId, secretHash, endsAt, graceMs = ACCESS_GRACE_MS }: GivenSecret,
): Promise<boolean> {
  const rows = createKeyRows(tools)
  const before = await rows.find(keyId, sql)
  if (before === null || before.revokedAt !== null) return false
  const graceEndsAt = Math.min(before.expiresAt ?? Infinity, tools.clock.now() + graceMs)
  const toColumns = ({ secret_hash: old }: KeyRow): Partial<KeyRow> => ({
    secret_hash: secretHash,
    old_secret_hash: graceMs > 0 ? old : null,
    old_secret_ends_at: graceMs > 0 ? graceEndsAt : null,
    expires_at: endsAt,
  })
  await rows.changeIn(sql, { action: 'key.rotate', id: keyId }, { toColumns })
  return true
}

export async function revokeKeyIn(sql: Sql, tools: SettingsTools, id: string): Promise<void> {
  const toColumns = ({ revoked_at: at }: KeyRow) => ({ revoked_at: at ?? tools.clock.now() })
  await createKeyRows(tools).changeIn(sql, { action: 'key.revoke', id }, { toColumns })
}

/** Throws for a key of somebody who may not sign in: in use, it would outlive its person. */
async function requirePerson(sql: Sql, before: KeyRow, after = before): Promise<void> {
  const { person_id: id } = after
  const text = 'SELECT id FROM users WHERE id = ? AND disabled_at IS NULL'
  if (id === null || (await sql.first(text, [id])) !== null) return
  throw new WeirError('invalid_argument', `The person ${id} is disabled or was removed.`, {
    hint: 'Let them sign in again, or give the key to somebody else or to nobody first.',
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
