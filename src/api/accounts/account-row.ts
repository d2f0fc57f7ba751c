// Users, sessions and audit lines as the API writes them. Must stay true: no hash is in them.

import type { AuditEntry, Session, User } from '../../core/user.ts'
import { USER_CODEC } from '../../resources/codecs.ts'
import type { AuditRow, SessionRow, UserRow } from '../contract.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'
import type { KnownTeams } from '../teams/team-directory.ts'

export function toUserRow(user: User): UserRow {
  return {
    id: user.id,
    ...USER_CODEC.toAnswer(user),
    has_password: user.passwordHash !== null,
    is_oidc: user.subject !== null,
    is_provisioned: user.provisioned !== null,
    is_disabled: user.disabledAt !== null,
    unknown_groups: [...user.unknownGroups],
    created_at: toIso(user.createdAt),
    last_sign_in_at: toIsoOrNull(user.lastSignInAt),
    version: user.version,
  }
}

export function toListedUsers(users: readonly User[], { teams, members }: KnownTeams): UserRow[] {
  const memberships = teams.flatMap(({ id, name }) =>
    (members.get(id) ?? []).map(({ userId, role }) => ({
      userId,
      team: { team_id: id, name, role },
    })),
  )
  const byUser = Map.groupBy(memberships, ({ userId }) => userId)
  return users.map((user) => ({
    ...toUserRow(user),
    teams: (byUser.get(user.id) ?? []).map(({ team }) => team),
  }))
}

export function toSessionRow(session: Session, currentId: string): SessionRow {
  return {
    id: session.id,
    is_current: session.id === currentId,
    created_at: toIso(session.createdAt),
    last_seen_at: toIso(session.lastSeenAt),
    expires_at: toIso(session.expiresAt),
    agent: session.agent,
    address: session.address,
  }
}

export function toAuditRow(entry: AuditEntry): AuditRow {
  return {
    number: entry.number,
    at: toIso(entry.at),
    actor: { ...entry.actor },
    action: entry.action,
    subject: { id: entry.subjectId, name: entry.subjectName },
    changes: { ...entry.changes },
  }
}
