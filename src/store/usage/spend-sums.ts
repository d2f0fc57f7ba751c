// What the calls of a span come to, by what budgets can tell them apart. An engine adds them up
// itself, since a day may have millions of calls and few groups.

import type { Money } from '../../core/money.ts'
import { fromCostSum } from './sql/figure-columns.ts'

/** By what calls are told apart. */
export interface SpendGroups {
  readonly isByModel: boolean
  readonly isByKey: boolean
  /**
   * The values that matter, by their key, null for all; a call with another value counts as one
   * without any.
   */
  readonly dims: ReadonlyMap<string, readonly string[] | null>
}

export interface SpendSum {
  /** Empty, and no model, where calls are not told apart by it. */
  readonly provider: string
  readonly model: string | null
  /** Null where calls are not told apart by it. */
  readonly keyId: string | null
  readonly dims: Readonly<Record<string, string>>
  readonly spent: Money
  /** Calls whose cost is not known. */
  readonly unpriced: number
  /** Calls that cost something, and their sizes; a sum beyond 2^53 is that. */
  readonly calls: number
  readonly callsCost: Money
  readonly requestBytes: number
  readonly outputTokens: number
  readonly largest: Money
}

const FIRST_DIM = 3

type Figure = string | number | bigint | null

/** In this order: provider, model, key, a value or null for each dimension, the figures. */
export function toSpendSum(row: readonly unknown[], { dims }: SpendGroups): SpendSum {
  const [provider, model, keyId] = row as [string, string | null, string | null]
  const keys = [...dims.keys()]
  const values = row.slice(FIRST_DIM, FIRST_DIM + keys.length)
  const [spent, unpriced, calls, callsCost, requestBytes, outputTokens, largest] = row.slice(
    FIRST_DIM + keys.length,
  ) as Figure[]
  return {
    provider,
    model,
    keyId,
    dims: Object.fromEntries(
      keys
        .map((key, place) => [key, values[place]])
        .filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    ),
    spent: toCost(spent),
    unpriced: Number(unpriced ?? 0),
    calls: Number(calls ?? 0),
    callsCost: toCost(callsCost),
    requestBytes: toCapped(requestBytes),
    outputTokens: toCapped(outputTokens),
    largest: toCost(largest),
  }
}

function toCost(figure: Figure | undefined): Money {
  return fromCostSum(String(figure ?? 0))
}

function toCapped(sum: Figure | undefined): number {
  return Math.min(Number(sum ?? 0), Number.MAX_SAFE_INTEGER)
}
