// An analysis as CSV: the table of the console and the command line, or every step of it with all
// figures. Must stay true: the lines of one span add up to its total; a table's lines are the rows
// beside it, in its columns and order.

import { toCsvHead, toCsvLine, toDecimal } from '../exports/csv.ts'
import type { CsvColumn, CsvValue } from '../exports/csv.ts'
import type { Analysis, AnalysisFiguresAnswer, AnalysisRow } from './analysis-contract.ts'
import { isOfIds, toFigureName, toMemberText, toTableMeasures } from './analysis-orders.ts'
import type { AnalysisMeasure } from './analysis-orders.ts'

/** As it is sent, or as a client reads it. */
type Read<Value> = Value extends object
  ? { readonly [Name in keyof Value]: Read<Value[Name]> }
  : Value

type Line = Readonly<Record<string, CsvValue>>

const plain = (name: string): CsvColumn => ({ name, kind: 'plain' })
const SPAN_COLUMNS = ['span', 'bucket', 'is_partial'].map(plain)

/** `more`: figures that the table has beside the usual ones. */
export function toTableCsv(
  analysis: Read<Analysis>,
  measure: AnalysisMeasure,
  more: readonly string[] = [],
): string {
  const { rows, previous, total, group_by: fields } = analysis
  const name = toFigureName(measure)
  const others = [...toTableMeasures(measure).map(toFigureName), ...more]
  const compared = previous === null ? [] : ['before', 'change', 'change_percent']
  const columns = [
    ...fields.flatMap((field) => toGroupColumns(field).slice(0, -1)),
    ...[name, 'share_percent', ...compared, ...others].map(plain),
  ]
  const before = new Map(previous?.rows.map((row) => [row.row, row[name]]))
  const lines = rows.map((row, place): Line => {
    const figures = toFigures(row)
    return {
      ...figures,
      // Calls without a known price are not free.
      cost_usd: row.cost_usd === 0 && row.unpriced > 0 ? null : (figures['cost_usd'] ?? null),
      ...toTexts(row),
      share_percent: total[name] > 0 ? toPercent(row[name] / total[name]) : null,
      ...toChange(row[name], before.get(place) ?? 0),
    }
  })
  return [toCsvHead(columns), ...lines.map((line) => toCsvLine(columns, line))].join('')
}

function toTexts({ group }: Read<AnalysisRow>): Line {
  const members = group.flatMap((member) => [
    [member.field, member.kind === 'value' ? member.value : toMemberText(member)],
    [`${member.field}_name`, member.name],
  ])
  return Object.fromEntries(members) as Line
}

function toChange(now: number, before: number): Line {
  return {
    before: toDecimal(before),
    change: toDecimal(Number((now - before).toFixed(9))),
    change_percent: before > 0 ? toPercent(now / before - 1) : null,
  }
}

function toPercent(share: number): string {
  return toDecimal(Number((share * 100).toFixed(4)))
}

export interface AnalysisFileName {
  readonly measure: string
  readonly fields: readonly string[]
  readonly from: string | undefined
  readonly to: string | undefined
}

/** `weir-cost-by-model-2026-11-01-to-2026-11-17.csv` */
export function toAnalysisFileName({ measure, fields, from, to }: AnalysisFileName): string {
  const by = fields.length === 0 ? [] : ['by', ...fields]
  const parts = ['weir', measure, ...by, from?.slice(0, 10), 'to', to?.slice(0, 10)]
  return `${parts.join('-').replaceAll(/[^\w.-]/g, '_')}.csv`
}

export function toStepsCsv(analysis: Read<Analysis>): string {
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
  const name: CsvColumn[] = isOfIds(field) ? [{ name: `${field}_name`, kind: 'text' }] : []
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
  const { first_byte_ms, total_ms, own_us, unstreamed_ms, ...amounts } = figures
  const plainFigures = Object.entries(amounts).filter(([name]) => name !== 'group')
  const times = Object.entries({ first_byte_ms, total_ms, own_us, unstreamed_ms })
  return Object.fromEntries([
    ...plainFigures.map(([name, value]) => [name, value === null ? null : toDecimal(value)]),
    ...times.flatMap(([name, time]) =>
      (['p50', 'p95', 'p99'] as const).map((share) => [`${name}_${share}`, time?.[share] ?? null]),
    ),
  ]) as Line
}
