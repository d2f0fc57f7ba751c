// A filter by a value that has calls, but no sums of its own: its answer would be too low, or 0.

import { factNameOf } from '../../../../core/teams/team.ts'
import { WeirError } from '../../../../core/weir-error.ts'
import type { AnalysisFilter, AnalysisQuestion } from '../../analysis.ts'
import type { Condition, Dialect } from '../dialect.ts'
import { toMonthStart, toNextMonth, toNumber } from '../period-ranges.ts'

/** The rollups by dimension have every value: what is missing in the sums for analysis was lost. */
export function toLostValue(
  dialect: Pick<Dialect, 'isAmong'>,
  { dim, values, months }: LostValues,
): Condition {
  const isMonth = dialect.isAmong('period', months)
  const isValue = dialect.isAmong('dim_value', values)
  return {
    sql: `SELECT period FROM dim_rollup WHERE ${isMonth.sql} AND key_id = 0 AND dim_key = ?
      AND ${isValue.sql} AND NOT EXISTS (SELECT 1 FROM analysis_values
        WHERE month = period AND dim = dim_key AND value = dim_value) LIMIT 1`,
    parameters: [...isMonth.parameters, dim, ...isValue.parameters],
  }
}

interface LostValues {
  readonly dim: number
  readonly values: readonly number[]
  readonly months: readonly number[]
}

/** By the ids of their names; one that no call has had is left out. */
export function listLostValues(
  { filters, ...question }: AnalysisQuestion,
  find: (name: string) => number | null,
): readonly (LostValues & { readonly field: AnalysisFilter['field'] })[] {
  const months = listMonths(question)
  return filters.flatMap(({ field, values: wanted }) => {
    const dim = field.startsWith('dim:') ? find(field.slice('dim:'.length)) : null
    const values = wanted.flatMap((value) => (value === null ? [] : (find(value) ?? [])))
    return dim === null || values.length === 0 ? [] : [{ field, dim, values, months }]
  })
}

function listMonths({
  fromMs,
  toMs,
}: Pick<AnalysisQuestion, 'fromMs' | 'toMs'>): readonly number[] {
  const months: number[] = []
  for (let atMs = toMonthStart(fromMs); atMs < toMs; atMs = toNextMonth(atMs)) {
    months.push(toNumber(atMs, 'month'))
  }
  return months
}

export function lostValue(field: AnalysisFilter['field'], month: number): WeirError {
  const word = field.startsWith('dim:') ? (factNameOf(field.slice('dim:'.length)) ?? field) : field
  const name = `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`
  return new WeirError(
    'invalid_parameter',
    `A value that the filter by ${word} names came when ${name} had too many names or values to keep it apart. Its cost, requests and tokens are in the usage by ${word}, its calls among the requests.`,
  )
}
