// Budgets. Must stay true: every change raises the revision and is audited in the same
// transaction, or a polling ledger would continue with the old limit.

import { randomBytes } from 'node:crypto'
import type { AlertTarget } from '../../../core/alert.ts'
import { OWN_LIMITS_MAX } from '../../../core/budget.ts'
import type { Budget, BudgetSettings } from '../../../core/budget.ts'
import type { BUDGET_FIELDS } from '../../../resources/budget.ts'
import { BUDGET_CODEC } from '../../../resources/codecs.ts'
import type { ColumnsOf } from '../../../resources/field.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { Sql } from '../../sql/sql.ts'
import type { BudgetStore, TargetChange } from '../budget-store.ts'
import type { NewTarget } from '../target-store.ts'
import { toBudgetFacts, toBudgetTargets } from './audit-changes.ts'
import { toMembers } from '../../sql/members.ts'
import { createRows } from './noun-rows.ts'
import { raiseRevision, readRevision } from './revision.ts'
import { createTarget, insertTarget, removeTarget, removeTargetsOf } from './targets.ts'
import type { SettingsTools } from './tools.ts'

const REVISION = 'budget_revision'
const NO_TARGETS: TargetChange = { added: [], removed: [] }

interface BudgetRow extends ColumnsOf<typeof BUDGET_FIELDS> {
  id: string
  created_at: number
  version: number
  /** The id of a team. */
  default_of: string | null
  /** JSON: picos as text, by member. */
  own_limits: string
}

const OWN_COLUMNS = ['id', 'created_at', 'version'] as const

function fromRow(row: BudgetRow): Budget {
  return {
    ...toMembers(row, OWN_COLUMNS),
    ...BUDGET_CODEC.fromColumns(row),
    ...(row.default_of !== null && { defaultOf: row.default_of }),
    ...(row.own_limits !== '{}' && { ownLimits: parseOwnLimits(row) }),
  }
}

function createBudgetRows(tools: SettingsTools) {
  return createRows<BudgetRow, Budget>(tools, {
    table: 'budgets',
    columns: [...OWN_COLUMNS, 'default_of', 'own_limits', ...BUDGET_CODEC.columns],
    order: 'created_at, rowid',
    fromRow,
    toFacts: toBudgetFacts,
    nameOf: ({ name }) => name,
    full: {
      max: tools.budgetsMax,
      plural: 'budgets',
      hint: 'Remove some with weir budgets delete, or let one budget cover more.',
    },
    raise: async (sql) => void (await raiseRevision(sql, REVISION)),
  })
}

/** In the transaction that makes it, with all its targets. */
export async function insertBudget(
  sql: Sql,
  tools: SettingsTools,
  { settings, targets: asked = [], defaultOf = null }: AskedBudget,
): Promise<Budget> {
  const rows = createBudgetRows(tools)
  await rows.requireRoom(sql)
  if (defaultOf !== null) await requireFirst(sql, defaultOf)
  const id = `bud_${randomBytes(8).toString('hex')}`
  const fixed = { id, created_at: tools.clock.now(), version: 0, default_of: defaultOf }
  const row: BudgetRow = { ...BUDGET_CODEC.toColumns(settings), ...fixed, own_limits: '{}' }
  await rows.insertRow(sql, row)
  const targets: AlertTarget[] = []
  for (const target of asked) {
    targets.push(await insertTarget(sql, tools, { ...target, budgetId: id }))
  }
  const entry = rows.toEntry('budget.create', [null, row], toBudgetTargets(targets))
  const version = await tools.writeAudit(sql, entry)
  // Its targets need the budget, and the audit line needs its targets.
  await sql.run('UPDATE budgets SET version = ? WHERE id = ?', [version, id])
  await raiseRevision(sql, REVISION)
  return fromRow({ ...row, version })
}

interface AskedBudget {
  readonly settings: BudgetSettings
  readonly targets?: readonly NewTarget[]
  readonly defaultOf?: string | null | undefined
}

function parseOwnLimits({ own_limits: text }: BudgetRow): Record<string, string> {
  return JSON.parse(text) as Record<string, string>
}

function requireOwnRoom(limits: object): void {
  if (Object.keys(limits).length <= OWN_LIMITS_MAX) return
  const message = `${OWN_LIMITS_MAX} have a limit of their own, the most of one budget.`
  throw new WeirError('invalid_argument', message, { hint: 'Raise the limit of all of them.' })
}

async function requireFirst(sql: Sql, teamId: string): Promise<void> {
  const text = 'SELECT id FROM budgets WHERE default_of = ?'
  if ((await sql.first(text, [teamId])) === null) return
  throw new WeirError('invalid_argument', 'The team gives its keys a budget already.', {
    hint: 'Change that one.',
  })
}

/** It is for each key of its team, or is none. */
async function checkDefault(_sql: Sql, before: BudgetRow, after: BudgetRow): Promise<void> {
  const isKept = before.scope === after.scope && before.each === after.each
  if (before.default_of === null || isKept) return
  throw new WeirError('invalid_argument', 'It is what a team gives each of its keys.', {
    hint: 'Leave its scope and whom it is for, or make another budget.',
  })
}

export function createBudgets(tools: SettingsTools): BudgetStore {
  const { database } = tools
  const rows = createBudgetRows(tools)

  return {
    create: (settings, targets = [], defaultOf) =>
      database.transact((sql) => insertBudget(sql, tools, { settings, targets, defaultOf })),

    list: () => rows.list(),

    find: (id) => rows.find(id),

    update(id, { targets = NO_TARGETS, ...change }, expected = null) {
      const asked = { action: 'budget.update', id, expected } as const
      const toColumns = () => BUDGET_CODEC.toColumns(change)
      return database.transact(async (sql) => {
        const budget = await rows.changeIn(sql, asked, { toColumns, check: checkDefault })
        if (budget === null) return null
        for (const target of targets.removed) await removeTarget(sql, tools, target)
        for (const target of targets.added) {
          await createTarget(sql, tools, { ...target, budgetId: id })
        }
        return budget
      })
    },

    setOwnLimit(id, member, limit) {
      const toColumns = (row: BudgetRow) => {
        const { [member]: _before, ...others } = parseOwnLimits(row)
        const own = limit === null ? others : { ...others, [member]: String(limit) }
        requireOwnRoom(own)
        return { own_limits: JSON.stringify(own) }
      }
      return rows.change({ action: 'budget.update', id }, { toColumns })
    },

    remove: (id, expected = null) =>
      rows.remove({ action: 'budget.delete', id, expected }, async (sql) =>
        toBudgetTargets(await removeTargetsOf(sql, id)),
      ),

    async readChanges(revision) {
      // A store behind its reader was restored from a backup, so any difference counts.
      if ((await readRevision(database, REVISION, database.epoch)) === revision) return null
      return database.readSnapshot(async (sql) => ({
        revision: await readRevision(sql, REVISION, database.epoch),
        budgets: await rows.list(sql),
      }))
    },
  }
}
