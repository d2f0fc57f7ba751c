// Saved views. Must stay true: a change and its audit line are one transaction.

import { randomBytes } from 'node:crypto'
import { WeirError } from '../../../core/weir-error.ts'
import { VIEW_CODEC } from '../../../resources/codecs.ts'
import type { ColumnsOf } from '../../../resources/field.ts'
import type { VIEW_FIELDS } from '../../../resources/view.ts'
import type { Sql } from '../../sql/sql.ts'
import type { SavedView, ViewStore } from '../view-store.ts'
import { toMembers } from '../../sql/members.ts'
import { createRows } from './noun-rows.ts'
import type { SettingsTools } from './tools.ts'

interface ViewRow extends ColumnsOf<typeof VIEW_FIELDS> {
  id: string
  user_id: string
  created_at: number
  updated_at: number
  /** Of the user. */
  owner_name: string
}

const OWN_COLUMNS = ['id', 'user_id', 'created_at', 'updated_at'] as const

export function createViews(tools: SettingsTools): ViewStore {
  const { database, clock, viewsPerUserMax, sharedViewsMax } = tools
  const rows = createRows<ViewRow, SavedView>(tools, {
    table: 'saved_views',
    columns: [...OWN_COLUMNS, ...VIEW_CODEC.columns],
    select: `SELECT saved_views.*, users.name AS owner_name
      FROM saved_views JOIN users ON users.id = saved_views.user_id`,
    order: 'saved_views.name, saved_views.id',
    fromRow,
    toFacts: (view) => VIEW_CODEC.toFacts(view),
    nameOf: ({ name }) => name,
    raise: async () => ({ updated_at: clock.now() }),
  })

  async function check(sql: Sql, before: ViewRow | null, after: ViewRow): Promise<void> {
    await requireFreeName(sql, after)
    if (after.is_shared === 1 && before?.is_shared !== 1) {
      await requireSharedRoom(sql, sharedViewsMax)
    }
  }

  return {
    create: (userId, settings) =>
      database.transact(async (sql) => {
        const find = 'SELECT name FROM users WHERE id = ?'
        const user = await sql.first<{ name: string }>(find, [userId])
        // They may have been removed since their request came.
        if (user === null) throw noSuchUser()
        await requireRoom(sql, userId, viewsPerUserMax)
        const id = `view_${randomBytes(8).toString('hex')}`
        const times = { created_at: clock.now(), updated_at: clock.now() }
        const owner = { user_id: userId, owner_name: user.name }
        const row = { id, ...owner, ...VIEW_CODEC.toColumns(settings), ...times }
        await check(sql, null, row)
        return rows.insert(sql, row, { action: 'view.create' })
      }),
    async list(userId) {
      const text = `${rows.select} WHERE is_shared = 1 OR user_id = ?
        ORDER BY saved_views.name, saved_views.id`
      return (await database.all<ViewRow>(text, [userId])).map(fromRow)
    },
    find: (id) => rows.find(id),
    update: (id, change) =>
      rows.change(
        { action: 'view.update', id },
        { toColumns: () => VIEW_CODEC.toColumns(change), check },
      ),
    remove: (id) => rows.remove({ action: 'view.delete', id }),
  }
}

// The checks run inside the transaction of the change.

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

async function requireFreeName(sql: Sql, { id, user_id, page, name }: ViewRow): Promise<void> {
  const text = 'SELECT id FROM saved_views WHERE user_id = ? AND page = ? AND name = ? AND id <> ?'
  if ((await sql.first(text, [user_id, page, name, id])) === null) return
  throw refuse('The owner has a saved view of this name already.', {
    hint: 'Choose another name, or change that view.',
  })
}

function refuse(message: string, options: { readonly hint: string }): WeirError {
  return new WeirError('invalid_argument', message, options)
}

function noSuchUser(): WeirError {
  return new WeirError('not_found', 'There is no such user.', { hint: 'Sign in again.' })
}

function fromRow(row: ViewRow): SavedView {
  const own = toMembers(row, [...OWN_COLUMNS, 'owner_name'])
  return { ...own, ...VIEW_CODEC.fromColumns(row) }
}
