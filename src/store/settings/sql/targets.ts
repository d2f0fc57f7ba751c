// Alert targets. A webhook's secret is stored as it is: it signs every message. Must stay
// true: no delivery stays pending to a removed target, and changes are audited in their
// transaction.

import { randomBytes } from 'node:crypto'
import { toSafeAddress } from '../../../core/alert.ts'
import type { AlertTarget } from '../../../core/alert.ts'
import type { Clock } from '../../../core/clock.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { fromTargetRow } from './alert-rows.ts'
import type { TargetRow } from './alert-rows.ts'
import type { NewTarget, TargetStore } from '../target-store.ts'
import { toChanges, toTargetFacts } from './audit-changes.ts'
import type { WriteAudit, WriteAuditNow } from './audit.ts'

/** The minimum of the Standard Webhooks scheme. */
const SECRET_BYTES = 24

const COLUMNS = 'id, kind, address, budget_id, secret, created_at'

export interface TargetsOptions {
  readonly file: SqliteFile
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly writeAuditNow: WriteAuditNow
  readonly writeAudit: WriteAudit
  readonly targetsMax: number
}

export function createTargets(options: TargetsOptions): TargetStore {
  const { file, writeAuditNow } = options
  const insert = prepareTargetInsert(options)
  const giveUp = file.prepareOnce(`UPDATE alert_deliveries SET state = 'given_up', next_at = NULL
    WHERE next_at IS NOT NULL AND target_id = ?`)
  const selectAll = file.prepareOnce<TargetRow>(
    `SELECT ${COLUMNS} FROM alert_targets ORDER BY created_at, rowid`,
  )
  const selectOne = file.prepareOnce<TargetRow>(`SELECT ${COLUMNS} FROM alert_targets WHERE id = ?`)
  const remove = file.prepareOnce<TargetRow>(
    `DELETE FROM alert_targets WHERE id = ? RETURNING ${COLUMNS}`,
  )

  function create(asked: NewTarget, budgetId: string | null): AlertTarget {
    const target = insert(asked, budgetId)
    const changes = toChanges(null, toTargetFacts(target))
    writeAuditNow({ action: 'target.create', ...toSubject(target), changes })
    return target
  }

  return {
    async create({ budgetId, ...target }): Promise<AlertTarget> {
      return file.transact(() => create(target, budgetId))
    },

    async createAll(targets, budgetId): Promise<readonly AlertTarget[]> {
      return file.transact(() => targets.map((target) => create(target, budgetId)))
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
        const target = fromTargetRow(row)
        const changes = toChanges(toTargetFacts(target), null)
        writeAuditNow({ action: 'target.delete', ...toSubject(target), changes })
        return target
      })
    },
  }
}

function toSubject(target: AlertTarget) {
  return { subjectId: target.id, subjectName: toSafeAddress(target) }
}

/** Runs only inside a transaction: a budget is created together with its targets. */
export function prepareTargetInsert({
  file,
  clock,
  targetsMax,
}: Omit<TargetsOptions, 'writeAuditNow'>) {
  const count = file.prepareOnce<{ n: number }>('SELECT COUNT(*) AS n FROM alert_targets')
  const selectBudget = file.prepareOnce('SELECT id FROM budgets WHERE id = ?')
  const insert = file.prepareOnce(`INSERT INTO alert_targets (${COLUMNS})
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

/** Runs only inside the budget's transaction. Returns the removed targets. */
export function prepareTargetsRemoval(
  file: SqliteFile,
): (budgetId: string) => readonly AlertTarget[] {
  const giveUp = file.prepareOnce(`UPDATE alert_deliveries SET state = 'given_up', next_at = NULL
    WHERE next_at IS NOT NULL
      AND target_id IN (SELECT id FROM alert_targets WHERE budget_id = ?)`)
  const remove = file.prepareOnce<TargetRow>(
    `DELETE FROM alert_targets WHERE budget_id = ? RETURNING ${COLUMNS}`,
  )
  return (budgetId) => {
    giveUp.run(budgetId)
    return remove.all(budgetId).map(fromTargetRow)
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
  const message = `There are ${targetsMax} targets of alerts, the most the store takes.`
  return new WeirError('invalid_argument', message, {
    hint: 'Remove targets or budgets that are not needed, or let one receiver pass alerts on.',
  })
}
