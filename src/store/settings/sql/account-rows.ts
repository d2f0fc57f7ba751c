// The rows of users and sessions, and their translation.

import type { Session, User } from '../../../core/user.ts'
import { USER_CODEC } from '../../../resources/codecs.ts'
import type { ColumnsOf } from '../../../resources/field.ts'
import type { USER_FIELDS } from '../../../resources/user.ts'
import { toMembers } from '../../sql/members.ts'

export interface UserRow extends ColumnsOf<typeof USER_FIELDS> {
  id: string
  password_hash: string | null
  issuer: string | null
  subject: string | null
  user_name: string | null
  external_id: string | null
  /** JSON. */
  unknown_groups: string
  created_at: number
  disabled_at: number | null
  last_sign_in_at: number | null
  version: number
}

const USER_MEMBERS = [
  ...(['id', 'password_hash', 'created_at', 'disabled_at', 'last_sign_in_at', 'version'] as const),
]
export const USER_COLUMNS = [
  ...USER_MEMBERS,
  ...(['issuer', 'subject', 'user_name', 'external_id', 'unknown_groups'] as const),
  ...USER_CODEC.columns,
]
export const SELECT_USERS = `SELECT ${USER_COLUMNS.join(', ')} FROM users`
export const SELECT_USER = `${SELECT_USERS} WHERE id = ?`

const SESSION_MEMBERS = [
  ...(['id', 'user_id', 'created_at', 'expires_at', 'last_seen_at', 'rotated_at'] as const),
  ...(['agent', 'address'] as const),
]

export interface SessionRow {
  id: string
  user_id: string
  secret_hash: string
  created_at: number
  expires_at: number
  last_seen_at: number
  rotated_at: number
  agent: string | null
  address: string | null
}

export const SESSION_COLUMNS = `secret_hash, ${SESSION_MEMBERS.join(', ')}`
export const SELECT_SESSION = `SELECT ${SESSION_COLUMNS} FROM sessions
  WHERE id = ? AND expires_at > ?`

export function fromUserRow(row: UserRow): User {
  const { issuer, subject: name } = row
  return {
    ...toMembers(row, USER_MEMBERS),
    ...USER_CODEC.fromColumns(row),
    subject: issuer === null || name === null ? null : { issuer, subject: name },
    provisioned:
      row.user_name === null ? null : { userName: row.user_name, externalId: row.external_id },
    unknownGroups: JSON.parse(row.unknown_groups) as string[],
  }
}

/** Without the hash of its secret. */
export function fromSessionRow(row: SessionRow): Session {
  return toMembers(row, SESSION_MEMBERS)
}
