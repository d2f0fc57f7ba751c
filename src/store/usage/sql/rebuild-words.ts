// A difference between rollups and records, in words for an operator.

import { formatMoney } from '../../../core/money.ts'
import { FIGURE_NAMES, isMoneyFigure, USAGE_FIGURES } from '../../../core/usage-figures.ts'
import type { FigureName, UsageFigures } from '../../../core/usage-figures.ts'
import { fromColumns } from './figure-columns.ts'
import type { RollupTable } from './rollup-tables.ts'

export interface RowChange {
  readonly table: RollupTable
  /** In the order of the table's key columns; integers as bigints. */
  readonly key: readonly bigint[]
  /** Records' figures minus the stored ones, in the order of FIGURE_COLUMNS. */
  readonly difference: readonly bigint[]
  /** Zeros where there is no stored row. */
  readonly stored: readonly bigint[]
}

/** How many sums of an hour or month differ. */
export interface PartChange {
  readonly period: number
  readonly rows: number
}

/** `2026-10-15, all keys, provider north: cost $0.2, 4 requests in the records; …`. */
export function describeChange(
  { table, key, difference, stored }: RowChange,
  nameOf: (id: bigint) => string,
): string {
  const parts = table.key.map((column, at) => describePart(column, key[at] as bigint, nameOf))
  const summed = stored.map((figure, at) => figure + (difference[at] as bigint))
  const { records, rollups } = describeDifference(fromColumns(summed), fromColumns(stored))
  return `${parts.join(', ')}: ${records} in the records; ${rollups} in the rollups`
}

/** `2026-10-15 12:00: 3 sums for analysis differ`. */
export function describePartChange({ period, rows }: PartChange): string {
  const words = rows === 1 ? 'sum for analysis differs' : 'sums for analysis differ'
  return `${toPeriodText(period)}: ${rows} ${words}`
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

/** 2026101512 as `2026-10-15 12:00`, 20261015 as `2026-10-15`, 202610 as `2026-10`. */
export function toPeriodText(period: bigint | number): string {
  const digits = period.toString()
  const month = `${digits.slice(0, 4)}-${digits.slice(4, 6)}`
  if (digits.length === 6) return month
  const day = `${month}-${digits.slice(6, 8)}`
  return digits.length === 8 ? day : `${day} ${digits.slice(8)}:00`
}

/** The figures in which the two differ: `cost $0.2, 4 requests`. */
export function describeDifference(records: UsageFigures, rollups: UsageFigures) {
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
