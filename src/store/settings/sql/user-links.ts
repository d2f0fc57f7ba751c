// Passwords of users, and the one-time links that set them. Must stay true: a code is spent in the
// transaction that sets the password, and only its hash is stored.

import { createSecret, hashSecret } from '../../../core/ids.ts'
import { toUserActor } from '../../../core/user.ts'
import type { Actor, User } from '../../../core/user.ts'
import type { Sql } from '../../sql/sql.ts'
import { fromUserRow, SELECT_USER } from './account-rows.ts'
import type { UserRow } from './account-rows.ts'
import type { UserLink, UserStore } from '../user-store.ts'
import { toChanges, toTime, toUserFacts } from './audit-changes.ts'
import type { SettingsTools } from './tools.ts'

export function createUserLinks(
  options: SettingsTools,
): Pick<UserStore, 'setPassword' | 'createLink' | 'isLinkOpen' | 'redeemLink'> {
  const { database, clock, writeAudit } = options
  const setPassword = createSetPassword(options)

  /** The user it is for, if the code can be redeemed. */
  async function findUser(sql: Sql, codeHash: string): Promise<UserRow | null> {
    // Found by its hash: the time this takes reveals nothing about the code.
    const link = await sql.first<{ user_id: string; expires_at: number }>(
      'SELECT user_id, expires_at FROM user_links WHERE code_hash = ?',
      [codeHash],
    )
    if (link === null || link.expires_at <= clock.now()) return null
    const row = await sql.first<UserRow>(SELECT_USER, [link.user_id])
    return row === null || row.disabled_at !== null ? null : row
  }

  return {
    setPassword(id, passwordHash, exceptSession): Promise<User | null> {
      return database.transact(async (sql) => {
        const row = await sql.first<UserRow>(SELECT_USER, [id])
        return row === null ? null : setPassword(sql, row, { passwordHash, exceptSession })
      })
    },

    createLink(id: string, validMs: number): Promise<UserLink | null> {
      return database.transact(async (sql) => {
        const row = await sql.first<UserRow>(SELECT_USER, [id])
        if (row === null) return null
        const [user, code, expiresAt] = [fromUserRow(row), createSecret(), clock.now() + validMs]
        await sql.run(
          `INSERT INTO user_links (user_id, code_hash, expires_at) VALUES (?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE
            SET code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
          [id, hashSecret(code), expiresAt],
        )
        const changes = toChanges(null, { expires_at: toTime(expiresAt) })
        const subject = { subjectId: id, subjectName: user.email }
        await writeAudit(sql, { action: 'user.link', ...subject, changes })
        return { user, code, expiresAt }
      })
    },

    isLinkOpen: async (code) => (await findUser(database, hashSecret(code))) !== null,

    async redeemLink(code: string, passwordHash: string): Promise<User | null> {
      const codeHash = hashSecret(code)
      // A wrong code is refused without the write lock: anyone may send one.
      if ((await findUser(database, codeHash)) === null) return null
      return database.transact(async (sql) => {
        const row = await findUser(sql, codeHash)
        if (row === null) return null
        const actor = toUserActor(row)
        return setPassword(sql, row, { passwordHash, exceptSession: null, actor })
      })
    },
  }
}

interface NewPassword {
  readonly passwordHash: string
  readonly exceptSession: string | null
  /** The actor, where it is not the store's. */
  readonly actor?: Actor
}

function createSetPassword({ writeAudit }: SettingsTools) {
  return async (sql: Sql, row: UserRow, password: NewPassword): Promise<User> => {
    const { passwordHash, exceptSession, actor } = password
    const { id, email } = row
    const user = fromUserRow({ ...row, password_hash: passwordHash })
    const changes = toChanges(toUserFacts(fromUserRow(row)), toUserFacts(user))
    const entry = { action: 'user.password', subjectId: id, subjectName: email, changes } as const
    const version = await writeAudit(sql, entry, actor)
    await sql.run('UPDATE users SET password_hash = ?, version = ? WHERE id = ?', [
      passwordHash,
      version,
      id,
    ])
    await sql.run('DELETE FROM user_links WHERE user_id = ?', [id])
    const endSessions = 'DELETE FROM sessions WHERE user_id = ? AND id IS DISTINCT FROM ?'
    await sql.run(endSessions, [id, exceptSession])
    return { ...user, version }
  }
}
