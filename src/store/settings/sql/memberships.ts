// Who is in which team. Must stay true: what one source gave, the other does not take, and what
// was given by hand only a hand changes; every change raises the revision and is audited in the
// same transaction.

import type { Member, Membership } from '../../../core/teams/team.ts'
import type { AuditAction } from '../../../core/user.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { toMembers } from '../../sql/members.ts'
import type { Sql } from '../../sql/sql.ts'
import type { NewMembership, TeamStore } from '../team-store.ts'
import { closeAsks } from './asks.ts'
import { toMemberChanges } from './audit-changes.ts'
import { raiseRevision } from './revision.ts'
import type { SettingsTools } from './tools.ts'

interface MembershipRow {
  team_id: string
  user_id: string
  role: Membership['role']
  source: Membership['source']
  since: number
}

/** With its person and its team. */
interface MemberRow extends MembershipRow {
  email: string
  name: string
  disabled_at: number | null
  team_name: string
}

const COLUMNS = ['team_id', 'user_id', 'role', 'source', 'since'] as const
const SELECT_ALL = `SELECT ${COLUMNS.join(', ')} FROM team_members`
const SELECT = `SELECT ${COLUMNS.map((column) => `team_members.${column}`).join(', ')},
    users.email, users.name, users.disabled_at, teams.name AS team_name
  FROM team_members JOIN users ON users.id = team_members.user_id
    JOIN teams ON teams.id = team_members.team_id`
const SELECT_ONE = `${SELECT} WHERE team_members.team_id = ? AND team_members.user_id = ?`
const PUT = `INSERT INTO team_members (${COLUMNS.join(', ')})
  VALUES (${COLUMNS.map((column) => `:${column}`).join(', ')})
  ON CONFLICT (team_id, user_id) DO UPDATE SET role = excluded.role, source = excluded.source`
const REMOVE = 'DELETE FROM team_members WHERE team_id = ? AND user_id = ?'

type Memberships = Pick<
  TeamStore,
  'listMembers' | 'listMemberships' | 'join' | 'leave' | 'replaceMemberships'
>

export function createMemberships(tools: SettingsTools): Memberships {
  const { database } = tools

  return {
    async listMembers(teamId) {
      const text = `${SELECT} WHERE team_members.team_id = ?
        ORDER BY team_members.role, users.email`
      return (await database.all<MemberRow>(text, [teamId])).map(toMember)
    },

    async listMemberships(userId) {
      const text = `${SELECT_ALL} WHERE user_id = ? ORDER BY team_id`
      return (await database.all<MembershipRow>(text, [userId])).map(toMembership)
    },

    join: (asked) =>
      database.transact(async (sql) => {
        await requireTeam(sql, asked.teamId)
        await requireUser(sql, asked.userId)
        return put(sql, tools, asked)
      }),

    leave: (teamId, userId) =>
      database.transact(async (sql) => {
        const row = await sql.first<MemberRow>(SELECT_ONE, [teamId, userId])
        if (row === null) return null
        await end(sql, tools, row)
        return toMembership(row)
      }),

    replaceMemberships: (userId, source, teams) =>
      database.transact(async (sql) => {
        await requireUser(sql, userId)
        const text = `${SELECT} WHERE team_members.user_id = ? AND team_members.source = ?`
        for (const row of await sql.all<MemberRow>(text, [userId, source])) {
          if (!teams.has(row.team_id)) await end(sql, tools, row)
        }
        for (const [teamId, role] of teams) {
          // A rule or a group may name one that is archived: nobody's sign-in fails by that.
          const team = await findTeam(sql, teamId)
          if (team?.archived_at !== null) continue
          await put(sql, tools, { teamId, userId, role, source })
        }
      }),
  }
}

/** For those who poll. */
export async function readMemberships(sql: Sql): Promise<readonly Membership[]> {
  const rows = await sql.all<MembershipRow>(`${SELECT_ALL} ORDER BY team_id, user_id`)
  return rows.map(toMembership)
}

/** Of a team that is archived, or of a user who is removed. */
export async function endMemberships(
  sql: Sql,
  tools: SettingsTools,
  of: { readonly teamId: string } | { readonly userId: string },
): Promise<void> {
  const [column, id] = 'teamId' in of ? ['team_id', of.teamId] : ['user_id', of.userId]
  const rows = await sql.all<MemberRow>(`${SELECT} WHERE team_members.${column} = ?`, [id])
  for (const row of rows) await end(sql, tools, row)
}

async function put(sql: Sql, tools: SettingsTools, asked: NewMembership): Promise<Membership> {
  const { teamId, userId, role, source } = asked
  const before = await sql.first<MemberRow>(SELECT_ONE, [teamId, userId])
  if (before !== null) {
    const isOthers = source !== 'hand' && before.source !== source
    const isSame = before.role === role && before.source === source
    if (isOthers || isSame) return toMembership(before)
  }
  const since = before?.since ?? tools.clock.now()
  const after = { team_id: teamId, user_id: userId, role, source, since }
  await sql.run(PUT, after)
  const named = await sql.first<MemberRow>(SELECT_ONE, [teamId, userId])
  await note(sql, tools, { action: 'team.join', before, after: named })
  return toMembership(after)
}

async function end(sql: Sql, tools: SettingsTools, row: MemberRow): Promise<void> {
  await sql.run(REMOVE, [row.team_id, row.user_id])
  await closeAsks(sql, tools, { personId: row.user_id, teamId: row.team_id })
  await note(sql, tools, { action: 'team.leave', before: row, after: null })
}

interface NotedChange {
  readonly action: AuditAction
  readonly before: MemberRow | null
  readonly after: MemberRow | null
}

/** About the team, so that its leads find it there. */
async function note(
  sql: Sql,
  { writeAudit }: SettingsTools,
  { action, before, after }: NotedChange,
): Promise<void> {
  await raiseRevision(sql, 'team_revision')
  const { team_id: subjectId, team_name: subjectName } = (after ?? before) as MemberRow
  const changes = toMemberChanges(before && toMember(before), after && toMember(after))
  await writeAudit(sql, { action, subjectId, subjectName, changes })
}

function findTeam(sql: Sql, id: string) {
  const text = 'SELECT name, archived_at FROM teams WHERE id = ?'
  return sql.first<{ name: string; archived_at: number | null }>(text, [id])
}

async function requireTeam(sql: Sql, id: string): Promise<void> {
  const team = await findTeam(sql, id)
  if (team === null) throw new WeirError('not_found', `There is no team ${id}.`)
  if (team.archived_at === null) return
  throw new WeirError('invalid_argument', `The team ${team.name} is archived.`, {
    hint: 'Restore the team first, or choose another one.',
  })
}

async function requireUser(sql: Sql, id: string): Promise<void> {
  if ((await sql.first('SELECT id FROM users WHERE id = ?', [id])) !== null) return
  throw new WeirError('not_found', `There is no user ${id}.`, {
    hint: 'Run weir users list to see the users there are.',
  })
}

function toMembership(row: MembershipRow): Membership {
  return toMembers(row, COLUMNS)
}

function toMember({ email, name, disabled_at, ...row }: MemberRow): Member {
  return { ...toMembership(row), email, name, isDisabled: disabled_at !== null }
}
