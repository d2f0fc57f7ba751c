// The rows of budgets. Scope and thresholds are JSON texts, the limit a decimal of picos.

import { assert } from '../../../core/assert.ts'
import { BUDGET_PERIODS } from '../../../core/budget.ts'
import type { Budget, BudgetPeriod, BudgetScope, BudgetSettings } from '../../../core/budget.ts'

export interface BudgetRow {
  id: string
  name: string
  scope: string
  period: string
  limit_picos: string
  thresholds: string
  is_blocking: number
  created_at: number
  version: number
}

type SettingsColumns = Omit<BudgetRow, 'id' | 'created_at' | 'version'>

const SCOPE_KINDS: ReadonlySet<string> = new Set<BudgetScope['kind']>([
  'global',
  'api_key',
  'provider',
  'model',
  'dim',
])

/** Only the columns in an administrator's change; the rest stay as they are. */
export function toBudgetColumns(settings: BudgetSettings): SettingsColumns
export function toBudgetColumns(settings: Partial<BudgetSettings>): Partial<SettingsColumns>
export function toBudgetColumns(change: Partial<BudgetSettings>): Partial<SettingsColumns> {
  const columns: Partial<SettingsColumns> = {}
  if (change.name !== undefined) columns.name = change.name
  if (change.scope !== undefined) columns.scope = JSON.stringify(change.scope)
  if (change.period !== undefined) columns.period = change.period
  if (change.limit !== undefined) {
    assert(change.limit > 0n, 'the limit of a budget is above zero')
    columns.limit_picos = change.limit.toString()
  }
  if (change.thresholds !== undefined) {
    assert(areThresholds(change.thresholds), 'thresholds are whole, above zero and rising')
    columns.thresholds = JSON.stringify(change.thresholds)
  }
  if (change.isBlocking !== undefined) columns.is_blocking = Number(change.isBlocking)
  return columns
}

export function fromBudgetRow(row: BudgetRow): Budget {
  const thresholds: unknown = JSON.parse(row.thresholds)
  assert(areThresholds(thresholds), 'stored thresholds are whole, above zero and rising')
  return {
    id: row.id,
    name: row.name,
    scope: parseScopeColumn(row.scope),
    period: parsePeriod(row.period),
    limit: BigInt(row.limit_picos),
    thresholds,
    isBlocking: row.is_blocking === 1,
    createdAt: row.created_at,
    version: row.version,
  }
}

function parseScopeColumn(text: string): BudgetScope {
  const scope = JSON.parse(text) as BudgetScope
  assert(SCOPE_KINDS.has(scope.kind), 'a stored scope is of a known kind')
  return scope
}

function parsePeriod(text: string): BudgetPeriod {
  const period = BUDGET_PERIODS.find((each) => each === text)
  assert(period !== undefined, 'a stored period is a known one')
  return period
}

function areThresholds(list: unknown): list is readonly number[] {
  if (!Array.isArray(list)) return false
  return list.every(
    (percent: unknown, at) =>
      Number.isSafeInteger(percent) && (percent as number) > ((list[at - 1] as number) ?? 0),
  )
}
