// Users. Must stay true: once an administrator can sign in there always is one, and a
// user who loses a right or gets a new password loses older sessions in the same transaction.

import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../core/clock.ts'
import type { Actor, NewAuditEntry, User } from '../../../core/user.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { fromUserRow, SELECT_USER, USER_COLUMNS } from './account-rows.ts'
import type { UserRow } from './account-rows.ts'
import type { NewUser, UserChange, UserName, UserStore } from '../user-store.ts'
import { toChanges, toUserFacts } from './audit-changes.ts'
import { toChangedColumns } from './settings-rows.ts'
import type { WriteAudit, WriteAuditNow } from './audit.ts'
import { createUserLinks } from './user-links.ts'
import { prepareVersionCheckNow } from './version-check.ts'

// The same names as parameters: `:id, :email, …`.
const VALUES = USER_COLUMNS.replaceAll(/\w+/g, ':$&')

export const IS_ADMINISTRATOR = `role = 'admin' AND disabled_at IS NULL
  AND (password_hash IS NOT NULL OR subject IS NOT NULL)`

export interface UsersOptions {
  readonly file: SqliteFile
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly writeAuditNow: WriteAuditNow
  readonly writeAudit: WriteAudit
  readonly usersMax: number
}

export function createUsers(options: UsersOptions): UserStore {
  const { file, writeAuditNow } = options
  const insert = prepareUserInsert(options)
  const selectAll = file.prepareOnce<UserRow>(
    `SELECT ${USER_COLUMNS} FROM users ORDER BY created_at, rowid`,
  )
  const select = prepareSelect(file)
  const requireVersion = prepareVersionCheckNow(file)
  const requireAdministrator = prepareAdministratorCheck(file)
  const remove = file.prepareOnce('DELETE FROM users WHERE id = ?')

  return {
    ...createUserLinks(options),
    update: prepareUpdate(options),

    async create(settings: NewUser): Promise<User> {
      return file.transact(() => insert(settings))
    },

    async list(): Promise<readonly User[]> {
      return selectAll.all().map(fromUserRow)
    },

    async find(by: UserName): Promise<User | null> {
      const row = select(by)
      return row === null ? null : fromUserRow(row)
    },

    async remove(id: string, expected = null): Promise<User | null> {
      return file.transact(() => {
        const row = select({ id })
        if (row === null) return null
        requireVersion(row, expected)
        requireAdministrator(row, null)
        remove.run(id)
        const user = fromUserRow(row)
        const changes = toChanges(toUserFacts(user), null)
        writeAuditNow({ action: 'user.delete', subjectId: id, subjectName: user.email, changes })
        return user
      })
    },
  }
}

/** Runs only inside a transaction: the setup code is spent in the one that adds the user. */
export function prepareUserInsert(
  options: UsersOptions,
): (settings: NewUser, toActor?: (user: User) => Actor) => User {
  const { file, clock, writeAuditNow, usersMax } = options
  const count = file.prepareOnce<{ n: number }>('SELECT COUNT(*) AS n FROM users')
  const requireFree = prepareFreeCheck(file)
  const insert = file.prepareOnce(`INSERT INTO users (${USER_COLUMNS}) VALUES (${VALUES})`)

  return ({ email, name, role, passwordHash, subject }, toActor) => {
    if (Number(count.first()?.n) >= usersMax) throw createTooManyUsers(usersMax)
    const row: UserRow = {
      id: `user_${randomBytes(8).toString('hex')}`,
      email: email.toLowerCase(),
      name,
      role,
      password_hash: passwordHash,
      issuer: subject?.issuer ?? null,
      subject: subject?.subject ?? null,
      created_at: clock.now(),
      disabled_at: null,
      last_sign_in_at: null,
      version: 0,
    }
    requireFree(row)
    const user = fromUserRow(row)
    const version = writeAuditNow(toCreation(user), toActor?.(user))
    insert.run({ ...row, version })
    return { ...user, version }
  }
}

function toCreation(user: User): NewAuditEntry {
  const changes = toChanges(null, toUserFacts(user))
  return { action: 'user.create', subjectId: user.id, subjectName: user.email, changes }
}

function prepareUpdate({ file, clock, writeAuditNow }: UsersOptions): UserStore['update'] {
  const select = prepareSelect(file)
  const requireVersion = prepareVersionCheckNow(file)
  const requireFree = prepareFreeCheck(file)
  const requireAdministrator = prepareAdministratorCheck(file)
  const update = file.prepareOnce(`UPDATE users SET (${USER_COLUMNS}) = (${VALUES}) WHERE id = :id`)
  const endSessions = file.prepareOnce('DELETE FROM sessions WHERE user_id = ?')

  return async (id, change, expected = null) =>
    file.transact(() => {
      const row = select({ id })
      if (row === null) return null
      requireVersion(row, expected)
      const columns = toChangedColumns(row, toUserColumns(change, row, clock.now()))
      if (Object.keys(columns).length === 0) return fromUserRow(row)
      const changed = { ...row, ...columns }
      requireFree(changed)
      requireAdministrator(row, changed)
      const changes = toChanges(toUserFacts(fromUserRow(row)), toUserFacts(fromUserRow(changed)))
      const subject = { subjectId: id, subjectName: changed.email }
      const version = writeAuditNow({ action: 'user.update', ...subject, changes })
      update.run({ ...changed, version })
      const isOtherRole = changed.role !== row.role
      if (isOtherRole || changed.disabled_at !== null) endSessions.run(id)
      return fromUserRow({ ...changed, version })
    })
}

function toUserColumns(change: UserChange, row: UserRow, nowMs: number): Partial<UserRow> {
  const { email, name, role, isDisabled, subject } = change
  // Disabling twice keeps the first moment.
  const disabledAt = isDisabled === true ? (row.disabled_at ?? nowMs) : null
  return {
    ...(email !== undefined && { email: email.toLowerCase() }),
    ...(name !== undefined && { name }),
    ...(role !== undefined && { role }),
    ...(isDisabled !== undefined && { disabled_at: disabledAt }),
    ...(subject !== undefined && subject),
  }
}

function prepareSelect(file: SqliteFile): (by: UserName) => UserRow | null {
  const byId = file.prepareOnce<UserRow>(SELECT_USER)
  const from = `SELECT ${USER_COLUMNS} FROM users WHERE`
  const byEmail = file.prepareOnce<UserRow>(`${from} email = ?`)
  const bySubject = file.prepareOnce<UserRow>(`${from} issuer = ? AND subject = ?`)
  return (by) => {
    if ('id' in by) return byId.first(by.id)
    if ('email' in by) return byEmail.first(by.email.toLowerCase())
    return bySubject.first(by.subject.issuer, by.subject.subject)
  }
}

/** Throws when the address or the identity is another user's. */
function prepareFreeCheck(file: SqliteFile): (row: UserRow) => void {
  const select = prepareSelect(file)
  return ({ id, email, issuer, subject }) => {
    const isOthers = (other: UserRow | null): boolean => other !== null && other.id !== id
    if (isOthers(select({ email }))) {
      throw new WeirError('invalid_argument', `There is a user ${email} already.`, {
        hint: 'Change that user, or give another address.',
      })
    }
    if (issuer === null || subject === null) return
    if (isOthers(select({ subject: { issuer, subject } }))) {
      const message = `Another user signs in as ${subject} of ${issuer}.`
      throw new WeirError('invalid_argument', message, { hint: 'Remove one of the two.' })
    }
  }
}

/** Throws when no administrator would be left; `after` is null for a removed user. */
function prepareAdministratorCheck(file: SqliteFile) {
  const countOthers = file.prepareOnce<{ n: number }>(
    `SELECT COUNT(*) AS n FROM users WHERE id <> ? AND ${IS_ADMINISTRATOR}`,
  )
  return (before: UserRow, after: UserRow | null): void => {
    if (!isAdministrator(before) || (after !== null && isAdministrator(after))) return
    if (Number(countOthers.first(before.id)?.n) > 0) return
    const message = `${before.email} is the only administrator who can sign in.`
    throw new WeirError('invalid_argument', message, {
      hint: 'Make another user an administrator first, and let them sign in once.',
    })
  }
}

function isAdministrator({ role, disabled_at, password_hash, subject }: UserRow): boolean {
  return role === 'admin' && disabled_at === null && (password_hash ?? subject) !== null
}

function createTooManyUsers(usersMax: number): WeirError {
  return new WeirError(
    'invalid_argument',
    `There are ${usersMax} users, the most the store takes.`,
    { hint: 'Remove users who have left.' },
  )
}
