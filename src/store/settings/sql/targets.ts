// Alert targets. A webhook's secret is stored as it is: it signs every message. Must stay
// true: no delivery stays pending to a removed target, and changes are audited in their
// transaction.

import { randomBytes } from 'node:crypto'
import { toSafeAddress } from '../../../core/alert.ts'
import type { AlertTarget } from '../../../core/alert.ts'
import type { Clock } from '../../../core/clock.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { fromTargetRow } from './alert-rows.ts'
import type { TargetRow } from './alert-rows.ts'
import type { NewTarget, TargetStore } from '../target-store.ts'
import { toChanges, toTargetFacts } from './audit-changes.ts'
import type { WriteAudit } from './audit.ts'

/** The minimum of the Standard Webhooks scheme. */
const SECRET_BYTES = 24

const COLUMNS = 'id, kind, address, budget_id, secret, created_at'
const SELECT_ALL = `SELECT ${COLUMNS} FROM alert_targets ORDER BY created_at, rowid`
const SELECT_ONE = `SELECT ${COLUMNS} FROM alert_targets WHERE id = ?`
const INSERT = `INSERT INTO alert_targets (${COLUMNS})
  VALUES (:id, :kind, :address, :budget_id, :secret, :created_at)`
const REMOVE = `DELETE FROM alert_targets WHERE id = ? RETURNING ${COLUMNS}`
const GIVE_UP = `UPDATE alert_deliveries SET state = 'given_up', next_at = NULL
  WHERE next_at IS NOT NULL AND target_id`

export interface TargetsOptions {
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly writeAudit: WriteAudit
  readonly targetsMax: number
}

export function createTargets(options: TargetsOptions): TargetStore {
  const { database } = options
  return {
    async create(target): Promise<AlertTarget> {
      return database.transact((sql) => createTarget(sql, options, target))
    },

    async createAll(targets, budgetId): Promise<readonly AlertTarget[]> {
      return database.transact(async (sql) => {
        const created: AlertTarget[] = []
        for (const target of targets) {
          created.push(await createTarget(sql, options, { ...target, budgetId }))
        }
        return created
      })
    },

    async list(): Promise<readonly AlertTarget[]> {
      return (await database.all<TargetRow>(SELECT_ALL)).map(fromTargetRow)
    },

    async find(id: string): Promise<AlertTarget | null> {
      const row = await database.first<TargetRow>(SELECT_ONE, [id])
      return row === null ? null : fromTargetRow(row)
    },

    async remove(id: string): Promise<AlertTarget | null> {
      return database.transact((sql) => removeTarget(sql, options, id))
    },
  }
}

type OwnedTarget = NewTarget & { readonly budgetId: string | null }

/** Only inside a transaction; the same below. */
export async function createTarget(
  sql: Sql,
  options: TargetsOptions,
  asked: OwnedTarget,
): Promise<AlertTarget> {
  const target = await insertTarget(sql, options, asked)
  const changes = toChanges(null, toTargetFacts(target))
  await options.writeAudit(sql, { action: 'target.create', ...toSubject(target), changes })
  return target
}

/** Null when there is none. */
export async function removeTarget(
  sql: Sql,
  { writeAudit }: TargetsOptions,
  id: string,
): Promise<AlertTarget | null> {
  const row = await sql.first<TargetRow>(REMOVE, [id])
  if (row === null) return null
  await sql.run(`${GIVE_UP} = ?`, [id])
  const target = fromTargetRow(row)
  const changes = toChanges(toTargetFacts(target), null)
  await writeAudit(sql, { action: 'target.delete', ...toSubject(target), changes })
  return target
}

function toSubject(target: AlertTarget) {
  return { subjectId: target.id, subjectName: toSafeAddress(target) }
}

/** Without a line in the audit log: that of a new budget names its targets. */
export async function insertTarget(
  sql: Sql,
  { clock, targetsMax }: Pick<TargetsOptions, 'clock' | 'targetsMax'>,
  { kind, address, budgetId }: OwnedTarget,
): Promise<AlertTarget> {
  // It may have been removed since its caller looked.
  if (budgetId !== null && (await isGone(sql, budgetId))) throw noSuchBudget(budgetId)
  const count = await sql.first<{ n: number }>('SELECT COUNT(*) AS n FROM alert_targets')
  if (Number(count?.n) >= targetsMax) throw createTooManyTargets(targetsMax)
  const row: TargetRow = {
    id: `tgt_${randomBytes(8).toString('hex')}`,
    kind,
    address,
    budget_id: budgetId,
    secret: kind === 'webhook' ? createSigningSecret() : null,
    created_at: clock.now(),
  }
  await sql.run(INSERT, { ...row })
  return fromTargetRow(row)
}

async function isGone(sql: Sql, budgetId: string): Promise<boolean> {
  return (await sql.first('SELECT id FROM budgets WHERE id = ?', [budgetId])) === null
}

/** Only inside the budget's transaction. Returns the removed targets. */
export async function removeTargetsOf(sql: Sql, budgetId: string): Promise<readonly AlertTarget[]> {
  await sql.run(`${GIVE_UP} IN (SELECT id FROM alert_targets WHERE budget_id = ?)`, [budgetId])
  const removed = await sql.all<TargetRow>(
    `DELETE FROM alert_targets WHERE budget_id = ? RETURNING ${COLUMNS}`,
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

function createTooManyTargets(targetsMax: number): WeirError {
  const message = `There are ${targetsMax} targets of alerts, the most the store takes.`
  return new WeirError('invalid_argument', message, {
    hint: 'Remove targets or budgets that are not needed, or let one receiver pass alerts on.',
  })
}
