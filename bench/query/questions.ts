// Every question of the catalogue, each for all keys and for one of them where it can be, and with
// few and with many rows where it is cut. A row that the catalogue gains is asked here without an
// edit.

import { CATALOGUE, LIMIT_DEFAULT, LIMIT_MAX, MONTHS_MAX } from '../../src/api/contract.ts'
import type { CatalogueRow, UsageWindow } from '../../src/api/contract.ts'
import { toMonth } from '../../src/api/usage/windows.ts'
import { KEYS } from '../ledger/company.ts'
import type { Random } from '../ledger/company.ts'
import { listMonthStarts, MONTHS } from './two-years.ts'

export interface Question {
  /** Shared by those that differ in their limit only. */
  readonly name: string
  readonly row: CatalogueRow
  readonly window: UsageWindow
  readonly isOfKey: boolean
  /** Null where the question is by none. */
  readonly dimKey: string | null
  /** Null where nothing is cut. */
  readonly limit: number | null
}

export const LIMITS = [LIMIT_DEFAULT, LIMIT_MAX] as const
/** Those with the fewest and the most values. */
const DIM_KEYS = ['team', 'user'] as const
/** Half of the keys asked for are among these, which have the most rows. */
const BUSIEST_KEYS = 10

export function listQuestions(): readonly Question[] {
  return CATALOGUE.flatMap((row) => {
    const isCut = row.dimension !== null && row.dimension !== 'day'
    const isByDim = row.dimension === 'dim' || row.dimension === 'dim_model'
    return combine(row.windows, isByDim ? DIM_KEYS : [null]).flatMap(([window, dimKey]) =>
      combine(row.metric === 'cost_usd' ? [false, true] : [false], isCut ? LIMITS : [null]).map(
        ([isOfKey, limit]) => {
          const words = [row.metric, row.dimension === null ? null : `by ${row.dimension}`, dimKey]
          const name = `${words.filter((word) => word !== null).join(' ')}, ${window}`
          return { name: isOfKey ? `${name}, one key` : name, row, window, dimKey, isOfKey, limit }
        },
      ),
    )
  })
}

function combine<A, B>(left: readonly A[], right: readonly B[]): (readonly [A, B])[] {
  return left.flatMap((each) => right.map((other) => [each, other] as const))
}

/** As it is asked; what the question leaves open (month, key) is drawn. */
export function toSearch(question: Question, random: Random): string {
  const { row, window, dimKey, isOfKey, limit } = question
  const search = new URLSearchParams({ metric: row.metric, window })
  if (row.dimension !== null) search.set('dimension', row.dimension)
  if (dimKey !== null) search.set('dim_key', dimKey)
  if (window === 'month') search.set('month', drawMonth(random))
  if (window === 'monthly_series') search.set('months', String(MONTHS_MAX))
  if (isOfKey) search.set('api_key', drawKey(random))
  if (limit !== null) search.set('limit', String(limit))
  return search.toString()
}

function drawMonth(random: Random): string {
  return toMonth(listMonthStarts(Date.now())[random(MONTHS)] as number)
}

function drawKey(random: Random): string {
  const key = random(2) === 0 ? random(KEYS) : random(BUSIEST_KEYS)
  return `svc_k_${String(key).padStart(16, '0')}`
}
