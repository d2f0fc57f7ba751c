// Users. Must stay true: once an administrator can sign in there always is one, and a user who
// loses a right or gets a new password loses older sessions in the same transaction. The keys of
// who may not sign in are paused in it, too.

import { randomBytes } from 'node:crypto'
import type { Actor, User } from '../../../core/user.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { USER_CODEC } from '../../../resources/codecs.ts'
import type { Sql } from '../../sql/sql.ts'
import { fromUserRow, SELECT_USERS, USER_COLUMNS } from './account-rows.ts'
import type { UserRow } from './account-rows.ts'
import type { NewUser, UserChange, UserName, UserStore } from '../user-store.ts'
import { closeAsks } from './asks.ts'
import { toUserFacts } from './audit-changes.ts'
import { renameOwner, switchKeysOf } from './keys.ts'
import { endMemberships } from './memberships.ts'
import { createRows } from './noun-rows.ts'
import { raiseRevision } from './revision.ts'
import { giveUpDeliveries } from './targets.ts'
import type { SettingsTools } from './tools.ts'
import { createUserLinks } from './user-links.ts'

export const IS_ADMINISTRATOR = `role = 'admin' AND disabled_at IS NULL
  AND (password_hash IS NOT NULL OR subject IS NOT NULL)`

export function createUsers(tools: SettingsTools): UserStore {
  const { database, clock } = tools
  const rows = createUserRows(tools)
  const check = createCheck(tools)

  return {
    ...createUserLinks(tools),

    create: (settings) => database.transact((sql) => insertUser(sql, tools, { settings })),

    list: () => rows.list(),

    async find(by) {
      const row = await select(database, by)
      return row === null ? null : fromUserRow(row)
    },

    update(id, change, expected = null) {
      const toColumns = (row: UserRow) => toUserColumns(change, row, clock.now())
      return rows.change({ action: 'user.update', id, expected }, { toColumns, check })
    },

    remove: (id, expected = null) =>
      rows.remove({ action: 'user.delete', id, expected }, async (sql, row) => {
        await requireAdministrator(sql, row, null)
        await endMemberships(sql, tools, { userId: id })
        await switchPerson(sql, tools, { personId: id, isActive: false })
      }),
  }
}

function createUserRows(tools: SettingsTools) {
  return createRows<UserRow, User>(tools, {
    table: 'users',
    columns: USER_COLUMNS,
    order: 'created_at, rowid',
    fromRow: fromUserRow,
    toFacts: toUserFacts,
    nameOf: ({ email }) => email,
    full: { max: tools.usersMax, plural: 'users', hint: 'Remove users who have left.' },
  })
}

interface AddedUser {
  readonly settings: NewUser
  readonly toActor?: (user: User) => Actor
}

/** For inside a transaction: the setup code is spent in the one that adds the user. */
export async function insertUser(
  sql: Sql,
  tools: SettingsTools,
  { settings, toActor }: AddedUser,
): Promise<User> {
  const { email, name, role, passwordHash, subject, provisioned = null } = settings
  const rows = createUserRows(tools)
  await rows.requireRoom(sql)
  const row: UserRow = {
    id: `user_${randomBytes(8).toString('hex')}`,
    ...USER_CODEC.toColumns({ email: email.toLowerCase(), name, role }),
    password_hash: passwordHash,
    issuer: subject?.issuer ?? null,
    subject: subject?.subject ?? null,
    user_name: provisioned?.userName ?? null,
    external_id: provisioned?.externalId ?? null,
    unknown_groups: '[]',
    created_at: tools.clock.now(),
    disabled_at: null,
    last_sign_in_at: null,
    version: 0,
  }
  await requireFree(sql, row)
  return rows.insert(sql, row, { action: 'user.create', actor: toActor?.(fromUserRow(row)) })
}

/** A user who loses a right loses the sessions as well. */
function createCheck(tools: SettingsTools) {
  return async (sql: Sql, before: UserRow, after: UserRow): Promise<void> => {
    await requireFree(sql, after)
    await requireAdministrator(sql, before, after)
    const [wasActive, isActive] = [before.disabled_at === null, after.disabled_at === null]
    if (after.email !== before.email) {
      await renameOwner(sql, tools, { from: before.email, to: after.email })
    }
    if (isActive !== wasActive) await switchPerson(sql, tools, { personId: after.id, isActive })
    if (after.role === before.role && isActive) return
    await sql.run('DELETE FROM sessions WHERE user_id = ?', [after.id])
  }
}

/** Their keys, their mail, and what is known of teams by those who poll. */
async function switchPerson(
  sql: Sql,
  tools: SettingsTools,
  person: { readonly personId: string; readonly isActive: boolean },
): Promise<void> {
  await switchKeysOf(sql, tools, person)
  if (!person.isActive) {
    await giveUpDeliveries(sql, person.personId)
    await closeAsks(sql, tools, person)
  }
  await raiseRevision(sql, 'team_revision')
}

function toUserColumns(change: UserChange, row: UserRow, nowMs: number): Partial<UserRow> {
  const { email, name, role, isDisabled, subject, provisioned, unknownGroups } = change
  // Disabling twice keeps the first moment.
  const disabledAt = isDisabled === true ? (row.disabled_at ?? nowMs) : null
  return {
    ...USER_CODEC.toColumns({ email: email?.toLowerCase(), name, role }),
    ...(isDisabled !== undefined && { disabled_at: disabledAt }),
    ...(subject !== undefined && subject),
    ...(provisioned !== undefined && {
      user_name: provisioned.userName,
      external_id: provisioned.externalId,
    }),
    ...(unknownGroups !== undefined && { unknown_groups: JSON.stringify(unknownGroups) }),
  }
}

function select(sql: Sql, by: UserName): Promise<UserRow | null> {
  const from = `${SELECT_USERS} WHERE`
  if ('id' in by) return sql.first(`${from} id = ?`, [by.id])
  if ('email' in by) return sql.first(`${from} email = ?`, [by.email.toLowerCase()])
  if ('externalId' in by) return sql.first(`${from} external_id = ?`, [by.externalId])
  if ('userName' in by) {
    // Folded by the database on both sides: engines differ in letters beyond ASCII.
    const text = `${from} lower(user_name) = lower(?) OR (user_name IS NULL AND email = ?)`
    return sql.first(text, [by.userName, by.userName.toLowerCase()])
  }
  const { issuer, subject } = by.subject
  return sql.first(`${from} issuer = ? AND subject = ?`, [issuer, subject])
}

/** Throws when the address, the name or the identity is another user's. */
async function requireFree(sql: Sql, row: UserRow): Promise<void> {
  const { id, email, issuer, subject, user_name: userName } = row
  const isOthers = (other: UserRow | null): boolean => other !== null && other.id !== id
  if (isOthers(await select(sql, { email }))) {
    throw new WeirError('invalid_argument', `There is a user ${email} already.`, {
      hint: 'Change that user, or give another address.',
    })
  }
  if (userName !== null && isOthers(await select(sql, { userName }))) {
    throw new WeirError('invalid_argument', `The directory calls another user ${userName}.`, {
      hint: 'Give another user name.',
    })
  }
  if (issuer === null || subject === null) return
  if (isOthers(await select(sql, { subject: { issuer, subject } }))) {
    const message = `Another user signs in as ${subject} of ${issuer}.`
    throw new WeirError('invalid_argument', message, { hint: 'Remove one of the two.' })
  }
}

/** Throws when no administrator would be left; `after` is null for a removed user. */
async function requireAdministrator(
  sql: Sql,
  before: UserRow,
  after: UserRow | null,
): Promise<void> {
  if (!isAdministrator(before) || (after !== null && isAdministrator(after))) return
  const others = await sql.first<{ n: number }>(
    `SELECT COUNT(*) AS n FROM users WHERE id <> ? AND ${IS_ADMINISTRATOR}`,
    [before.id],
  )
  if (Number(others?.n) > 0) return
  const message = `${before.email} is the only administrator who can sign in.`
  throw new WeirError('invalid_argument', message, {
    hint: 'Make another user an administrator first, and let them sign in once.',
  })
}

function isAdministrator({ role, disabled_at, password_hash, subject }: UserRow): boolean {
  return role === 'admin' && disabled_at === null && (password_hash ?? subject) !== null
}
