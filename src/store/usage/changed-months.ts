// What one step of a repricing changes of each month.

import { assert } from '../../core/assert.ts'
import type { Cost } from '../../core/usage-record.ts'
import type { ChangedRecord } from './record-engine.ts'
import type { RepricedMonth, Repricing } from './usage-upkeep.ts'

type ChangedMonth = { -readonly [Name in keyof RepricedMonth]: RepricedMonth[Name] }

export function sumMonths(changed: readonly ChangedRecord[]): readonly RepricedMonth[] {
  const months = new Map<string, ChangedMonth>()
  for (const { before, after } of changed) {
    const name = new Date(after.event.endedAt).toISOString().slice(0, 7)
    const month = months.get(name) ?? { month: name, records: 0, before: 0n, after: 0n }
    month.records += 1
    month.before += before.cost.amount ?? 0n
    month.after += after.cost.amount ?? 0n
    months.set(name, month)
  }
  return [...months.values()]
}

/** The sums of the audit line after the step. */
export function addMonths(
  known: Repricing,
  months: readonly RepricedMonth[],
): Pick<Repricing, 'records' | 'before' | 'after'> {
  return {
    records: months.reduce((sum, month) => sum + month.records, known.records),
    before: months.reduce((sum, month) => sum + month.before, known.before),
    after: months.reduce((sum, month) => sum + month.after, known.after),
  }
}

export function isSameCost(one: Cost, other: Cost): boolean {
  return (
    one.amount === other.amount &&
    one.source === other.source &&
    one.priceVersion === other.priceVersion
  )
}

export function requireWhole(id: string, { amount, source }: Cost): void {
  assert((amount === null) === (source === 'unpriced'), `the new cost of ${id}`)
}
