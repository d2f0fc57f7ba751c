// An analysis for people: groups with their figures and the total they add up to; with an interval
// a trend for each, and every step with its sum.

import type { Analysis, AnalysisFigures, AnalysisRow } from '../../../client/weir-client.js'
import {
  isOfIds,
  toFigureName,
  toMemberText,
  toTableMeasures,
  toValueText,
} from '../../api/analysis/analysis-orders.ts'
import type { AnalysisMeasure } from '../../api/analysis/analysis-orders.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatColumns, formatMoment } from '../table.ts'
import type { Column } from '../table.ts'
import {
  alignAmounts,
  alignRight,
  formatCount,
  formatShare,
  formatUsd,
} from '../usage/usage-amounts.ts'
import { formatSparkline } from '../usage/usage-bars.ts'
import type { Terminal } from '../usage/usage-bars.ts'
import { formatBarred } from '../usage/usage-table.ts'

export interface AnalysisContext {
  readonly terminal: Terminal
  /** As they were asked for: answers do not repeat them. */
  readonly filters: readonly string[]
  /** What rows are ordered by. */
  readonly measure: AnalysisMeasure
  /** Null for the data directory. */
  readonly url: string | null
}

const LABEL_CHARS_MAX = 48
const LABEL_CHARS_MIN = 12
/** A longer trend would not fit beside the figures. */
const TREND_CELLS_MAX = 48
const STEP_FORMS = new Map([
  ['hour', 'YYYY-MM-DD hh:mmZ'],
  ['month', 'YYYY-MM'],
])

export function formatAnalysis(analysis: Analysis, context: AnalysisContext): string {
  const { terminal, filters } = context
  const isNothing = analysis.rows.length === 0
  return [
    describe(analysis),
    ...(filters.length === 0 ? [] : [`Filters: ${filters.map(toPrintable).join(', ')}`]),
    isNothing ? 'No call on record matches.' : formatRows(analysis, context),
    ...(isNothing || analysis.interval === 'none' ? [] : [formatSteps(analysis, terminal)]),
    describeRest(analysis, context),
  ].join('\n\n')
}

/** `Usage by model and team, 2026-11-01 00:00Z to 2026-11-17 13:00Z`. */
function describe({ group_by: fields, from, to }: Analysis): string {
  const by = fields.length === 0 ? '' : ` by ${fields.map(toFieldName).join(' and ')}`
  return `Usage${by}, ${toMoment(from)} to ${toMoment(to)}`
}

function toFieldName(field: string): string {
  return toPrintable(field.replace(/^dim:/, '').replace('api_key', 'API key'))
}

function toMoment(time: string): string {
  return formatMoment(Date.parse(time))
}

/** The columns of the console's table, and what there is more to say; the CSV has the same. */
function formatRows(whole: Analysis, { terminal, measure }: AnalysisContext): string {
  // Without groups, the one row is the total.
  const analysis = whole.group_by.length === 0 ? { ...whole, rows: [] } : whole
  const { rows, total, previous, interval } = analysis
  const lines: readonly AnalysisFigures[] = [...rows, total]
  const name = toFigureName(measure)
  const shares = lines.map((line) => formatShare(line[name], total[name]))
  const columns = [
    ...toLabels(analysis, terminal),
    toFigures(measure, lines),
    alignRight(['SHARE', ...shares]),
    ...(previous === null ? [] : toComparison(analysis, previous, measure)),
    ...toTableMeasures(measure).map((each) => toFigures(each, lines)),
    ...(hasDenials(analysis) ? [toFigures('denials', lines)] : []),
    ...(total.cached > 0 ? [toCacheHits(lines)] : []),
    ...toTimes(lines),
    ...(interval === 'none' ? [] : [toTrends(analysis, terminal)]),
  ]
  return formatColumns(columns)
}

const hasDenials = ({ total }: Analysis): boolean => total.denials > 0

/** The members of figures that the table has beside the usual columns. */
export function listMore(analysis: Analysis): readonly string[] {
  const { total } = analysis
  return [
    ...(hasDenials(analysis) ? ['denials'] : []),
    ...(total.cached > 0 ? ['cache_hit_share'] : []),
    ...TIMES.filter(([, name]) => total[name] !== null).flatMap(([, name]) =>
      ['p50', 'p95', 'p99'].map((percentile) => `${name}_${percentile}`),
    ),
    ...(TIMES.some(([, name]) => total[name] !== null) ? ['output_tokens_per_second'] : []),
  ]
}

const HEADINGS: Partial<Readonly<Record<AnalysisMeasure, string>>> = {
  cost: 'USD',
  market_cost: 'LIST USD',
}

function toFigures(measure: AnalysisMeasure, lines: readonly AnalysisFigures[]): Column {
  const heading = HEADINGS[measure] ?? measure.toUpperCase()
  const values = lines.map((line) => line[toFigureName(measure)])
  return isMoney(measure)
    ? alignAmounts([heading, ...values.map(formatUsd)])
    : alignRight([heading, ...values.map(formatCount)])
}

const isMoney = (measure: AnalysisMeasure): boolean => toFigureName(measure) !== measure

function toLabels({ rows, group_by: fields }: Analysis, { columns: width }: Terminal): Column[] {
  if (fields.length === 0) return [['', 'total']]
  const columns = fields.flatMap((field, place): string[][] => {
    const members = rows.map(({ group }) => group[place])
    const labels = [toFieldName(field).toUpperCase(), ...rows.map((row) => toLabel(row, place))]
    const names = ['NAME', ...members.map((member) => member?.name ?? '')]
    return isOfIds(field) ? [labels, names] : [labels]
  })
  columns[0]?.push('total')
  const share = Math.floor(width / (columns.length + 1))
  const charsMax = Math.max(LABEL_CHARS_MIN, Math.min(LABEL_CHARS_MAX, share))
  return columns.map((column) => column.map((cell) => cutCell(toPrintable(cell), charsMax)))
}

function toLabel({ group }: AnalysisRow, place: number): string {
  const member = group[place]
  if (member === undefined) return ''
  const { kind, field, value } = member
  return kind === 'value' ? toValueText(field, value ?? '') : toMemberText(member)
}

function toCacheHits(lines: readonly AnalysisFigures[]): Column {
  const toCell = (share: number | null): string => (share === null ? '' : formatShare(share, 1))
  return alignRight(['CACHE HITS', ...lines.map((line) => toCell(line.cache_hit_share))])
}

const TIMES = [
  ['FIRST BYTE MS', 'first_byte_ms'],
  ['NOT STREAMED MS', 'unstreamed_ms'],
  ['TOTAL MS', 'total_ms'],
  ['OWN MICROS', 'own_us'],
] as const

/** Empty where times were not asked for. */
function toTimes(lines: readonly AnalysisFigures[]): Column[] {
  const shown = TIMES.filter(([, name]) => lines.some((line) => line[name] !== null))
  if (shown.length === 0) return []
  const times = shown.map(([heading, name]) => {
    const cells = lines.map(({ [name]: time }) =>
      time === null ? '' : [time.p50, time.p95, time.p99].map(formatCount).join('/'),
    )
    return alignRight([heading, ...cells])
  })
  const speeds = lines.map(({ output_tokens_per_second: speed }) => speed?.toFixed(1) ?? '')
  return [...times, alignRight(['TOKENS/S', ...speeds])]
}

function toComparison(
  { rows, total }: Analysis,
  previous: NonNullable<Analysis['previous']>,
  measure: AnalysisMeasure,
): Column[] {
  const figures = new Map(previous.rows.map((row): [number, AnalysisFigures] => [row.row, row]))
  const lines = [
    ...rows.map((now, row) => ({ now, before: figures.get(row) ?? null })),
    { now: total, before: previous.total },
  ]
  const name = toFigureName(measure)
  const [align, format] = isMoney(measure) ? [alignAmounts, formatUsd] : [alignRight, formatCount]
  const toDifference = ({ now, before }: Compared): string => {
    const difference = now[name] - (before?.[name] ?? 0)
    return `${difference > 0 ? '+' : ''}${format(difference)}`
  }
  return [
    align(['BEFORE', ...lines.map(({ before }) => format(before?.[name] ?? 0))]),
    align(['CHANGE', ...lines.map(toDifference)]),
    alignRight(['%', ...lines.map((line) => toPercent(line, name))]),
  ]
}

interface Compared {
  readonly now: AnalysisFigures
  /** Null where there were no calls. */
  readonly before: AnalysisFigures | null
}

/** There is no percentage of nothing. */
function toPercent({ now, before }: Compared, name: ReturnType<typeof toFigureName>): string {
  if (now.requests + now.denials === 0) return before === null ? '' : 'gone'
  if (before === null || before.requests + before.denials === 0) return 'new'
  if (before[name] === 0) return ''
  const change = formatShare(now[name] - before[name], before[name]).replace(' %', '')
  return `${now[name] > before[name] ? '+' : ''}${change}`
}

function toTrends({ rows, series, buckets }: Analysis, { isPlain }: Terminal): Column {
  if (buckets.length > TREND_CELLS_MAX) return []
  const toTrend = (points: Analysis['series']): string => {
    const costs = buckets.map(() => 0)
    for (const { bucket, cost_usd: cost } of points) costs[bucket] = (costs[bucket] ?? 0) + cost
    return formatSparkline(costs, isPlain)
  }
  const ofRows = rows.map((_, row) => toTrend(series.filter((point) => point.row === row)))
  return ['TREND', ...ofRows, toTrend(series)]
}

function formatSteps(analysis: Analysis, terminal: Terminal): string {
  const { buckets, series, interval } = analysis
  const sums = buckets.map(() => ({ cost: 0, requests: 0 }))
  for (const { bucket, cost_usd: cost, requests } of series) {
    const sum = sums[bucket]
    if (sum === undefined) continue
    sum.cost += cost
    sum.requests += requests
  }
  const form = STEP_FORMS.get(interval) ?? 'YYYY-MM-DD'
  const starts = buckets.map(({ start, is_partial: isPartial }) => {
    return `${toMoment(start).slice(0, form.length)}${isPartial ? ' *' : ''}`
  })
  const columns = [
    [interval.toUpperCase(), ...starts],
    alignAmounts(['USD', ...sums.map(({ cost }) => formatUsd(cost))]),
    alignRight(['REQUESTS', ...sums.map(({ requests }) => formatCount(requests))]),
  ]
  return formatBarred(
    columns,
    sums.map(({ cost }) => cost),
    { ...terminal, barCellsMin: 0 },
  )
}

function describeRest(analysis: Analysis, { url }: AnalysisContext): string {
  const { asOf, buckets, previous, total, other_groups: groups, capped_calls: capped } = analysis
  // A Weir of an earlier version does not name them.
  const keys = (analysis.capped_keys as Analysis['capped_keys'] | undefined)?.join(', ') ?? ''
  const place = url === null ? '' : `, from ${toPrintable(url)}`
  return [
    `As of ${toMoment(asOf)}${place}. Days and months are UTC.`,
    ...(previous === null
      ? []
      : [
          `BEFORE is ${toMoment(previous.from)} to ${toMoment(previous.to)}; it and CHANGE are in USD.`,
          ...describeRecorded(previous),
        ]),
    ...(buckets.some(({ is_partial: isPartial }) => isPartial)
      ? ['* in part: cut by the span, or not over yet.']
      : []),
    ...(total.total_ms === null && total.first_byte_ms === null && total.own_us === null
      ? []
      : ['Times are p50/p95/p99: half of the calls, 95 and 99 % took no longer, within 7.3 %.']),
    ...(groups === 0
      ? []
      : [
          `Groups in Other: ${formatCount(groups)}; --offset and --limit show them, --csv --all has all.`,
        ]),
    ...(capped === 0
      ? []
      : [
          `Calls with a dimension, or a value of one, too many: ${formatCount(capped)}; they are in Other${keys && `, most of them by ${keys}`}.`,
        ]),
    ...describeGaps(analysis),
    ...(total.unpriced === 0
      ? []
      : [
          `The cost of some calls (${formatCount(total.unpriced)}) is not known and counts as 0. To list them: weir prices missing`,
        ]),
  ].join('\n')
}

/** A Weir of an earlier version does not say so. */
function describeRecorded(previous: NonNullable<Analysis['previous']>): string[] {
  const since = previous.recorded_from as string | null | undefined
  if (since == null) return []
  return [`Of it nothing is on record before ${toMoment(since)}, Weir's first call.`]
}

function describeGaps({ complete_from: from }: Analysis): string[] {
  if (from === null) return []
  return [
    `Calls that ended before ${toMoment(from)} may be missing: they were removed by age before they were summed.`,
  ]
}
