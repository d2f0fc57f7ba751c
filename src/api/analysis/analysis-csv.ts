// The rows of an analysis as CSV; with an interval its points: the command line prints it and the
// console saves it. Must stay true: the lines of one span add up to its total.

import { toCsvHead, toCsvLine, toDecimal } from '../exports/csv.ts'
import type { CsvColumn, CsvValue } from '../exports/csv.ts'
import type { Analysis, AnalysisFiguresAnswer, AnalysisRow } from './analysis-contract.ts'

/** As it is sent, or as a client reads it. */
type Read<Value> = Value extends object
  ? { readonly [Name in keyof Value]: Read<Value[Name]> }
  : Value

type Line = Readonly<Record<string, CsvValue>>

const plain = (name: string): CsvColumn => ({ name, kind: 'plain' })
const SPAN_COLUMNS = ['span', 'bucket', 'is_partial'].map(plain)

export function toAnalysisCsv(analysis: Read<Analysis>): string {
  const { interval, buckets, rows, series, previous, total, group_by: fields } = analysis
  const groupOf = (row: number): Line => toGroup(rows[row])
  const now =
    interval === 'none'
      ? rows.map((row): Line => ({ ...toGroup(row), ...toFigures(row) }))
      : series.map(({ bucket, row, ...figures }): Line => {
          const { start = null, is_partial: isPartial = null } = buckets[bucket] ?? {}
          const place = { bucket: start, is_partial: isPartial }
          return { ...place, ...groupOf(row), ...toFigures(figures) }
        })
  const before = (previous?.rows ?? []).map(({ row, ...figures }): Line => ({
    span: 'previous',
    ...groupOf(row),
    ...toFigures(figures),
  }))
  const columns = [
    ...SPAN_COLUMNS,
    ...fields.flatMap(toGroupColumns),
    ...Object.keys(toFigures(total)).map(plain),
  ]
  const lines = [...now.map((line) => ({ span: 'current', ...line })), ...before]
  return [toCsvHead(columns), ...lines.map((line) => toCsvLine(columns, line))].join('')
}

function toGroupColumns(field: string): CsvColumn[] {
  const name: CsvColumn[] = field === 'api_key' ? [{ name: 'api_key_name', kind: 'text' }] : []
  return [{ name: field, kind: 'text' }, ...name, plain(`${field}_kind`)]
}

function toGroup(row: Read<AnalysisRow> | undefined): Line {
  const members = (row?.group ?? []).flatMap(({ field, kind, value, name }) => [
    [field, value],
    [`${field}_name`, name],
    [`${field}_kind`, kind],
  ])
  return Object.fromEntries(members) as Line
}

/** Percentiles are a column each. */
function toFigures(figures: Read<AnalysisFiguresAnswer>): Line {
  const { first_byte_ms: firstByte, total_ms: total, own_us: own, ...amounts } = figures
  const plainFigures = Object.entries(amounts).filter(([name]) => name !== 'group')
  const times = Object.entries({ first_byte_ms: firstByte, total_ms: total, own_us: own })
  return Object.fromEntries([
    ...plainFigures.map(([name, value]) => [name, value === null ? null : toDecimal(value)]),
    ...times.flatMap(([name, time]) =>
      (['p50', 'p95', 'p99'] as const).map((share) => [`${name}_${share}`, time?.[share] ?? null]),
    ),
  ]) as Line
}
