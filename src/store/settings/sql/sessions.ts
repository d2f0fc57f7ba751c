// Sessions. They are looked up at each use, so one that ended is over at once. Must stay
// true: only a secret's hash is stored, and an old secret used after the grace ends the session.

import type { Clock } from '../../../core/clock.ts'
import {
  createSecret,
  createSessionCredential,
  formatCredential,
  hashSecret,
  isSecretOf,
  parseSessionCredential,
} from '../../../core/ids.ts'
import { toUserActor } from '../../../core/user.ts'
import type { Session } from '../../../core/user.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { StoreBusy } from '../../store-busy.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { fromSessionRow, fromUserRow, SELECT_USER } from './account-rows.ts'
import type { SessionRow, UserRow } from './account-rows.ts'
import { ROTATION_GRACE_MS } from '../session-store.ts'
import type { CreatedSession, FoundSession, NewSession, SessionStore } from '../session-store.ts'
import { toChanges, toTime } from './audit-changes.ts'
import { TOUCH_INTERVAL_MS } from '../token-store.ts'
import type { WriteAudit, WriteAuditNow } from './audit.ts'

/** Enough for a week in which the secret changes every 15 minutes. */
const OLD_SECRETS_MAX = 1000
const AGENT_CHARS_MAX = 300
const ADDRESS_CHARS_MAX = 100

const COLUMNS = `id, user_id, secret_hash, created_at, expires_at, last_seen_at, rotated_at, agent,
  address`
// The same names as parameters: `:id, :user_id, …`.
const VALUES = COLUMNS.replaceAll(/\w+/g, ':$&')
const SELECT_SESSION = `SELECT ${COLUMNS} FROM sessions WHERE id = ? AND expires_at > ?`

export interface SessionsOptions {
  readonly file: SqliteFile
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly writeAuditNow: WriteAuditNow
  readonly writeAudit: WriteAudit
  readonly sessionsMax: number
}

export function createSessions(options: SessionsOptions): SessionStore {
  const { file, clock } = options
  const insert = prepareInsert(options)
  const endSession = prepareEnd(options)
  const select = file.prepareOnce<SessionRow>(SELECT_SESSION)
  const selectOfUser = file.prepareOnce<SessionRow>(`SELECT ${COLUMNS} FROM sessions
    WHERE user_id = ? AND expires_at > ? ORDER BY created_at DESC, rowid DESC`)
  const touch = file.prepareOnce(`UPDATE sessions SET last_seen_at = :now
    WHERE id = :id AND last_seen_at <= :now - ${TOUCH_INTERVAL_MS}`)

  return {
    find: prepareFind(options),
    rotate: prepareRotate(options),

    async create(session: NewSession): Promise<CreatedSession> {
      return file.transact(() => insert(session))
    },

    async touch(id: string): Promise<void> {
      const now = clock.now()
      const row = select.first(id, now)
      // Even a statement that changes nothing takes the write lock, and waiting blocks the thread.
      if (row === null || row.last_seen_at > now - TOUCH_INTERVAL_MS) return
      file.withoutWaiting(() => touch.run({ id, now }))
    },

    async end(id: string): Promise<boolean> {
      return file.transact(() => {
        const row = select.first(id, clock.now())
        if (row !== null) endSession(row, null)
        return row !== null
      })
    },

    endAll: prepareEndAll(options),

    async list(userId: string): Promise<readonly Session[]> {
      return selectOfUser.all(userId, clock.now()).map(fromSessionRow)
    },
  }
}

function prepareInsert(options: SessionsOptions): (session: NewSession) => CreatedSession {
  const { file, clock, writeAuditNow, sessionsMax } = options
  const endSession = prepareEnd(options)
  const selectUser = file.prepareOnce<UserRow>(SELECT_USER)
  const removeExpired = file.prepareOnce('DELETE FROM sessions WHERE expires_at <= ?')
  const selectSurplus = file.prepareOnce<SessionRow>(`SELECT ${COLUMNS} FROM sessions
    WHERE user_id = ? ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ?`)
  const insert = file.prepareOnce(`INSERT INTO sessions (${COLUMNS}) VALUES (${VALUES})`)
  const noteSignIn = file.prepareOnce('UPDATE users SET last_sign_in_at = ? WHERE id = ?')

  return ({ userId, expiresAt, agent, address }) => {
    const now = clock.now()
    const user = selectUser.first(userId)
    if (user === null || user.disabled_at !== null) throw createNoSuchUser(userId)
    removeExpired.run(now)
    for (const row of selectSurplus.all(userId, sessionsMax - 1)) endSession(row, 'too_many')
    const { id, secret } = createSessionCredential()
    const row: SessionRow = {
      id,
      user_id: userId,
      secret_hash: hashSecret(secret),
      created_at: now,
      expires_at: expiresAt,
      last_seen_at: now,
      rotated_at: now,
      agent: agent?.slice(0, AGENT_CHARS_MAX) ?? null,
      address: address?.slice(0, ADDRESS_CHARS_MAX) ?? null,
    }
    insert.run({ ...row })
    noteSignIn.run(now, userId)
    const facts = { agent: row.agent, address: row.address, expires_at: toTime(expiresAt) }
    const entry = { subjectId: id, subjectName: user.email, changes: toChanges(null, facts) }
    writeAuditNow({ action: 'session.begin', ...entry }, toUserActor(user))
    return { session: fromSessionRow(row), credential: formatCredential({ id, secret }) }
  }
}

type EndReason = 'replayed' | 'too_many'

function prepareEnd({ file, writeAuditNow }: SessionsOptions) {
  const selectUser = file.prepareOnce<UserRow>(SELECT_USER)
  const remove = file.prepareOnce('DELETE FROM sessions WHERE id = ?')
  return ({ id, user_id }: SessionRow, reason: EndReason | null): void => {
    remove.run(id)
    const changes = toChanges(null, { reason })
    const subjectName = selectUser.first(user_id)?.email ?? null
    writeAuditNow({ action: 'session.end', subjectId: id, subjectName, changes })
  }
}

function prepareEndAll({ file, writeAuditNow }: SessionsOptions): SessionStore['endAll'] {
  const remove = file.prepareOnce('DELETE FROM sessions')
  const removeLinks = file.prepareOnce('DELETE FROM user_links')
  return async () =>
    file.transact(() => {
      if (remove.run() + removeLinks.run() === 0) return
      const changes = toChanges(null, { reason: 'restored' })
      writeAuditNow({ action: 'session.end', subjectId: null, subjectName: 'everybody', changes })
    })
}

interface OldSecret {
  readonly number: number
  readonly superseded_at: number | null
}

function prepareFind(options: SessionsOptions): SessionStore['find'] {
  const { file, clock } = options
  const endSession = prepareEnd(options)
  const select = file.prepareOnce<SessionRow>(SELECT_SESSION)
  const selectUser = file.prepareOnce<UserRow>(SELECT_USER)
  // Found by its hash: the time this takes reveals nothing about the secret.
  const selectOld = file.prepareOnce<OldSecret>(`SELECT number, superseded_at
    FROM session_old_secrets WHERE session_id = ? AND secret_hash = ?`)
  const supersede = prepareSupersede(options)

  return async (credential, idleSinceMs): Promise<FoundSession | null> => {
    const given = parseSessionCredential(credential)
    const row = given === null ? null : select.first(given.id, clock.now())
    if (given === null || row === null || row.last_seen_at < idleSinceMs) return null
    const user = selectUser.first(row.user_id)
    if (user === null || user.disabled_at !== null) return null
    const found = { session: fromSessionRow(row), user: fromUserRow(user) }
    const isCurrent = isSecretOf(given.secret, row.secret_hash)
    const old = isCurrent ? null : selectOld.first(row.id, hashSecret(given.secret))
    if (!isCurrent && old === null) return null
    const supersededAt = old?.superseded_at ?? null
    if (supersededAt === null || clock.now() - supersededAt < ROTATION_GRACE_MS) {
      supersede(row.id, old?.number ?? Number.MAX_SAFE_INTEGER)
      return { ...found, isOldSecret: supersededAt !== null }
    }
    file.transact(() => {
      // Another request with it may have ended the session meanwhile.
      if (select.first(row.id, clock.now()) !== null) endSession(row, 'replayed')
    })
    return null
  }
}

/** Records that a secret is in use: those before it have only the grace left. */
function prepareSupersede({ file, clock }: SessionsOptions) {
  const where = 'session_id = :id AND number < :number AND superseded_at IS NULL'
  const select = file.prepareOnce(`SELECT 1 FROM session_old_secrets WHERE ${where}`)
  const update = file.prepareOnce(
    `UPDATE session_old_secrets SET superseded_at = :now WHERE ${where}`,
  )
  return (id: string, number: number): void => {
    if (select.first({ id, number }) === null) return
    try {
      file.withoutWaiting(() => update.run({ id, number, now: clock.now() }))
    } catch (error) {
      // The next use records it: no request fails or waits because another process writes.
      if (!(error instanceof StoreBusy)) throw error
    }
  }
}

function prepareRotate({ file, clock }: SessionsOptions): SessionStore['rotate'] {
  const select = file.prepareOnce<SessionRow>(SELECT_SESSION)
  const selectRecent = file.prepareOnce(
    'SELECT 1 FROM session_old_secrets WHERE session_id = ? AND rotated_at > ?',
  )
  const insertOld = file.prepareOnce(`INSERT INTO session_old_secrets
    (session_id, secret_hash, rotated_at) VALUES (?, ?, ?)`)
  const removeOldest = file.prepareOnce(`DELETE FROM session_old_secrets WHERE number IN (
    SELECT number FROM session_old_secrets WHERE session_id = ?
    ORDER BY number DESC LIMIT -1 OFFSET ${OLD_SECRETS_MAX})`)
  const update = file.prepareOnce(
    'UPDATE sessions SET secret_hash = ?, rotated_at = ? WHERE id = ?',
  )

  function rotate(id: string): CreatedSession | null {
    const now = clock.now()
    const row = select.first(id, now)
    if (row === null || selectRecent.first(id, now - ROTATION_GRACE_MS) !== null) return null
    const secret = createSecret()
    insertOld.run(id, row.secret_hash, now)
    removeOldest.run(id)
    update.run(hashSecret(secret), now, id)
    const session = fromSessionRow({ ...row, rotated_at: now })
    return { session, credential: formatCredential({ id, secret }) }
  }

  return async (id, { canWait = true } = {}) => {
    const transact = (): CreatedSession | null => file.transact(() => rotate(id))
    return canWait ? transact() : file.withoutWaiting(transact)
  }
}

function createNoSuchUser(id: string): WeirError {
  return new WeirError('not_found', `There is no user ${id} who may sign in.`, {
    hint: 'Run weir users list to see the users there are.',
  })
}
