// Saved views. Must stay true: a change and its audit line are one transaction.

import { randomBytes } from 'node:crypto'
import { assert } from '../../../core/assert.ts'
import type { Clock } from '../../../core/clock.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { VIEW_CODEC } from '../../../resources/codecs.ts'
import type { ColumnsOf } from '../../../resources/field.ts'
import type { VIEW_FIELDS } from '../../../resources/view.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import type { SavedView, ViewStore } from '../view-store.ts'
import { toChanges, toViewFacts } from './audit-changes.ts'
import type { WriteAudit } from './audit.ts'

export interface ViewsOptions {
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly writeAudit: WriteAudit
  readonly viewsPerUserMax: number
  readonly sharedViewsMax: number
}

interface ViewRow extends ColumnsOf<typeof VIEW_FIELDS> {
  id: string
  user_id: string
  created_at: number
  updated_at: number
}

type ShownRow = ViewRow & { owner_name: string }

const SELECT = `SELECT saved_views.*, users.name AS owner_name
  FROM saved_views JOIN users ON users.id = saved_views.user_id`

export function createViews(options: ViewsOptions): ViewStore {
  const { database } = options
  return {
    create: createCreate(options),
    async list(userId) {
      const text = `${SELECT} WHERE is_shared = 1 OR user_id = ?
        ORDER BY saved_views.name, saved_views.id`
      return (await database.all<ShownRow>(text, [userId])).map(fromRow)
    },
    find: (id) => find(database, id),
    update: createUpdate(options),
    remove: createRemove(options),
  }
}

async function find(sql: Sql, id: string): Promise<SavedView | null> {
  const row = await sql.first<ShownRow>(`${SELECT} WHERE saved_views.id = ?`, [id])
  return row === null ? null : fromRow(row)
}

function createCreate(options: ViewsOptions): ViewStore['create'] {
  const { database, clock, writeAudit, viewsPerUserMax, sharedViewsMax } = options
  const insert = `INSERT INTO saved_views
    (id, user_id, page, name, query, is_shared, created_at, updated_at)
    VALUES (:id, :user_id, :page, :name, :query, :is_shared, :now, :now)`
  return (userId, settings) =>
    database.transact(async (sql) => {
      await requireUser(sql, userId)
      await requireRoom(sql, userId, viewsPerUserMax)
      const id = `view_${randomBytes(8).toString('hex')}`
      await requireFreeName(sql, { id, userId, ...settings })
      if (settings.isShared) await requireSharedRoom(sql, sharedViewsMax)
      const columns = { id, user_id: userId, ...VIEW_CODEC.toColumns(settings) }
      await sql.run(insert, { ...columns, now: clock.now() })
      const view = await find(sql, id)
      assert(view !== null, 'a view that was written is there')
      const changes = toChanges(null, toViewFacts(view))
      await writeAudit(sql, {
        action: 'view.create',
        subjectId: id,
        subjectName: view.name,
        changes,
      })
      return view
    })
}

function createUpdate(options: ViewsOptions): ViewStore['update'] {
  const { database, clock, writeAudit, sharedViewsMax } = options
  const update = `UPDATE saved_views
    SET name = :name, query = :query, is_shared = :is_shared, updated_at = :now WHERE id = :id`
  return (id, change) =>
    database.transact(async (sql) => {
      const view = await find(sql, id)
      if (view === null) return null
      const changed: SavedView = { ...view, ...change }
      const changes = toChanges(toViewFacts(view), toViewFacts(changed))
      if (Object.keys(changes).length === 0) return view
      await requireFreeName(sql, changed)
      if (changed.isShared && !view.isShared) await requireSharedRoom(sql, sharedViewsMax)
      const now = clock.now()
      const { page: _, ...columns } = VIEW_CODEC.toColumns(changed)
      await sql.run(update, { id, ...columns, now })
      const subject = { subjectId: id, subjectName: changed.name }
      await writeAudit(sql, { action: 'view.update', ...subject, changes })
      return { ...changed, updatedAt: now }
    })
}

function createRemove({ database, writeAudit }: ViewsOptions): ViewStore['remove'] {
  return (id) =>
    database.transact(async (sql) => {
      const view = await find(sql, id)
      if (view === null) return null
      await sql.run('DELETE FROM saved_views WHERE id = ?', [id])
      const changes = toChanges(toViewFacts(view), null)
      const subject = { subjectId: id, subjectName: view.name }
      await writeAudit(sql, { action: 'view.delete', ...subject, changes })
      return view
    })
}

// The checks run inside the transaction of the change.

async function requireUser(sql: Sql, userId: string): Promise<void> {
  // They may have been removed since their request came.
  if ((await sql.first('SELECT id FROM users WHERE id = ?', [userId])) !== null) return
  throw new WeirError('not_found', 'There is no such user.', { hint: 'Sign in again.' })
}

async function requireRoom(sql: Sql, userId: string, viewsPerUserMax: number): Promise<void> {
  const text = 'SELECT COUNT(*) AS n FROM saved_views WHERE user_id = ?'
  const own = await sql.first<{ n: number }>(text, [userId])
  if (Number(own?.n) < viewsPerUserMax) return
  throw refuse(`You have ${viewsPerUserMax} saved views, the most there can be.`, {
    hint: 'Delete one that is not needed.',
  })
}

async function requireSharedRoom(sql: Sql, sharedViewsMax: number): Promise<void> {
  const text = 'SELECT COUNT(*) AS n FROM saved_views WHERE is_shared = 1'
  const shared = await sql.first<{ n: number }>(text)
  if (Number(shared?.n) < sharedViewsMax) return
  throw refuse(`There are ${sharedViewsMax} shared views, the most there can be.`, {
    hint: 'Keep this one to yourself, or stop sharing one that is not needed.',
  })
}

type NamedView = Pick<SavedView, 'id' | 'userId' | 'page' | 'name'>

async function requireFreeName(sql: Sql, { id, userId, page, name }: NamedView): Promise<void> {
  const text = 'SELECT id FROM saved_views WHERE user_id = ? AND page = ? AND name = ? AND id <> ?'
  if ((await sql.first(text, [userId, page, name, id])) === null) return
  throw refuse('The owner has a saved view of this name already.', {
    hint: 'Choose another name, or change that view.',
  })
}

function refuse(message: string, options: { readonly hint: string }): WeirError {
  return new WeirError('invalid_argument', message, options)
}

function fromRow(row: ShownRow): SavedView {
  return {
    id: row.id,
    userId: row.user_id,
    ownerName: row.owner_name,
    ...VIEW_CODEC.fromColumns(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
