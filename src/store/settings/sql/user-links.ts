// Passwords of users, and the one-time links that set them. Must stay true: a code is spent in the
// transaction that sets the password, and only its hash is stored.

import type { Clock } from '../../../core/clock.ts'
import { createSecret, hashSecret } from '../../../core/ids.ts'
import { toUserActor } from '../../../core/user.ts'
import type { Actor, User } from '../../../core/user.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { fromUserRow, SELECT_USER } from './account-rows.ts'
import type { UserRow } from './account-rows.ts'
import type { UserLink, UserStore } from '../user-store.ts'
import { toChanges, toTime, toUserFacts } from './audit-changes.ts'
import type { WriteAudit, WriteAuditNow } from './audit.ts'

interface UserLinksOptions {
  readonly file: SqliteFile
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly writeAuditNow: WriteAuditNow
  readonly writeAudit: WriteAudit
}

export function createUserLinks(
  options: UserLinksOptions,
): Pick<UserStore, 'setPassword' | 'createLink' | 'isLinkOpen' | 'redeemLink'> {
  const { file, clock, writeAuditNow } = options
  const setPassword = preparePassword(options)
  const selectUser = file.prepareOnce<UserRow>(SELECT_USER)
  const put = file.prepareOnce(`INSERT OR REPLACE INTO user_links (user_id, code_hash, expires_at)
    VALUES (?, ?, ?)`)
  // Found by its hash: the time this takes reveals nothing about the code.
  const select = file.prepareOnce<{ user_id: string; expires_at: number }>(
    'SELECT user_id, expires_at FROM user_links WHERE code_hash = ?',
  )
  /** The user it is for, if the code can be redeemed. */
  function findUser(codeHash: string): UserRow | null {
    const link = select.first(codeHash)
    if (link === null || link.expires_at <= clock.now()) return null
    const row = selectUser.first(link.user_id)
    return row === null || row.disabled_at !== null ? null : row
  }

  return {
    async setPassword(id, passwordHash, exceptSession): Promise<User | null> {
      return file.transact(() => {
        const row = selectUser.first(id)
        return row === null ? null : setPassword(row, { passwordHash, exceptSession })
      })
    },

    async createLink(id: string, validMs: number): Promise<UserLink | null> {
      return file.transact(() => {
        const row = selectUser.first(id)
        if (row === null) return null
        const [user, code, expiresAt] = [fromUserRow(row), createSecret(), clock.now() + validMs]
        put.run(id, hashSecret(code), expiresAt)
        const changes = toChanges(null, { expires_at: toTime(expiresAt) })
        writeAuditNow({ action: 'user.link', subjectId: id, subjectName: user.email, changes })
        return { user, code, expiresAt }
      })
    },

    isLinkOpen: async (code: string) => findUser(hashSecret(code)) !== null,

    async redeemLink(code: string, passwordHash: string): Promise<User | null> {
      const codeHash = hashSecret(code)
      // A wrong code is refused without the write lock: anyone may send one.
      if (findUser(codeHash) === null) return null
      return file.transact(() => {
        const row = findUser(codeHash)
        if (row === null) return null
        const actor = toUserActor(row)
        return setPassword(row, { passwordHash, exceptSession: null, actor })
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

function preparePassword({ file, writeAuditNow }: UserLinksOptions) {
  const update = file.prepareOnce('UPDATE users SET password_hash = ?, version = ? WHERE id = ?')
  const endSessions = file.prepareOnce('DELETE FROM sessions WHERE user_id = ? AND id IS NOT ?')
  const removeLink = file.prepareOnce('DELETE FROM user_links WHERE user_id = ?')

  return (row: UserRow, { passwordHash, exceptSession, actor }: NewPassword): User => {
    const { id, email } = row
    const user = fromUserRow({ ...row, password_hash: passwordHash })
    const changes = toChanges(toUserFacts(fromUserRow(row)), toUserFacts(user))
    const entry = { action: 'user.password', subjectId: id, subjectName: email, changes } as const
    const version = writeAuditNow(entry, actor)
    update.run(passwordHash, version, id)
    removeLink.run(id)
    endSessions.run(id, exceptSession)
    return { ...user, version }
  }
}
