// A difference between rollups and records, in words for an operator.

import { formatMoney } from '../../../core/money.ts'
import type { RowChange } from './rebuild-staging.ts'
import { fromDollars } from './rollup-rows.ts'

/** `2026-10-15, all keys, provider north: 4 requests, 60 tokens, $0.2 in the records; …`. */
export function describeChange(
  { table, key, difference, stored }: RowChange,
  nameOf: (id: bigint) => string,
): string {
  const parts = table.key.map((column, at) => describePart(column, key[at] as bigint, nameOf))
  const summed = stored.map((figure, at) => figure + (difference[at] as bigint))
  const [place, told, kept] = [parts.join(', '), describe(summed), describe(stored)]
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

/** Takes them in the order of FIGURE_COLUMNS. */
function describe(figures: readonly bigint[]): string {
  const [dollars, remainder, requests, tokens, unpriced] = figures as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  const cost = formatMoney(fromDollars(dollars, remainder))
  const gap = unpriced === 0n ? '' : `, ${unpriced} unpriced`
  return `${requests} requests, ${tokens} tokens, $${cost}${gap}`
}
