// Budgets. Must stay true: every change raises the revision and is audited in the same
// transaction, or a polling ledger would continue with the old limit.

import { randomBytes } from 'node:crypto'
import type { AlertTarget } from '../../../core/alert.ts'
import type { Budget, BudgetSettings } from '../../../core/budget.ts'
import { BUDGET_CODEC } from '../../../resources/codecs.ts'
import type { NewTarget } from '../target-store.ts'
import { toBudgetFacts, toChanges } from './audit-changes.ts'
import type { BudgetChanges, BudgetStore, TargetChange } from '../budget-store.ts'
import type { Sql } from '../../sql/sql.ts'
import type { WriteAudit } from './audit.ts'
import { createRows } from './noun-rows.ts'
import { fromBudgetRow } from './settings-rows.ts'
import type { BudgetRow } from './settings-rows.ts'
import { raiseRevision, readRevision } from './revision.ts'
import { createTarget, insertTarget, removeTarget, removeTargetsOf } from './targets.ts'
import type { TargetsOptions } from './targets.ts'
import { requireVersion } from './version-check.ts'

const REVISION = 'budget_revision'
const NO_TARGETS: TargetChange = { added: [], removed: [] }

export interface BudgetsOptions extends TargetsOptions {
  /** The ledger goes through them for every call. */
  readonly budgetsMax: number
}

function createBudgetRows(writeAudit: WriteAudit) {
  return createRows<BudgetRow, Budget>(
    {
      table: 'budgets',
      columns: ['id', 'created_at', 'version', ...BUDGET_CODEC.columns],
      order: 'created_at, rowid',
      fromRow: fromBudgetRow,
      toFacts: toBudgetFacts,
      nameOf: ({ name }) => name,
      full: {
        plural: 'budgets',
        hint: 'Remove some with weir budgets delete, or let one budget cover more.',
      },
      raise: async (sql) => {
        await raiseRevision(sql, REVISION)
        return {}
      },
    },
    writeAudit,
  )
}

export function createBudgets(options: BudgetsOptions): BudgetStore {
  const { database, writeAudit } = options
  const rows = createBudgetRows(writeAudit)

  return {
    async create(settings: BudgetSettings, targets = []): Promise<Budget> {
      return database.transact((sql) => insertBudget(sql, options, { rows, settings, targets }))
    },

    list: () => rows.list(database),

    find: (id) => rows.find(database, id),

    async update(id, change, expected = null, targets = NO_TARGETS): Promise<Budget | null> {
      const asked = { action: 'budget.update', id, expected } as const
      const toColumns = () => BUDGET_CODEC.toColumns(change)
      return database.transact(async (sql) => {
        const budget = await rows.change(sql, asked, { toColumns })
        if (budget === null) return null
        for (const target of targets.removed) await removeTarget(sql, options, target)
        for (const target of targets.added) {
          await createTarget(sql, options, { ...target, budgetId: id })
        }
        return budget
      })
    },

    async remove(id: string, expected = null): Promise<Budget | null> {
      return database.transact(async (sql) => {
        const row = await rows.readRow(sql, id)
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
      return database.readSnapshot(async (sql) => ({
        revision: await readRevision(sql, REVISION, database.epoch),
        budgets: await rows.list(sql),
      }))
    },
  }
}

interface NewBudget {
  readonly rows: ReturnType<typeof createBudgetRows>
  readonly settings: BudgetSettings
  readonly targets: readonly NewTarget[]
}

async function insertBudget(
  sql: Sql,
  options: BudgetsOptions,
  { rows, settings, targets: asked }: NewBudget,
): Promise<Budget> {
  const { clock, writeAudit, budgetsMax } = options
  await rows.requireRoom(sql, budgetsMax)
  const id = `bud_${randomBytes(8).toString('hex')}`
  const row: BudgetRow = {
    ...BUDGET_CODEC.toColumns(settings),
    id,
    created_at: clock.now(),
    version: 0,
  }
  await rows.insertRow(sql, row)
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
