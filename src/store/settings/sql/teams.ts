// Teams. Must stay true: a department is in no department itself, and no live team is in an
// archived one; every change raises the revision and is audited in the same transaction.

import { randomBytes } from 'node:crypto'
import type { Team, TeamSettings } from '../../../core/teams/team.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { TEAM_CODEC } from '../../../resources/codecs.ts'
import type { ColumnsOf } from '../../../resources/field.ts'
import type { TEAM_FIELDS } from '../../../resources/team.ts'
import { toMembers } from '../../sql/members.ts'
import type { Sql } from '../../sql/sql.ts'
import type { TeamStore } from '../team-store.ts'
import { toTeamFacts } from './audit-changes.ts'
import { createMemberships, endMemberships, readMemberships } from './memberships.ts'
import { createRows } from './noun-rows.ts'
import { raiseRevision, readRevision } from './revision.ts'
import type { SettingsTools } from './tools.ts'

const REVISION = 'team_revision'

interface TeamRow extends ColumnsOf<typeof TEAM_FIELDS> {
  id: string
  created_at: number
  archived_at: number | null
  version: number
}

const OWN_COLUMNS = ['id', 'created_at', 'archived_at', 'version'] as const

function fromRow(row: TeamRow): Team {
  return { ...toMembers(row, OWN_COLUMNS), ...TEAM_CODEC.fromColumns(row) }
}

function createTeamRows(tools: SettingsTools) {
  return createRows<TeamRow, Team>(tools, {
    table: 'teams',
    columns: [...OWN_COLUMNS, ...TEAM_CODEC.columns],
    order: 'name, id',
    fromRow,
    toFacts: toTeamFacts,
    nameOf: ({ name }) => name,
    full: {
      max: tools.teamsMax,
      plural: 'teams',
      hint: 'Restore and rename one that is archived, as those count, too.',
    },
    raise: async (sql) => void (await raiseRevision(sql, REVISION)),
  })
}

export function createTeams(tools: SettingsTools): TeamStore {
  const { database, clock } = tools
  const rows = createTeamRows(tools)

  return {
    ...createMemberships(tools),

    create: (settings) =>
      database.transact(async (sql) => {
        const id = `team_${randomBytes(8).toString('hex')}`
        const own = { id, created_at: clock.now(), archived_at: null, version: 0 }
        const row = { ...TEAM_CODEC.toColumns(withLowerSlug(settings)), ...own }
        await check(sql, null, row)
        return rows.insert(sql, row, { action: 'team.create' })
      }),

    list: () => rows.list(),

    async find(by) {
      if ('id' in by) return rows.find(by.id)
      const text = `${rows.select} WHERE slug = ?`
      const row = await database.first<TeamRow>(text, [by.slug.toLowerCase()])
      return row === null ? null : fromRow(row)
    },

    update(id, change, expected = null) {
      const toColumns = () => TEAM_CODEC.toColumns(withLowerSlug(change))
      return rows.change({ action: 'team.update', id, expected }, { toColumns, check })
    },

    archive: (id, expected = null) =>
      rows.change(
        { action: 'team.archive', id, expected },
        {
          toColumns: ({ archived_at: at }) => ({ archived_at: at ?? clock.now() }),
          check: async (sql, team) => {
            await requireNoLiveTeams(sql, team)
            await endMemberships(sql, tools, { teamId: id })
          },
        },
      ),

    restore: (id, expected = null) =>
      rows.change(
        { action: 'team.restore', id, expected },
        { toColumns: () => ({ archived_at: null }), check },
      ),

    async readChanges(revision) {
      // A store behind its reader was restored from a backup, so any difference counts.
      const current = await readRevision(database, REVISION, database.epoch)
      if (current === revision) return { revision, all: null }
      return database.readSnapshot(async (sql) => ({
        revision: await readRevision(sql, REVISION, database.epoch),
        all: { teams: await rows.list(sql), members: await readMemberships(sql) },
      }))
    },
  }
}

function withLowerSlug<Some extends Partial<TeamSettings>>(settings: Some): Some {
  const { slug } = settings
  return slug === undefined ? settings : { ...settings, slug: slug.toLowerCase() }
}

// The checks run inside the transaction of the change.

async function check(sql: Sql, before: TeamRow | null, after: TeamRow): Promise<void> {
  if (after.slug !== before?.slug) await requireFreeSlug(sql, after)
  const isRestored = before?.archived_at !== after.archived_at
  if (isRestored || after.parent_id !== before?.parent_id) await requireDepartment(sql, after)
}

async function requireFreeSlug(sql: Sql, { id, slug }: TeamRow): Promise<void> {
  const text = 'SELECT archived_at FROM teams WHERE slug = ? AND id <> ?'
  const other = await sql.first<Pick<TeamRow, 'archived_at'>>(text, [slug, id])
  if (other === null) return
  const archived = other.archived_at === null ? '' : ', which is archived'
  throw refuse(`There is a team ${slug} already${archived}.`, 'Choose another short name.')
}

async function requireDepartment(sql: Sql, team: TeamRow): Promise<void> {
  const { id, parent_id: parentId } = team
  if (parentId === null) return
  if (parentId === id) throw refuse('A team is not its own department.', 'Choose another team.')
  const parent = await sql.first<TeamRow>('SELECT * FROM teams WHERE id = ?', [parentId])
  if (parent === null) throw refuse(`There is no team ${parentId}.`, 'Choose a team that is there.')
  if (parent.archived_at !== null) {
    throw refuse(`The team ${parent.name} is archived.`, 'Restore it first, or choose another one.')
  }
  const hint = 'Departments are one level deep: choose a team that is in none.'
  if (parent.parent_id !== null) throw refuse(`The team ${parent.name} is in a department.`, hint)
  const part = await sql.first<TeamRow>('SELECT * FROM teams WHERE parent_id = ? LIMIT 1', [id])
  if (part === null) return
  throw refuse(`The team ${team.name} has teams of its own, such as ${part.name}.`, hint)
}

async function requireNoLiveTeams(sql: Sql, { id, name }: TeamRow): Promise<void> {
  const text = 'SELECT name FROM teams WHERE parent_id = ? AND archived_at IS NULL LIMIT 1'
  const part = await sql.first<Pick<TeamRow, 'name'>>(text, [id])
  if (part === null) return
  const hint = 'Archive its teams first, or take them out of it.'
  throw refuse(`The team ${name} has teams that are not archived, such as ${part.name}.`, hint)
}

function refuse(message: string, hint: string): WeirError {
  return new WeirError('invalid_argument', message, { hint })
}
