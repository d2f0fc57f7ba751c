// Budgets. Must stay true: every change raises the revision and is audited in the same
// transaction, or a polling ledger would continue with the old limit.

import { randomBytes } from 'node:crypto'
import type { AlertTarget } from '../../../core/alert.ts'
import type { Budget, BudgetSettings } from '../../../core/budget.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { NewTarget } from '../target-store.ts'
import { toBudgetFacts, toChanges } from './audit-changes.ts'
import { fromBudgetRow, toBudgetColumns } from './budget-rows.ts'
import type { BudgetRow } from './budget-rows.ts'
import type { BudgetChanges, BudgetStore } from '../budget-store.ts'
import type { Sql } from '../../sql/sql.ts'
import { toChangedColumns } from './settings-rows.ts'
import { raiseRevision, readRevision } from './revision.ts'
import { insertTarget, removeTargetsOf } from './targets.ts'
import type { TargetsOptions } from './targets.ts'
import { requireVersion } from './version-check.ts'

const COLUMNS = 'id, name, scope, period, limit_picos, thresholds, is_blocking, created_at, version'
// The same names as parameters: `:id, :name, …`.
const VALUES = COLUMNS.replaceAll(/\w+/g, ':$&')

const REVISION = 'budget_revision'
const SELECT_ALL = `SELECT ${COLUMNS} FROM budgets ORDER BY created_at, rowid`
const SELECT_ONE = `SELECT ${COLUMNS} FROM budgets WHERE id = ?`
const INSERT = `INSERT INTO budgets (${COLUMNS}) VALUES (${VALUES})`
const UPDATE = `UPDATE budgets SET (${COLUMNS}) = (${VALUES}) WHERE id = :id`

export interface BudgetsOptions extends TargetsOptions {
  /** The ledger goes through them for every call. */
  readonly budgetsMax: number
}

export function createBudgets(options: BudgetsOptions): BudgetStore {
  const { database, writeAudit } = options

  return {
    async create(settings: BudgetSettings, targets = []): Promise<Budget> {
      return database.transact((sql) => insertBudget(sql, options, { settings, targets }))
    },

    list: () => listBudgets(database),

    async find(id: string): Promise<Budget | null> {
      const row = await database.first<BudgetRow>(SELECT_ONE, [id])
      return row === null ? null : fromBudgetRow(row)
    },

    async update(id, change: Partial<BudgetSettings>, expected = null): Promise<Budget | null> {
      return database.transact(async (sql) => {
        const row = await sql.first<BudgetRow>(SELECT_ONE, [id])
        if (row === null) return null
        await requireVersion(sql, row, expected)
        const columns = toChangedColumns(row, toBudgetColumns(change))
        if (Object.keys(columns).length === 0) return fromBudgetRow(row)
        const changed = { ...row, ...columns }
        const facts = toBudgetFacts(fromBudgetRow(changed))
        const changes = toChanges(toBudgetFacts(fromBudgetRow(row)), facts)
        const subject = { subjectId: id, subjectName: changed.name }
        const version = await writeAudit(sql, { action: 'budget.update', ...subject, changes })
        await sql.run(UPDATE, { ...changed, version })
        await raiseRevision(sql, REVISION)
        return fromBudgetRow({ ...changed, version })
      })
    },

    async remove(id: string, expected = null): Promise<Budget | null> {
      return database.transact(async (sql) => {
        const row = await sql.first<BudgetRow>(SELECT_ONE, [id])
        if (row === null) return null
        await requireVersion(sql, row, expected)
        const targets = await removeTargetsOf(sql, id)
        await sql.run('DELETE FROM budgets WHERE id = ?', [id])
        await raiseRevision(sql, REVISION)
        const budget = fromBudgetRow(row)
        const changes = toChanges(toBudgetFacts(budget, targets), null)
        const subject = { subjectId: id, subjectName: budget.name }
        await writeAudit(sql, { action: 'budget.delete', ...subject, changes })
        return budget
      })
    },

    async readChanges(revision: number): Promise<BudgetChanges | null> {
      // A store behind its reader was restored from a backup, so any difference counts.
      if ((await readRevision(database, REVISION, database.epoch)) === revision) return null
      return database.readTogether(async (sql) => ({
        revision: await readRevision(sql, REVISION, database.epoch),
        budgets: await listBudgets(sql),
      }))
    },
  }
}

async function listBudgets(sql: Sql): Promise<readonly Budget[]> {
  return (await sql.all<BudgetRow>(SELECT_ALL)).map(fromBudgetRow)
}

interface NewBudget {
  readonly settings: BudgetSettings
  readonly targets: readonly NewTarget[]
}

async function insertBudget(
  sql: Sql,
  options: BudgetsOptions,
  { settings, targets: asked }: NewBudget,
): Promise<Budget> {
  const { clock, writeAudit, budgetsMax } = options
  const count = await sql.first<{ n: number }>('SELECT COUNT(*) AS n FROM budgets')
  if (Number(count?.n) >= budgetsMax) throw createTooManyBudgets(budgetsMax)
  const id = `bud_${randomBytes(8).toString('hex')}`
  const row: BudgetRow = { ...toBudgetColumns(settings), id, created_at: clock.now(), version: 0 }
  await sql.run(INSERT, { ...row })
  const targets: AlertTarget[] = []
  for (const target of asked) {
    targets.push(await insertTarget(sql, options, { ...target, budgetId: id }))
  }
  const changes = toChanges(null, toBudgetFacts(fromBudgetRow(row), targets))
  const subject = { subjectId: id, subjectName: row.name }
  const version = await writeAudit(sql, { action: 'budget.create', ...subject, changes })
  // Its targets need the budget, and the audit line needs its targets.
  await sql.run('UPDATE budgets SET version = ? WHERE id = ?', [version, id])
  await raiseRevision(sql, REVISION)
  return fromBudgetRow({ ...row, version })
}

function createTooManyBudgets(budgetsMax: number): WeirError {
  const message = `There are ${budgetsMax} budgets, the most the store takes.`
  return new WeirError('invalid_argument', message, {
    hint: 'Remove some with weir budgets delete, or let one budget cover more.',
  })
}
