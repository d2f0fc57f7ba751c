// The parts of a record that spend is counted from, and the days of a span.

import type { BudgetSpan } from '../../../../core/budget.ts'
import type { Money } from '../../../../core/money.ts'
import type { Dialect } from '../dialect.ts'
import { toPeriodNumber } from '../periods.ts'
import { fromStoredMoney, isStorableEnd } from '../record-row.ts'

const DAY_MS = 86_400_000

/** In the order of toCallCost. */
export function toCostColumns({ dims }: Pick<Dialect, 'dims'>): string {
  return `key_id, provider, model, ${dims}, CAST(cost_pico AS TEXT) AS cost_text`
}

/** What a call cost, or several together that differ in nothing else here. */
export interface CallCost {
  readonly keyId: string | null
  readonly provider: string
  readonly model: string | null
  /** The stored JSON, null for none. Few differ, so a reader can cache their meaning. */
  readonly dims: string | null
  /** Null where the cost is not known. */
  readonly amount: Money | null
}

export function toCallCost(row: readonly unknown[]): CallCost {
  const [keyId, provider, model, dims, cost] = row
  return {
    keyId: keyId as string | null,
    provider: provider as string,
    model: model as string | null,
    dims: dims as string | null,
    amount: typeof cost === 'string' ? fromStoredMoney(cost) : null,
  }
}

/** As the rollups number them. The first and last week reach beyond the storable days. */
export function listDays({ startMs, endMs }: BudgetSpan): readonly number[] {
  const days: number[] = []
  for (let atMs = startMs; atMs < endMs; atMs += DAY_MS) {
    const day = new Date(atMs).toISOString().slice(0, 10)
    if (isStorableEnd(atMs)) days.push(toPeriodNumber(day))
  }
  return days
}
