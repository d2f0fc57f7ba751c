// The secret of a session: how it is checked and changed. Must stay true: of two nodes that change
// it at once only one does, and an old secret used after the grace ends the session.

import {
  createSecret,
  formatCredential,
  hashSecret,
  isSecretOf,
  parseSessionCredential,
} from '../../../core/ids.ts'
import { StoreBusy } from '../../store-busy.ts'
import type { Sql } from '../../sql/sql.ts'
import {
  fromSessionRow,
  fromUserRow,
  SELECT_SESSION,
  SESSION_COLUMNS,
  USER_COLUMNS,
} from './account-rows.ts'
import type { SessionRow, UserRow } from './account-rows.ts'
import { ROTATION_GRACE_MS } from '../session-store.ts'
import type { CreatedSession, FoundSession, SessionStore } from '../session-store.ts'
import type { SettingsTools } from './tools.ts'

/** Enough for a week in which the secret changes every 15 minutes. */
const OLD_SECRETS_MAX = 1000

type PrefixedUser = { [Column in keyof UserRow as `user_${Column}`]: UserRow[Column] }
/** The user's columns come with a prefix, since both have an id. */
type FoundRow = SessionRow & PrefixedUser & { has_open: number }

// Asked for every request of the console, so it is one statement.
const SELECT_FOUND = `SELECT
    ${SESSION_COLUMNS.replaceAll(/\w+/g, 'sessions.$&')},
    ${USER_COLUMNS.map((name) => `users.${name} AS user_${name}`).join(', ')},
    CASE WHEN EXISTS (SELECT 1 FROM session_old_secrets
      WHERE session_id = sessions.id AND superseded_at IS NULL) THEN 1 ELSE 0 END AS has_open
  FROM sessions JOIN users ON users.id = sessions.user_id
  WHERE sessions.id = ? AND sessions.expires_at > ?`

interface OldSecret {
  readonly number: number
  readonly superseded_at: number | null
}

// Found by its hash: the time this takes reveals nothing about the secret.
const SELECT_OLD = `SELECT number, superseded_at
  FROM session_old_secrets WHERE session_id = ? AND secret_hash = ?`

export type EndSession = (
  sql: Sql,
  session: Pick<SessionRow, 'id' | 'user_id'>,
  reason: 'replayed' | 'too_many' | null,
) => Promise<void>

export function createFind(options: SettingsTools, end: EndSession): SessionStore['find'] {
  const { database, clock } = options
  const supersede = createSupersede(options)

  return async (credential, idleSinceMs): Promise<FoundSession | null> => {
    const given = parseSessionCredential(credential)
    if (given === null) return null
    const row = await database.first<FoundRow>(SELECT_FOUND, [given.id, clock.now()])
    if (row === null || row.last_seen_at < idleSinceMs || row.user_disabled_at !== null) return null
    const found = { session: fromSessionRow(row), user: fromUserRow(toUserRow(row)) }
    if (isSecretOf(given.secret, row.secret_hash)) {
      if (row.has_open === 1) await supersede(row.id, Number.MAX_SAFE_INTEGER)
      return { ...found, isOldSecret: false }
    }
    const old = await database.first<OldSecret>(SELECT_OLD, [row.id, hashSecret(given.secret)])
    if (old === null) return null
    const supersededAt = old.superseded_at
    if (supersededAt === null || clock.now() - supersededAt < ROTATION_GRACE_MS) {
      if (row.has_open === 1) await supersede(row.id, old.number)
      return { ...found, isOldSecret: supersededAt !== null }
    }
    await database.transact(async (sql) => {
      // Another request with it may have ended the session meanwhile.
      const now = await sql.first<SessionRow>(SELECT_SESSION, [row.id, clock.now()])
      if (now !== null) await end(sql, row, 'replayed')
    })
    return null
  }
}

function toUserRow(row: PrefixedUser): UserRow {
  const columns = USER_COLUMNS.map((name) => [name, row[`user_${name}`]])
  return Object.fromEntries(columns) as UserRow
}

/** Records that a secret is in use: those before it have only the grace left. */
function createSupersede({ database, clock }: SettingsTools) {
  const where = 'session_id = :id AND number < :number AND superseded_at IS NULL'
  const select = `SELECT 1 AS found FROM session_old_secrets WHERE ${where}`
  const update = `UPDATE session_old_secrets SET superseded_at = :now WHERE ${where}`

  return async (id: string, number: number): Promise<void> => {
    // Even a statement that changes nothing takes SQLite's write lock.
    if ((await database.first(select, { id, number })) === null) return
    try {
      const now = clock.now()
      await database.changeWithoutWaiting((sql) => sql.run(update, { id, number, now }))
    } catch (error) {
      // The next use records it: no request fails or waits because another process writes.
      if (!(error instanceof StoreBusy)) throw error
    }
  }
}

const SELECT_RECENT = `SELECT 1 AS found FROM session_old_secrets
  WHERE session_id = ? AND rotated_at > ?`
// Without waiting, changes are not serialized: who comes second finds another secret there.
const UPDATE = `UPDATE sessions SET secret_hash = ?, rotated_at = ?
  WHERE id = ? AND secret_hash = ?`
const INSERT_OLD = `INSERT INTO session_old_secrets (session_id, secret_hash, rotated_at)
  VALUES (?, ?, ?)`
const REMOVE_OLDEST = `DELETE FROM session_old_secrets WHERE session_id = :id AND number <= (
  SELECT number FROM session_old_secrets WHERE session_id = :id
  ORDER BY number DESC LIMIT 1 OFFSET ${OLD_SECRETS_MAX})`

export function createRotate({ database, clock }: SettingsTools): SessionStore['rotate'] {
  async function rotate(sql: Sql, id: string): Promise<CreatedSession | null> {
    const now = clock.now()
    const row = await sql.first<SessionRow>(SELECT_SESSION, [id, now])
    if (row === null) return null
    if ((await sql.first(SELECT_RECENT, [id, now - ROTATION_GRACE_MS])) !== null) return null
    const secret = createSecret()
    const changed = await sql.run(UPDATE, [hashSecret(secret), now, id, row.secret_hash])
    if (changed === 0) return null
    await sql.run(INSERT_OLD, [id, row.secret_hash, now])
    await sql.run(REMOVE_OLDEST, { id })
    const session = fromSessionRow({ ...row, rotated_at: now })
    return { session, credential: formatCredential({ id, secret }) }
  }

  return (id, { canWait = true } = {}) =>
    canWait
      ? database.transact((sql) => rotate(sql, id))
      : database.changeWithoutWaiting((sql) => rotate(sql, id))
}
