// A difference between rollups and records, in words for an operator.

import { formatMoney } from '../../../core/money.ts'
import { FIGURE_NAMES, isMoneyFigure, USAGE_FIGURES } from '../../../core/usage-figures.ts'
import type { FigureName, UsageFigures } from '../../../core/usage-figures.ts'
import type { RowChange } from './rebuild/compare-month.ts'
import type { BlockChange } from './rebuild/compare-blocks.ts'

/** `2026-10-15, all keys, provider north: cost $0.2, 4 requests in the records; …`. */
export function describeChange(
  { table, key, summed, stored }: RowChange,
  nameOf: (id: number) => string,
): string {
  const parts = table.key.map((column, at) => describePart(column, key[at] as number, nameOf))
  const { records, rollups } = describeDifference(summed, stored)
  return `${parts.join(', ')}: ${records} in the records; ${rollups} in the rollups`
}

/** `2026-10-15 12:00: 3 sums for analysis differ`. */
export function describePartChange({ period, difference: { rows } }: BlockChange): string {
  const words = rows === 1 ? 'sum for analysis differs' : 'sums for analysis differ'
  return `${toPeriodText(period)}: ${rows} ${words}`
}

function describePart(column: string, id: number, nameOf: (id: number) => string): string {
  switch (column) {
    case 'period':
      return toPeriodText(id)
    case 'key_id':
      return id === 0 ? 'all keys' : `key ${nameOf(id)}`
    case 'model':
      return id === 0 ? 'no model' : `model ${nameOf(id)}`
    case 'dim_key':
      return `dimension ${nameOf(id)}`
    case 'dim_value':
      return `value ${nameOf(id)}`
    default:
      return id === 0 ? `no ${column}` : `${column} ${nameOf(id)}`
  }
}

/** 2026101512 as `2026-10-15 12:00`, 20261015 as `2026-10-15`, 202610 as `2026-10`. */
export function toPeriodText(period: number): string {
  const digits = String(period)
  const month = `${digits.slice(0, 4)}-${digits.slice(4, 6)}`
  if (digits.length === 6) return month
  const day = `${month}-${digits.slice(6, 8)}`
  return digits.length === 8 ? day : `${day} ${digits.slice(8)}:00`
}

/** The figures in which the two differ: `cost $0.2, 4 requests`. */
function describeDifference(records: UsageFigures, rollups: UsageFigures) {
  const differing = FIGURE_NAMES.filter((name) => records[name] !== rollups[name])
  const describe = (figures: UsageFigures): string =>
    differing.map((name) => describeFigure(name, figures)).join(', ')
  return { records: describe(records), rollups: describe(rollups) }
}

function describeFigure(name: FigureName, figures: UsageFigures): string {
  const label = USAGE_FIGURES[name].label.toLowerCase()
  return isMoneyFigure(name)
    ? `${label} $${formatMoney(figures[name])}`
    : `${figures[name]} ${label}`
}
