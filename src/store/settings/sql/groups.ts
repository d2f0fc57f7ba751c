// Groups of the directory. Must stay true: a change of members alone is a change of the group, with
// a version and an audit line, which has their number and not their names.

import { randomBytes } from 'node:crypto'
import { WeirError } from '../../../core/weir-error.ts'
import type { BulkTable, Sql } from '../../sql/sql.ts'
import type { DirectoryGroup, GroupStore } from '../group-store.ts'
import { requireVersion } from './audit.ts'
import { toChanges } from './audit-changes.ts'
import type { AuditFacts } from './audit-changes.ts'
import { createRows } from './noun-rows.ts'
import type { SettingsTools } from './tools.ts'

interface GroupRow {
  id: string
  name: string
  external_id: string | null
  created_at: number
  version: number
}

type Bare = Omit<DirectoryGroup, 'memberIds'>

const SAVE = `INSERT INTO directory_groups (id, name, external_id, created_at, version)
  VALUES (:id, :name, :externalId, :createdAt, :version)
  ON CONFLICT (id) DO UPDATE
  SET name = excluded.name, external_id = excluded.external_id, version = excluded.version`
const LEAVE = 'DELETE FROM directory_members WHERE group_id = ? AND user_id = ?'
const USERS: BulkTable = { name: 'users', key: { id: 'text' }, others: {} }
const MEMBERS: BulkTable = {
  name: 'directory_members',
  key: { group_id: 'text', user_id: 'text' },
  others: {},
}

export function createGroups(tools: SettingsTools): GroupStore {
  const { database, clock } = tools
  const rows = createRows<GroupRow, Bare>(tools, {
    table: 'directory_groups',
    columns: ['id', 'name', 'external_id', 'created_at', 'version'],
    order: 'created_at, id',
    fromRow,
    toFacts: (group) => toFacts(group),
    nameOf: ({ name }) => name,
    full: { max: tools.groupsMax, plural: 'groups', hint: 'Let fewer be provisioned.' },
  })

  const findIn = async (sql: Sql, id: string): Promise<DirectoryGroup | null> => {
    const group = await rows.find(id, sql)
    return group && { ...group, memberIds: (await readMembers(sql, id)).get(id) ?? [] }
  }

  return {
    create: (settings) =>
      database.transact(async (sql) => {
        await rows.requireRoom(sql)
        const id = `group_${randomBytes(8).toString('hex')}`
        return save(sql, tools, [null, { ...settings, id, createdAt: clock.now(), version: 0 }])
      }),

    list: () =>
      database.readSnapshot(async (sql) => {
        const members = await readMembers(sql, null)
        const groups = await rows.list(sql)
        return groups.map((group) => ({ ...group, memberIds: members.get(group.id) ?? [] }))
      }),

    async listOf(userId) {
      const text = `${rows.select}
        WHERE id IN (SELECT group_id FROM directory_members WHERE user_id = ?) ORDER BY id`
      return (await database.all<GroupRow>(text, [userId])).map(fromRow)
    },

    find: (id) => findIn(database, id),

    update: (id, settings, expected = null) =>
      database.transact(async (sql) => {
        const before = await findIn(sql, id)
        if (before === null) return null
        await requireVersion(sql, before, expected)
        return save(sql, tools, [before, { ...before, ...settings }])
      }),

    remove: (id, expected = null) =>
      database.transact(async (sql) => {
        const group = await findIn(sql, id)
        const members = group?.memberIds.length ?? 0
        await rows.removeIn(sql, { action: 'group.delete', id, expected }, async () => ({
          members,
        }))
        return group
      }),
  }
}

function fromRow({ external_id: externalId, created_at: createdAt, ...row }: GroupRow): Bare {
  return { ...row, externalId, createdAt }
}

function toFacts({ name, externalId }: Bare, memberIds?: readonly string[]): AuditFacts {
  return { name, external_id: externalId, ...(memberIds && { members: memberIds.length }) }
}

async function save(
  sql: Sql,
  { writeAudit }: SettingsTools,
  [before, after]: readonly [DirectoryGroup | null, DirectoryGroup],
): Promise<DirectoryGroup> {
  const [old, now] = [new Set(before?.memberIds), new Set(after.memberIds)]
  const [joined, left] = [[...now.difference(old)], [...old.difference(now)]]
  const { id, name: subjectName } = after
  const changes = toChanges(before && toFacts(before, [...old]), toFacts(after, [...now]))
  const isSame = Object.keys(changes).length === 0 && joined.length + left.length === 0
  if (before !== null && isSame) return before
  const action = before === null ? 'group.create' : 'group.update'
  const version = await writeAudit(sql, { action, subjectId: id, subjectName, changes })
  const { memberIds: _, ...row } = { ...after, version }
  await sql.run(SAVE, row)
  for (const userId of left) await sql.run(LEAVE, [id, userId])
  await requireUsers(sql, joined)
  await sql.insertMany({ into: MEMBERS, rows: joined.map((userId) => [id, userId]) })
  return { ...row, memberIds: [...now].toSorted() }
}

async function requireUsers(sql: Sql, ids: readonly string[]): Promise<void> {
  const keys = ids.map((id) => [id])
  const found = new Set((await sql.findMany<{ id: string }>(USERS, keys)).map(({ id }) => id))
  const unknown = ids.find((id) => !found.has(id))
  if (unknown === undefined) return
  throw new WeirError('invalid_argument', `There is no user ${unknown}.`, {
    hint: 'Provision users before the groups that they are in.',
  })
}

/** By group; null for all. */
async function readMembers(sql: Sql, groupId: string | null): Promise<Map<string, string[]>> {
  const where = groupId === null ? '' : 'WHERE group_id = ?'
  const text = `SELECT group_id, user_id FROM directory_members ${where} ORDER BY group_id, user_id`
  const pairs = await sql.lists<readonly [string, string]>(text, groupId === null ? [] : [groupId])
  const byGroup = Map.groupBy(pairs, ([id]) => id)
  return new Map([...byGroup].map(([id, list]) => [id, list.map(([, userId]) => userId)]))
}
