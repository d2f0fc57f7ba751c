// Saved views. Must stay true: a change and its audit line are one transaction.

import { randomBytes } from 'node:crypto'
import { assert } from '../../../core/assert.ts'
import type { Clock } from '../../../core/clock.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { VIEW_PAGES } from '../view-store.ts'
import type { SavedView, ViewSettings, ViewStore } from '../view-store.ts'
import { toChanges, toViewFacts } from './audit-changes.ts'
import type { WriteAudit, WriteAuditNow } from './audit.ts'

export interface ViewsOptions {
  readonly file: SqliteFile
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly writeAuditNow: WriteAuditNow
  readonly writeAudit: WriteAudit
  readonly viewsPerUserMax: number
  readonly sharedViewsMax: number
}

interface ViewRow {
  id: string
  user_id: string
  page: string
  name: string
  query: string
  is_shared: number
  created_at: number
  updated_at: number
}

type ShownRow = ViewRow & { owner_name: string }

const SELECT = `SELECT saved_views.*, users.name AS owner_name
  FROM saved_views JOIN users ON users.id = saved_views.user_id`

export function createViews(options: ViewsOptions): ViewStore {
  const { file } = options
  const selectAll = file.prepareOnce<ShownRow>(
    `${SELECT} WHERE is_shared = 1 OR user_id = ? ORDER BY saved_views.name, saved_views.id`,
  )
  const find = prepareFind(file)
  return {
    create: prepareCreate(options),
    list: async (userId) => selectAll.all(userId).map(fromRow),
    find: async (id) => find(id),
    update: prepareUpdate(options),
    remove: prepareRemove(options),
  }
}

function prepareFind(file: SqliteFile): (id: string) => SavedView | null {
  const selectOne = file.prepareOnce<ShownRow>(`${SELECT} WHERE saved_views.id = ?`)
  return (id) => {
    const row = selectOne.first(id)
    return row === null ? null : fromRow(row)
  }
}

function prepareCreate(options: ViewsOptions): ViewStore['create'] {
  const { file, clock, writeAuditNow } = options
  const check = prepareChecks(options)
  const find = prepareFind(file)
  const insert = file.prepareOnce(`INSERT INTO saved_views
    (id, user_id, page, name, query, is_shared, created_at, updated_at)
    VALUES (:id, :user_id, :page, :name, :query, :is_shared, :now, :now)`)
  return async (userId, settings) =>
    file.transact(() => {
      check.user(userId)
      check.room(userId)
      const id = `view_${randomBytes(8).toString('hex')}`
      check.freeName({ id, userId, ...settings })
      if (settings.isShared) check.sharedRoom()
      const { name, page } = settings
      insert.run({ id, user_id: userId, name, page, ...toColumns(settings), now: clock.now() })
      const view = find(id)
      assert(view !== null, 'a view that was written is there')
      const changes = toChanges(null, toViewFacts(view))
      writeAuditNow({ action: 'view.create', subjectId: id, subjectName: name, changes })
      return view
    })
}

function prepareUpdate(options: ViewsOptions): ViewStore['update'] {
  const { file, clock, writeAuditNow } = options
  const check = prepareChecks(options)
  const find = prepareFind(file)
  const update = file.prepareOnce(`UPDATE saved_views
    SET name = :name, query = :query, is_shared = :is_shared, updated_at = :now WHERE id = :id`)
  return async (id, { name, query, isShared }) =>
    file.transact(() => {
      const view = find(id)
      if (view === null) return null
      const changed: SavedView = {
        ...view,
        name: name ?? view.name,
        query: query ?? view.query,
        isShared: isShared ?? view.isShared,
      }
      const changes = toChanges(toViewFacts(view), toViewFacts(changed))
      if (Object.keys(changes).length === 0) return view
      check.freeName(changed)
      if (changed.isShared && !view.isShared) check.sharedRoom()
      const now = clock.now()
      update.run({ id, name: changed.name, ...toColumns(changed), now })
      writeAuditNow({ action: 'view.update', subjectId: id, subjectName: changed.name, changes })
      return { ...changed, updatedAt: now }
    })
}

function prepareRemove({ file, writeAuditNow }: ViewsOptions): ViewStore['remove'] {
  const find = prepareFind(file)
  const remove = file.prepareOnce('DELETE FROM saved_views WHERE id = ?')
  return async (id) =>
    file.transact(() => {
      const view = find(id)
      if (view === null) return null
      remove.run(id)
      const changes = toChanges(toViewFacts(view), null)
      writeAuditNow({ action: 'view.delete', subjectId: id, subjectName: view.name, changes })
      return view
    })
}

/** Run only inside a transaction. */
function prepareChecks({ file, viewsPerUserMax, sharedViewsMax }: ViewsOptions) {
  const selectUser = file.prepareOnce('SELECT id FROM users WHERE id = ?')
  const countOwn = file.prepareOnce<{ n: number }>(
    'SELECT COUNT(*) AS n FROM saved_views WHERE user_id = ?',
  )
  const countShared = file.prepareOnce<{ n: number }>(
    'SELECT COUNT(*) AS n FROM saved_views WHERE is_shared = 1',
  )
  const selectSame = file.prepareOnce(
    'SELECT id FROM saved_views WHERE user_id = ? AND page = ? AND name = ? AND id <> ?',
  )
  return {
    user(userId: string): void {
      // They may have been removed since their request came.
      if (selectUser.first(userId) !== null) return
      throw new WeirError('not_found', 'There is no such user.', { hint: 'Sign in again.' })
    },
    room(userId: string): void {
      if (Number(countOwn.first(userId)?.n) < viewsPerUserMax) return
      throw refuse(`You have ${viewsPerUserMax} saved views, the most there can be.`, {
        hint: 'Delete one that is not needed.',
      })
    },
    sharedRoom(): void {
      if (Number(countShared.first()?.n) < sharedViewsMax) return
      throw refuse(`There are ${sharedViewsMax} shared views, the most there can be.`, {
        hint: 'Keep this one to yourself, or stop sharing one that is not needed.',
      })
    },
    freeName(view: Pick<SavedView, 'id' | 'userId' | 'page' | 'name'>): void {
      const { id, userId, page, name } = view
      if (selectSame.first(userId, page, name, id) === null) return
      throw refuse('The owner has a saved view of this name already.', {
        hint: 'Choose another name, or change that view.',
      })
    },
  }
}

function refuse(message: string, options: { readonly hint: string }): WeirError {
  return new WeirError('invalid_argument', message, options)
}

function toColumns({ query, isShared }: ViewSettings) {
  return { query, is_shared: isShared ? 1 : 0 }
}

function fromRow(row: ShownRow): SavedView {
  const page = VIEW_PAGES.find((each) => each === row.page)
  assert(page !== undefined, 'a stored view is of a known page')
  return {
    id: row.id,
    userId: row.user_id,
    ownerName: row.owner_name,
    page,
    name: row.name,
    query: row.query,
    isShared: row.is_shared === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
