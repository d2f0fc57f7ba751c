// A budget in words. Must stay true: a forecast is never shown as if it were spent, and there is
// none while it is too early.

import type { BudgetRow } from '../../../../src/api/contract.ts'
import { formatCount, formatCounted } from '../../data/format-count.ts'
import { formatShortTime } from '../../data/format-time.ts'
import { formatUsd } from '../../data/format-usd.ts'

const RHYTHMS = { day: 'Daily', week: 'Weekly', month: 'Monthly' } as const

/** `All calls`, `Key Batch jobs`, `Team Search`, `team = search`. */
export function toScopeWords(
  { scope, scope_name: name }: Pick<BudgetRow, 'scope' | 'scope_name'>,
  keyNames: ReadonlyMap<string, string>,
): string {
  if (scope === 'global') return 'All calls'
  const at = scope.indexOf('=')
  const kind = scope.slice(0, at)
  const value = scope.slice(at + 1)
  if (kind === 'api_key') return value === '…' ? 'One key' : `Key ${keyNames.get(value) ?? value}`
  if (kind === 'team') return `Team ${name ?? value}`
  if (kind === 'person') return value === '…' ? 'One person' : `Person ${name ?? value}`
  if (kind === 'provider') return `Provider ${value}`
  if (kind === 'model') return `Models ${value}`
  return `${kind.slice('dim:'.length)} = ${value}`
}

/** `Monthly · team = search`. */
export function toTermsWords(row: BudgetRow, keyNames: ReadonlyMap<string, string>) {
  const each = row.each === 'none' ? '' : `, for each ${row.each}`
  return `${RHYTHMS[row.period]} · ${toScopeWords(row, keyNames)}${each}`
}

export interface BudgetState {
  readonly tone: 'good' | 'warning' | 'bad'
  readonly text: string
}

/** As on Overview: from here on a budget needs attention. */
export const NEAR_PERCENT = 80

/** Of the limit, as calls are decided by: of a budget that blocks, unknown costs count. */
export function toCountedPart(budget: BudgetRow): number {
  // Of whoever is nearest to it, where each has the limit.
  if (budget.members !== null) return budget.spent_percent / 100
  return (budget.spent_usd + (budget.unknown_cost_usd ?? 0)) / budget.limit_usd
}

/** What decides a call decides what is shown. */
export function toBudgetState(budget: BudgetRow): BudgetState {
  const { limit_usd: limit, forecast_usd: forecast, members } = budget
  if (members !== null) {
    if (members.over > 0) return { tone: 'bad', text: `${formatCount(members.over)} at the limit` }
    if (members.near > 0) return { tone: 'warning', text: `${formatCount(members.near)} near it` }
    return { tone: 'good', text: 'All within it' }
  }
  if (budget.blocking && toCountedPart(budget) >= 1) return { tone: 'bad', text: 'Refusing calls' }
  if (budget.is_exceeded) return { tone: 'bad', text: 'Limit reached' }
  if (forecast !== null && forecast >= limit) return { tone: 'warning', text: 'Forecast to exceed' }
  if (budget.spent_percent >= NEAR_PERCENT) return { tone: 'warning', text: 'Near its limit' }
  return { tone: 'good', text: 'Within its limit' }
}

/** Of the limit; null while it is too early for a forecast. */
export function toForecastPercent(budget: BudgetRow) {
  const { forecast_usd: forecast, limit_usd: limit, members } = budget
  return forecast === null || members !== null ? null : (forecast / limit) * 100
}

/** `$600.00 of $1,000.00`, and what is beyond it. */
export function toSpentWords(budget: BudgetRow): string {
  const { spent_usd: spent, limit_usd: limit, each, members } = budget
  if (members !== null) {
    const count = formatCounted(members.spending, each, each === 'person' ? 'people' : `${each}s`)
    return `${formatUsd(spent)} by ${count}, of ${formatUsd(limit)} each`
  }
  const over = spent > limit ? `, ${formatUsd(spent - limit)} over` : ''
  return `${formatUsd(spent)} of ${formatUsd(limit)}${over}`
}

/** Null while it is too early. */
export function toForecastWords(budget: BudgetRow): string | null {
  const { forecast_usd: forecast, forecast_from: from } = budget
  if (forecast === null) return null
  const isLate = from !== null && from !== budget.period_start
  const pace = isLate ? `, at the pace since ${formatShortTime(from)}` : ''
  return `${formatUsd(forecast)} by the end${pace}`
}

/** `50 % (reached), 80 %, 100 %`. */
export function toThresholdWords({ thresholds, spent_percent: spent }: BudgetRow): string {
  const words = thresholds.map((percent) => `${percent} %${spent >= percent ? ' (reached)' : ''}`)
  return words.join(', ')
}

const UNKNOWN_COST = 'counted for calls of unknown cost until it is known.'

/** What is running, for a budget that blocks; else null. */
export function toRunningWords(budget: BudgetRow): string | null {
  const { running_calls: calls, reserved_usd: reserved, overshoot_max_usd: overshoot } = budget
  if (calls === null || reserved === null || overshoot === null) return null
  const { unknown_cost_usd: amount } = budget
  const unknown = amount ? ` ${formatUsd(amount)} ${UNKNOWN_COST}` : ''
  if (calls === 0) return `No calls are running.${unknown}`
  return (
    `${formatCounted(calls, 'call')} running, expected to cost up to ` +
    `${formatUsd(reserved)}. At most ${formatUsd(overshoot)} can be spent beyond the limit.${unknown}`
  )
}
