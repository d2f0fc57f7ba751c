// The answer to one usage question: a table with a bar per row; trends have a sparkline.

import type { UsageBreakdown } from '../../../client/weir-client.js'
import { OTHER_TEXT, toNoneText } from '../../api/analysis/analysis-orders.ts'
import type { Metric, UsageRow } from '../../api/contract.ts'
import { isMoneyMetric } from '../../core/usage-figures.ts'
import type { UsageQuestion } from './usage-question.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatColumns, formatTable } from '../table.ts'
import type { Column } from '../table.ts'
import { alignAmounts, alignRight, formatCount, formatShare, formatUsd } from './usage-amounts.ts'
import { formatBar, formatSparkline } from './usage-bars.ts'
import type { Terminal } from './usage-bars.ts'
import { describeNothing } from './usage-words.ts'

export interface UsageAnswer {
  readonly question: UsageQuestion
  readonly envelope: UsageBreakdown
  readonly keyNames: ReadonlyMap<string, string>
}

const LABEL_CHARS_MAX = 48
const LABEL_CHARS_MIN = 12
const BAR_CELLS_MAX = 40
const BAR_CELLS_MIN = 6
const GAP_CELLS = 2
/** How far the sum of rounded figures may be off. */
const ROUNDING_USD = 1e-6

export function formatAnswer(answer: UsageAnswer, terminal: Terminal): string {
  const { question, envelope } = answer
  const { rows } = envelope
  if (isNothing(question, rows)) return describeNothing(question)
  if (question['window'] === 'monthly_series') return formatSeries(rows, terminal)
  switch (question['dimension']) {
    case undefined:
      return formatTotal(question, rows)
    case 'day':
      return formatTrend(rows, terminal)
    default:
      return formatBreakdown(answer, terminal)
  }
}

/** Groups that cost nothing are still an answer; a total or a trend of zeros is not. */
function isNothing({ dimension, window }: UsageQuestion, rows: readonly UsageRow[]): boolean {
  const isBreakdown = dimension !== undefined && dimension !== 'day' && window !== 'monthly_series'
  return isBreakdown ? rows.length === 0 : rows.every(({ value }) => value === 0)
}

function formatTotal({ metric }: UsageQuestion, rows: readonly UsageRow[]): string {
  const value = rows[0]?.value ?? 0
  return isMoneyMetric(metric as Metric) ? `${formatUsd(value)} USD` : formatCount(value)
}

/** With a bar for each value, where there is room. */
export function formatBarred(
  columns: readonly Column[],
  values: readonly (number | null)[],
  { barCellsMin = BAR_CELLS_MIN, ...terminal }: Terminal & { readonly barCellsMin?: number },
): string {
  const used = columns.reduce((sum, column) => sum + widthOf(column) + GAP_CELLS, 0)
  const room = Math.min(BAR_CELLS_MAX, terminal.columns - used)
  const scale = {
    max: Math.max(0, ...values.map((value) => value ?? 0)),
    width: room < barCellsMin ? 0 : room,
    isPlain: terminal.isPlain,
  }
  const bars = ['', ...values.map((value) => formatBar(value ?? 0, scale))]
  return formatColumns([...columns, bars])
}

function widthOf(column: Column): number {
  return Math.max(0, ...column.map((cell) => Array.from(cell).length))
}

function formatBreakdown(answer: UsageAnswer, terminal: Terminal): string {
  const { question, envelope } = answer
  const { rows, total } = envelope
  const rest = listRest(answer)
  const amounts = [...rows.map(({ value }) => value), ...rest.map(({ value }) => value), total]
  const columns = [
    ...labelColumns(answer, { rest: rest.map(({ label }) => label), terminal }),
    alignAmounts(['USD', ...amounts.map(formatUsd)]),
    alignRight(['SHARE', ...amounts.map((amount) => formatShare(amount, total))]),
    ...(question['dimension'] === 'dim_model' ? countColumns(rows) : []),
  ]
  const values = amounts.map((_, line) => rows[line]?.value ?? null)
  return formatBarred(columns, values, terminal)
}

/** What is part of the total and has no row of its own. */
function listRest({ question, envelope: { rows, total, untagged } }: UsageAnswer) {
  const shown = rows.reduce((sum, { value }) => sum + value, 0)
  const parts = [
    { label: OTHER_TEXT, value: total - shown - (untagged ?? 0) },
    { label: toNoneText(`dim:${question['dim_key'] ?? ''}`), value: untagged ?? 0 },
  ]
  return parts.filter(({ value }) => value > ROUNDING_USD)
}

interface LabelOptions {
  readonly rest: readonly string[]
  readonly terminal: Terminal
}

function labelColumns(answer: UsageAnswer, { rest, terminal }: LabelOptions): Column[] {
  const { question, envelope } = answer
  const { dimension = '', dim_key: key = '' } = question
  const isByDim = dimension === 'dim' || dimension === 'dim_model'
  const labels = [
    isByDim ? toPrintable(key).toUpperCase() : dimension.replace('_', ' ').toUpperCase(),
    ...envelope.rows.map(({ label }) => label),
    ...rest,
    'total',
  ]
  const second = secondColumn(answer)
  const columns = second === null ? [labels] : [labels, second]
  const share = Math.floor(terminal.columns / (columns.length + 1))
  const charsMax = Math.max(LABEL_CHARS_MIN, Math.min(LABEL_CHARS_MAX, share))
  return columns.map((column) => column.map((cell) => cutCell(toPrintable(cell), charsMax)))
}

function secondColumn({ question, envelope, keyNames }: UsageAnswer): Column | null {
  const { rows } = envelope
  if (question['dimension'] === 'dim_model') {
    return ['MODEL', ...rows.map(({ model }) => model ?? '')]
  }
  if (keyNames.size === 0) return null
  return ['NAME', ...rows.map(({ label }) => keyNames.get(label) ?? '')]
}

function countColumns(rows: readonly UsageRow[]): Column[] {
  const toCell = (count: number | null): string => (count === null ? '' : formatCount(count))
  return [
    alignRight(['REQUESTS', ...rows.map(({ requests }) => toCell(requests))]),
    alignRight(['TOKENS', ...rows.map(({ tokens }) => toCell(tokens))]),
  ]
}

function formatTrend(rows: readonly UsageRow[], terminal: Terminal): string {
  const values = rows.map(({ value }) => value)
  const table = formatBarred(
    [['DAY', ...rows.map(({ label }) => label)], alignAmounts(['USD', ...values.map(formatUsd)])],
    values,
    terminal,
  )
  return `${formatTrendLine(rows, terminal)}\n\n${table}`
}

/** `▁▂█  12.34 USD in total, most on 2026-01-20: 2.34`. */
export function formatTrendLine(rows: readonly UsageRow[], { isPlain }: Terminal): string {
  const values = rows.map(({ value }) => value)
  const sum = values.reduce((before, value) => before + value, 0)
  const most = sum === 0 ? undefined : rows[values.indexOf(Math.max(...values))]
  const line = formatSparkline(values, isPlain)
  const peak = most === undefined ? '' : `, most on ${most.label}: ${formatUsd(most.value)}`
  return `${line}  ${formatUsd(sum)} USD in total${peak}`
}

function formatSeries(rows: readonly UsageRow[], terminal: Terminal): string {
  const charsMax = Math.max(LABEL_CHARS_MIN, Math.floor(terminal.columns / 3))
  const toLabel = ({ label }: UsageRow): string => cutCell(toPrintable(label), charsMax)
  const lines = [...Map.groupBy(rows, ({ label }) => label).values()]
    .map((ofLabel) => ({ ofLabel, sum: ofLabel.reduce((sum, { value }) => sum + value, 0) }))
    .toSorted((one, other) => other.sum - one.sum)
  const trends = formatTable(
    lines.map(({ ofLabel, sum }) => [
      toLabel(ofLabel[0] as UsageRow),
      formatSparkline(
        ofLabel.map(({ value }) => value),
        terminal.isPlain,
      ),
      `${formatUsd(sum)} USD in total`,
    ]),
  )
  const months = rows.map(({ bucket }, line) =>
    bucket === rows[line - 1]?.bucket ? '' : (bucket ?? '').slice(0, 7),
  )
  const values = rows.map(({ value }) => value)
  const columns = [
    ['MONTH', ...months],
    ['PROVIDER', ...rows.map(toLabel)],
    alignAmounts(['USD', ...values.map(formatUsd)]),
  ]
  return `${trends}\n\n${formatBarred(columns, values, terminal)}`
}
