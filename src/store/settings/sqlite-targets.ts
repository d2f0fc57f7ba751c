// Whom alerts go to, in SQLite. A webhook's secret is kept as it is: it signs every message. Must stay true: no delivery
// stays pending to a target that is gone, or it would never end.

import { randomBytes } from 'node:crypto'
import type { AlertTarget } from '../../core/alert.ts'
import type { Clock } from '../../core/clock.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { SqliteFile } from '../sqlite-file.ts'
import { fromTargetRow } from './alert-rows.ts'
import type { TargetRow } from './alert-rows.ts'
import type { NewTarget, TargetStore } from './alert-store.ts'

/** What the Standard Webhooks scheme asks for at least. */
const SECRET_BYTES = 24

const COLUMNS = 'id, kind, address, budget_id, secret, created_at'

export interface SqliteTargetsOptions {
  readonly file: SqliteFile
  readonly clock: Clock
  readonly targetsMax: number
}

export function createSqliteTargets(options: SqliteTargetsOptions): TargetStore {
  const { file } = options
  const insert = prepareTargetInsert(options)
  const giveUp = file.prepare(`UPDATE alert_deliveries SET state = 'given_up', next_at = NULL
    WHERE next_at IS NOT NULL AND target_id = ?`)
  const selectAll = file.prepare<TargetRow>(
    `SELECT ${COLUMNS} FROM alert_targets ORDER BY created_at, rowid`,
  )
  const selectOne = file.prepare<TargetRow>(`SELECT ${COLUMNS} FROM alert_targets WHERE id = ?`)
  const remove = file.prepare<TargetRow>(
    `DELETE FROM alert_targets WHERE id = ? RETURNING ${COLUMNS}`,
  )

  return {
    async create({ budgetId, ...target }): Promise<AlertTarget> {
      return file.transact(() => insert(target, budgetId))
    },

    async createAll(targets, budgetId): Promise<readonly AlertTarget[]> {
      return file.transact(() => targets.map((target) => insert(target, budgetId)))
    },

    async list(): Promise<readonly AlertTarget[]> {
      return selectAll.all().map(fromTargetRow)
    },

    async find(id: string): Promise<AlertTarget | null> {
      const row = selectOne.first(id)
      return row === null ? null : fromTargetRow(row)
    },

    async remove(id: string): Promise<AlertTarget | null> {
      return file.transact(() => {
        const row = remove.first(id)
        if (row === null) return null
        giveUp.run(id)
        return fromTargetRow(row)
      })
    },
  }
}

/** What it returns runs only within a transaction: a budget comes together with its targets. */
export function prepareTargetInsert({ file, clock, targetsMax }: SqliteTargetsOptions) {
  const count = file.prepare<{ n: number }>('SELECT COUNT(*) AS n FROM alert_targets')
  const selectBudget = file.prepare('SELECT id FROM budgets WHERE id = ?')
  const insert = file.prepare(`INSERT INTO alert_targets (${COLUMNS})
    VALUES (:id, :kind, :address, :budget_id, :secret, :created_at)`)

  return ({ kind, address }: NewTarget, budgetId: string | null): AlertTarget => {
    // It may have been removed since its caller looked.
    if (budgetId !== null && selectBudget.first(budgetId) === null) throw noSuchBudget(budgetId)
    if (Number(count.first()?.n) >= targetsMax) throw createTooManyTargets(targetsMax)
    const row: TargetRow = {
      id: `tgt_${randomBytes(8).toString('hex')}`,
      kind,
      address,
      budget_id: budgetId,
      secret: kind === 'webhook' ? createSigningSecret() : null,
      created_at: clock.now(),
    }
    insert.run({ ...row })
    return fromTargetRow(row)
  }
}

/** Likewise: it goes together with them. */
export function prepareTargetsRemoval(file: SqliteFile): (budgetId: string) => void {
  const giveUp = file.prepare(`UPDATE alert_deliveries SET state = 'given_up', next_at = NULL
    WHERE next_at IS NOT NULL
      AND target_id IN (SELECT id FROM alert_targets WHERE budget_id = ?)`)
  const remove = file.prepare('DELETE FROM alert_targets WHERE budget_id = ?')
  return (budgetId) => {
    giveUp.run(budgetId)
    remove.run(budgetId)
  }
}

function createSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

function noSuchBudget(id: string): WeirError {
  return new WeirError('not_found', `There is no budget ${id}.`, {
    hint: 'Run weir budgets list to see the budgets there are.',
  })
}

function createTooManyTargets(targetsMax: number): WeirError {
  const message = `There are ${targetsMax} targets of alerts, the most the store holds.`
  return new WeirError('invalid_argument', message, {
    hint: 'Remove targets or budgets that nobody needs, or let one receiver pass alerts on.',
  })
}
