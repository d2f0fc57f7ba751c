// The rows of users, sessions and the audit log, and their translation.

import { assert } from '../../../core/assert.ts'
import { AUDIT_ACTIONS } from '../../../core/user.ts'
import type { ActorKind, AuditEntry, Session, User } from '../../../core/user.ts'

import { USER_CODEC } from '../../../resources/codecs.ts'
import type { ColumnsOf } from '../../../resources/field.ts'
import type { USER_FIELDS } from '../../../resources/user.ts'

export interface UserRow extends ColumnsOf<typeof USER_FIELDS> {
  id: string
  password_hash: string | null
  issuer: string | null
  subject: string | null
  created_at: number
  disabled_at: number | null
  last_sign_in_at: number | null
  version: number
}

export const USER_COLUMNS = [
  ...(['id', 'password_hash', 'issuer', 'subject'] as const),
  ...USER_CODEC.columns,
  ...(['created_at', 'disabled_at', 'last_sign_in_at', 'version'] as const),
]
export const SELECT_USERS = `SELECT ${USER_COLUMNS.join(', ')} FROM users`
export const SELECT_USER = `${SELECT_USERS} WHERE id = ?`

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

export const SESSION_COLUMNS = `id, user_id, secret_hash, created_at, expires_at, last_seen_at,
  rotated_at, agent, address`
export const SELECT_SESSION = `SELECT ${SESSION_COLUMNS} FROM sessions
  WHERE id = ? AND expires_at > ?`

export const AUDIT_COLUMNS = `number, at, actor_kind, actor_id, actor_name, action, subject_id,
  subject_name, changes`

export interface AuditRow {
  number: number
  at: number
  actor_kind: ActorKind
  actor_id: string | null
  actor_name: string
  action: string
  subject_id: string | null
  subject_name: string | null
  changes: string
}

export function fromUserRow(row: UserRow): User {
  const { issuer, subject } = row
  return {
    id: row.id,
    ...USER_CODEC.fromColumns(row),
    passwordHash: row.password_hash,
    subject: issuer === null || subject === null ? null : { issuer, subject },
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    lastSignInAt: row.last_sign_in_at,
    version: row.version,
  }
}

export function fromSessionRow(row: SessionRow): Session {
  return {
    id: row.id,
    userId: row.user_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastSeenAt: row.last_seen_at,
    rotatedAt: row.rotated_at,
    agent: row.agent,
    address: row.address,
  }
}

export function fromAuditRow(row: AuditRow): AuditEntry {
  const action = AUDIT_ACTIONS.find((each) => each === row.action)
  assert(action !== undefined, 'a stored line of the audit log is about a known action')
  return {
    number: row.number,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action,
    subjectId: row.subject_id,
    subjectName: row.subject_name,
    changes: JSON.parse(row.changes) as AuditEntry['changes'],
  }
}
