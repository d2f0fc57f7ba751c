// A cost as units × rates = cost. Must stay true: nothing is rounded, so it can be checked by hand.

import { formatMoney, parseMoney } from '../../core/money.ts'
import type { Explanation } from '../../pricing/service/price-quote.ts'
import { tokenUnitOf } from '../../pricing/tables/rate-text.ts'
import { toPrintable } from '../printable.ts'
import { formatTable } from '../table.ts'

type CostLine = Explanation['lines'][number]

const MILLION_DIGITS = 6

export interface CostLines {
  readonly lines: readonly Pick<CostLine, 'model' | 'unit' | 'count' | 'rateUsd' | 'costUsd'>[]
  /** Exact; null where it is not known. */
  readonly cost: string | null
}

/** Empty where nothing was multiplied: the amount was stated, or nothing is charged. */
export function formatCostLines({ lines, cost }: CostLines): string[] {
  const total = cost === null ? 'not known' : `${cost} USD`
  const hasModels = new Set(lines.map(({ model }) => model)).size > 1
  const rows = lines.map(({ model, unit, count, rateUsd, costUsd }) => [
    ...(hasModels ? [toPrintable(model ?? '')] : []),
    toPrintable(unit),
    String(count),
    formatRateText(unit, rateUsd),
    `${costUsd} USD`,
  ])
  const heading = [...(hasModels ? ['MODEL'] : []), 'UNIT', 'COUNT', 'RATE', 'COST']
  const padding = heading.slice(2).map(() => '')
  return formatTable([heading, ...rows, ['total', ...padding, total]]).split('\n')
}

/** Tokens per million; everything else per unit. */
export function formatRateText(unit: string, rateUsd: string): string {
  return tokenUnitOf(unit) === undefined
    ? `${rateUsd} USD each`
    : `${shiftDecimal(rateUsd, MILLION_DIGITS)} USD / million`
}

export function shiftDecimal(text: string, places: number): string {
  const [whole = '', fraction = ''] = text.split('.')
  const digits = fraction.padEnd(places, '0')
  const shifted = `${whole}${digits.slice(0, places)}`.replace(/^0+(?=\d)/, '')
  const rest = digits.slice(places).replace(/0+$/, '')
  return rest === '' ? shifted : `${shifted}.${rest}`
}

/** `-0.25`, `+1.5`, `0`; of two exact amounts. */
export function formatDifference(before: string, after: string): string {
  const difference = (parseMoney(after) ?? 0n) - (parseMoney(before) ?? 0n)
  return `${difference > 0n ? '+' : ''}${formatMoney(difference)}`
}
