// Alert targets. A webhook's secret is stored as it is: it signs every message. Must stay
// true: no delivery stays pending to a removed target, and changes are audited in their
// transaction.

import { randomBytes } from 'node:crypto'
import { toSafeAddress } from '../../../core/alert.ts'
import type { AlertTarget } from '../../../core/alert.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { Sql } from '../../sql/sql.ts'
import { fromTargetRow, TARGET_COLUMNS } from './alert-rows.ts'
import type { TargetRow } from './alert-rows.ts'
import type { NewTarget, TargetStore } from '../target-store.ts'
import { toTargetFacts } from './audit-changes.ts'
import { createRows } from './noun-rows.ts'
import type { SettingsTools } from './tools.ts'

/** The minimum of the Standard Webhooks scheme. */
const SECRET_BYTES = 24

const GIVE_UP = `UPDATE alert_deliveries SET state = 'given_up', next_at = NULL
  WHERE next_at IS NOT NULL AND target_id`

function createTargetRows(tools: SettingsTools) {
  return createRows<TargetRow, AlertTarget>(tools, {
    table: 'alert_targets',
    columns: TARGET_COLUMNS,
    order: 'created_at, rowid',
    fromRow: fromTargetRow,
    toFacts: toTargetFacts,
    nameOf: toSafeAddress,
    full: {
      max: tools.targetsMax,
      plural: 'targets of alerts',
      hint: 'Remove targets or budgets that are not needed, or let one receiver pass alerts on.',
    },
  })
}

export function createTargets(tools: SettingsTools): TargetStore {
  const { database } = tools
  const rows = createTargetRows(tools)

  return {
    create: (target) => database.transact((sql) => createTarget(sql, tools, target)),

    createAll: (targets, budgetId) =>
      database.transact(async (sql) => {
        const created: AlertTarget[] = []
        for (const target of targets) {
          created.push(await createTarget(sql, tools, { ...target, budgetId }))
        }
        return created
      }),

    list: () => rows.list(),

    find: (id) => rows.find(id),

    remove: (id) => database.transact((sql) => removeTarget(sql, tools, id)),
  }
}

/** Only inside a transaction; the same below. */
export async function createTarget(
  sql: Sql,
  tools: SettingsTools,
  asked: BudgetTarget,
): Promise<AlertTarget> {
  const row = await toTargetRow(sql, tools, asked)
  return createTargetRows(tools).insert(sql, row, { action: 'target.create' })
}

/** Null when there is none. */
export function removeTarget(
  sql: Sql,
  tools: SettingsTools,
  id: string,
): Promise<AlertTarget | null> {
  const giveUp = (): Promise<void> => giveUpDeliveries(sql, id)
  return createTargetRows(tools).removeIn(sql, { action: 'target.delete', id }, giveUp)
}

/** To a target, or to a person. */
export async function giveUpDeliveries(sql: Sql, targetId: string): Promise<void> {
  await sql.run(`${GIVE_UP} = ?`, [targetId])
}

type BudgetTarget = NewTarget & { readonly budgetId: string | null }

async function toTargetRow(
  sql: Sql,
  { clock }: SettingsTools,
  { kind, address, budgetId }: BudgetTarget,
): Promise<TargetRow> {
  // It may have been removed since its caller looked.
  if (budgetId !== null && (await isGone(sql, budgetId))) throw noSuchBudget(budgetId)
  return {
    id: `tgt_${randomBytes(8).toString('hex')}`,
    kind,
    address,
    budget_id: budgetId,
    secret: kind === 'webhook' ? createSigningSecret() : null,
    created_at: clock.now(),
  }
}

/** Without a line in the audit log: that of a new budget names its targets. */
export async function insertTarget(
  sql: Sql,
  tools: SettingsTools,
  target: BudgetTarget,
): Promise<AlertTarget> {
  const rows = createTargetRows(tools)
  await rows.requireRoom(sql)
  const row = await toTargetRow(sql, tools, target)
  await rows.insertRow(sql, row)
  return fromTargetRow(row)
}

async function isGone(sql: Sql, budgetId: string): Promise<boolean> {
  return (await sql.first('SELECT id FROM budgets WHERE id = ?', [budgetId])) === null
}

/** Only inside the budget's transaction. Returns the removed targets. */
export async function removeTargetsOf(sql: Sql, budgetId: string): Promise<readonly AlertTarget[]> {
  await sql.run(`${GIVE_UP} IN (SELECT id FROM alert_targets WHERE budget_id = ?)`, [budgetId])
  const removed = await sql.all<TargetRow>(
    `DELETE FROM alert_targets WHERE budget_id = ? RETURNING ${TARGET_COLUMNS.join(', ')}`,
    [budgetId],
  )
  return removed.map(fromTargetRow)
}

function createSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

function noSuchBudget(id: string): WeirError {
  return new WeirError('not_found', `There is no budget ${id}.`, {
    hint: 'Run weir budgets list to see the budgets there are.',
  })
}
