// Budgets. Must stay true: every change raises the revision and is audited in the same
// transaction, or a polling ledger would continue with the old limit.

import { randomBytes } from 'node:crypto'
import type { Budget, BudgetSettings } from '../../../core/budget.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { NewTarget } from '../target-store.ts'
import { toBudgetFacts, toChanges } from './audit-changes.ts'
import { fromBudgetRow, toBudgetColumns } from './budget-rows.ts'
import type { BudgetRow } from './budget-rows.ts'
import type { BudgetChanges, BudgetStore } from '../budget-store.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import { toChangedColumns } from './settings-rows.ts'
import { prepareRevision } from './revision.ts'
import { prepareTargetInsert, prepareTargetsRemoval } from './targets.ts'
import type { TargetsOptions } from './targets.ts'
import { prepareVersionCheckNow } from './version-check.ts'

const COLUMNS = 'id, name, scope, period, limit_picos, thresholds, is_blocking, created_at, version'
// The same names as parameters: `:id, :name, …`.
const VALUES = COLUMNS.replaceAll(/\w+/g, ':$&')

export interface BudgetsOptions extends TargetsOptions {
  /** The ledger goes through them for every call. */
  readonly budgetsMax: number
}

export function createBudgets(options: BudgetsOptions): BudgetStore {
  const { file, writeAuditNow } = options
  const revisions = prepareRevision(file, 'budget_revision')
  const insert = prepareBudgetInsert(options)
  const requireVersion = prepareVersionCheckNow(file)
  const removeTargetsOf = prepareTargetsRemoval(file)
  const selectAll = file.prepareOnce<BudgetRow>(
    `SELECT ${COLUMNS} FROM budgets ORDER BY created_at, rowid`,
  )
  const selectOne = file.prepareOnce<BudgetRow>(`SELECT ${COLUMNS} FROM budgets WHERE id = ?`)
  const update = file.prepareOnce(`UPDATE budgets SET (${COLUMNS}) = (${VALUES}) WHERE id = :id`)
  const remove = file.prepareOnce('DELETE FROM budgets WHERE id = ?')

  return {
    async create(settings: BudgetSettings, targets = []): Promise<Budget> {
      return file.transact(() => {
        const budget = insert(settings, targets)
        revisions.raise()
        return budget
      })
    },

    async list(): Promise<readonly Budget[]> {
      return selectAll.all().map(fromBudgetRow)
    },

    async find(id: string): Promise<Budget | null> {
      const row = selectOne.first(id)
      return row === null ? null : fromBudgetRow(row)
    },

    async update(id, change: Partial<BudgetSettings>, expected = null): Promise<Budget | null> {
      return file.transact(() => {
        const row = selectOne.first(id)
        if (row === null) return null
        requireVersion(row, expected)
        const columns = toChangedColumns(row, toBudgetColumns(change))
        if (Object.keys(columns).length === 0) return fromBudgetRow(row)
        const changed = { ...row, ...columns }
        const facts = toBudgetFacts(fromBudgetRow(changed))
        const changes = toChanges(toBudgetFacts(fromBudgetRow(row)), facts)
        const subject = { subjectId: id, subjectName: changed.name }
        const version = writeAuditNow({ action: 'budget.update', ...subject, changes })
        update.run({ ...changed, version })
        revisions.raise()
        return fromBudgetRow({ ...changed, version })
      })
    },

    async remove(id: string, expected = null): Promise<Budget | null> {
      return file.transact(() => {
        const row = selectOne.first(id)
        if (row === null) return null
        requireVersion(row, expected)
        const targets = removeTargetsOf(id)
        remove.run(id)
        revisions.raise()
        const budget = fromBudgetRow(row)
        const changes = toChanges(toBudgetFacts(budget, targets), null)
        writeAuditNow({ action: 'budget.delete', subjectId: id, subjectName: budget.name, changes })
        return budget
      })
    },

    async readChanges(revision: number): Promise<BudgetChanges | null> {
      // A store behind its reader was restored from a backup, so any difference counts.
      if (revisions.read() === revision) return null
      return readTogether(file, () => ({
        revision: revisions.read(),
        budgets: selectAll.all().map(fromBudgetRow),
      }))
    },
  }
}

function prepareBudgetInsert(options: BudgetsOptions) {
  const { file, clock, writeAuditNow, budgetsMax } = options
  const insertTarget = prepareTargetInsert(options)
  const count = file.prepareOnce<{ n: number }>('SELECT COUNT(*) AS n FROM budgets')
  const insert = file.prepareOnce(`INSERT INTO budgets (${COLUMNS}) VALUES (${VALUES})`)
  // Its targets need the budget, and the audit line needs its targets.
  const setVersion = file.prepareOnce('UPDATE budgets SET version = ? WHERE id = ?')

  return (settings: BudgetSettings, asked: readonly NewTarget[]): Budget => {
    if (Number(count.first()?.n) >= budgetsMax) throw createTooManyBudgets(budgetsMax)
    const id = `bud_${randomBytes(8).toString('hex')}`
    const row: BudgetRow = { ...toBudgetColumns(settings), id, created_at: clock.now(), version: 0 }
    insert.run({ ...row })
    const targets = asked.map((target) => insertTarget(target, id))
    const changes = toChanges(null, toBudgetFacts(fromBudgetRow(row), targets))
    const subject = { subjectId: id, subjectName: row.name }
    const version = writeAuditNow({ action: 'budget.create', ...subject, changes })
    setVersion.run(version, id)
    return fromBudgetRow({ ...row, version })
  }
}

function createTooManyBudgets(budgetsMax: number): WeirError {
  const message = `There are ${budgetsMax} budgets, the most the store takes.`
  return new WeirError('invalid_argument', message, {
    hint: 'Remove some with weir budgets delete, or let one budget cover more.',
  })
}
