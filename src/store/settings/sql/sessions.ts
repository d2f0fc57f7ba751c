// Sessions. They are looked up at each use, so one that ended is over at once on every node. Must
// stay true: only a secret's hash is stored.

import { createSessionCredential, formatCredential, hashSecret } from '../../../core/ids.ts'
import { toUserActor } from '../../../core/user.ts'
import type { Session } from '../../../core/user.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { Sql } from '../../sql/sql.ts'
import { fromSessionRow, SELECT_SESSION, SELECT_USER, SESSION_COLUMNS } from './account-rows.ts'
import type { SessionRow, UserRow } from './account-rows.ts'
import type { CreatedSession, NewSession, SessionStore } from '../session-store.ts'
import { toChanges, toTime } from './audit-changes.ts'
import { TOUCH_INTERVAL_MS } from '../token-store.ts'
import type { SettingsTools } from './tools.ts'
import { createFind, createRotate } from './session-secrets.ts'
import type { EndSession } from './session-secrets.ts'

const AGENT_CHARS_MAX = 300
const ADDRESS_CHARS_MAX = 100

// The same names as parameters: `:id, :user_id, …`.
const VALUES = SESSION_COLUMNS.replaceAll(/\w+/g, ':$&')
const INSERT = `INSERT INTO sessions (${SESSION_COLUMNS}) VALUES (${VALUES})`
const NEWEST_FIRST = 'ORDER BY created_at DESC, rowid DESC'
const TOUCH = `UPDATE sessions SET last_seen_at = :now
  WHERE id = :id AND last_seen_at <= CAST(:now AS BIGINT) - ${TOUCH_INTERVAL_MS}`

export function createSessions(options: SettingsTools): SessionStore {
  const { database, clock } = options
  const insert = createInsert(options)
  const end = createEnd(options)

  return {
    find: createFind(options, end),
    rotate: createRotate(options),

    create(session: NewSession): Promise<CreatedSession> {
      return database.transact((sql) => insert(sql, session))
    },

    async touch(id: string): Promise<void> {
      const now = clock.now()
      const row = await database.first<SessionRow>(SELECT_SESSION, [id, now])
      // Even a statement that changes nothing takes SQLite's write lock.
      if (row === null || row.last_seen_at > now - TOUCH_INTERVAL_MS) return
      await database.changeWithoutWaiting((sql) => sql.run(TOUCH, { id, now }))
    },

    end(id: string): Promise<boolean> {
      return database.transact(async (sql) => {
        const row = await sql.first<SessionRow>(SELECT_SESSION, [id, clock.now()])
        if (row !== null) await end(sql, row, null)
        return row !== null
      })
    },

    endAll: createEndAll(options),

    async list(userId: string): Promise<readonly Session[]> {
      const text = `SELECT ${SESSION_COLUMNS} FROM sessions
        WHERE user_id = ? AND expires_at > ? ${NEWEST_FIRST}`
      return (await database.all<SessionRow>(text, [userId, clock.now()])).map(fromSessionRow)
    },
  }
}

function createInsert(options: SettingsTools) {
  const { clock, writeAudit, sessionsMax } = options
  const end = createEnd(options)

  return async (sql: Sql, session: NewSession): Promise<CreatedSession> => {
    const { userId, expiresAt, agent, address } = session
    const now = clock.now()
    const user = await sql.first<UserRow>(SELECT_USER, [userId])
    if (user === null || user.disabled_at !== null) throw createNoSuchUser(userId)
    await sql.run('DELETE FROM sessions WHERE expires_at <= ?', [now])
    const ofUser = `SELECT ${SESSION_COLUMNS} FROM sessions WHERE user_id = ? ${NEWEST_FIRST}`
    const others = await sql.all<SessionRow>(ofUser, [userId])
    for (const surplus of others.slice(sessionsMax - 1)) await end(sql, surplus, 'too_many')
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
    await sql.run(INSERT, { ...row })
    await sql.run('UPDATE users SET last_sign_in_at = ? WHERE id = ?', [now, userId])
    const facts = { agent: row.agent, address: row.address, expires_at: toTime(expiresAt) }
    const entry = { subjectId: id, subjectName: user.email, changes: toChanges(null, facts) }
    await writeAudit(sql, { action: 'session.begin', ...entry }, toUserActor(user))
    return { session: fromSessionRow(row), credential: formatCredential({ id, secret }) }
  }
}

function createEnd({ writeAudit }: SettingsTools): EndSession {
  return async (sql, { id, user_id }, reason) => {
    await sql.run('DELETE FROM sessions WHERE id = ?', [id])
    const changes = toChanges(null, { reason })
    const user = await sql.first<UserRow>(SELECT_USER, [user_id])
    const subject = { subjectId: id, subjectName: user?.email ?? null }
    await writeAudit(sql, { action: 'session.end', ...subject, changes })
  }
}

function createEndAll({ database, writeAudit }: SettingsTools): SessionStore['endAll'] {
  return () =>
    database.transact(async (sql) => {
      const sessions = await sql.run('DELETE FROM sessions')
      const links = await sql.run('DELETE FROM user_links')
      if (sessions + links === 0) return
      const changes = toChanges(null, { reason: 'restored' })
      const subject = { subjectId: null, subjectName: 'everybody' }
      await writeAudit(sql, { action: 'session.end', ...subject, changes })
    })
}

function createNoSuchUser(id: string): WeirError {
  return new WeirError('not_found', `There is no user ${id} who may sign in.`, {
    hint: 'Run weir users list to see the users there are.',
  })
}
