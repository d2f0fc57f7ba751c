// A difference between rollups and records, in words for an operator.

import { formatMoney } from '../../../core/money.ts'
import { FIGURE_NAMES, isMoneyFigure, USAGE_FIGURES } from '../../../core/usage-figures.ts'
import type { UsageFigures } from '../../../core/usage-figures.ts'
import type { RowChange } from './rebuild-staging.ts'
import { fromColumns } from './figure-columns.ts'

/** `2026-10-15, all keys, provider north: cost $0.2, 4 requests in the records; …`. */
export function describeChange(
  { table, key, difference, stored }: RowChange,
  nameOf: (id: bigint) => string,
): string {
  const parts = table.key.map((column, at) => describePart(column, key[at] as bigint, nameOf))
  const summed = stored.map((figure, at) => figure + (difference[at] as bigint))
  const [place, told, kept] = [
    parts.join(', '),
    describeFigures(fromColumns(summed)),
    describeFigures(fromColumns(stored)),
  ]
  return `${place}: ${told} in the records; ${kept} in the rollups`
}

function describePart(column: string, id: bigint, nameOf: (id: bigint) => string): string {
  switch (column) {
    case 'period':
      return toPeriodText(id)
    case 'key_id':
      return id === 0n ? 'all keys' : `key ${nameOf(id)}`
    case 'model':
      return id === 0n ? 'no model' : `model ${nameOf(id)}`
    case 'dim_key':
      return `dimension ${nameOf(id)}`
    case 'dim_value':
      return `value ${nameOf(id)}`
    default:
      return `${column} ${nameOf(id)}`
  }
}

/** 20261015 as `2026-10-15`, 202610 as `2026-10`. */
export function toPeriodText(period: bigint | number): string {
  const digits = period.toString()
  const month = `${digits.slice(0, 4)}-${digits.slice(4, 6)}`
  return digits.length === 6 ? month : `${month}-${digits.slice(6)}`
}

/** `cost $0.2, 4 requests, 60 tokens`: the figures that are not zero. */
export function describeFigures(figures: UsageFigures): string {
  const parts = FIGURE_NAMES.filter((name) => BigInt(figures[name]) !== 0n).map((name) =>
    isMoneyFigure(name)
      ? `${USAGE_FIGURES[name].label.toLowerCase()} $${formatMoney(figures[name])}`
      : `${figures[name]} ${USAGE_FIGURES[name].label.toLowerCase()}`,
  )
  return parts.join(', ') || 'nothing'
}
