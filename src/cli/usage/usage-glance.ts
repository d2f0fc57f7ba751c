// What `weir usage` shows without options: recent spend, what it went to, and the trend.

import type { Overview, UsageRow } from '../../../client/weir-client.js'
import { formatColumns, formatMoment } from '../table.ts'
import { alignAmounts, alignRight, formatCount, formatUsd } from './usage-amounts.ts'
import type { Terminal } from './usage-bars.ts'
import { formatAnswer, formatTrendLine } from './usage-table.ts'
import { describeQuestion, FIRST_CALL } from './usage-words.ts'

export function formatGlance(overview: Overview, terminal: Terminal): string {
  const { asOf, has_calls, figures } = overview
  if (!has_calls) {
    return `Nothing is on record yet.\n${FIRST_CALL} weir doctor checks the installation.`
  }
  const total = figures.month_to_date_usd
  const formatTop = (dimension: string, rows: readonly UsageRow[]): string => {
    const question = { metric: 'cost_usd', window: 'month_to_date', dimension }
    const envelope = { asOf, rows, total, untagged: null, repriced: [] }
    const answer = { question, envelope, keyNames: new Map() }
    return `${describeQuestion(question, asOf)}\n${formatAnswer(answer, terminal)}`
  }
  return [
    [formatTotals(figures), ...describeCourse(overview)].join('\n'),
    ...(total === 0
      ? []
      : [formatTop('model', figures.models), formatTop('provider', figures.providers)]),
    `Last 30 days\n${formatTrendLine(figures.days, terminal)}`,
  ].join('\n\n')
}

/** Where this month is heading, and last month by the same time; each with its span. */
function describeCourse(overview: Overview): string[] {
  const { asOf, forecast_usd: forecast, first_call_at: first, comparison } = overview
  const month = asOf.slice(0, 7)
  const since = first !== null && first.slice(0, 7) === month ? first : `${month}-01`
  const lines = []
  if (forecast !== null) {
    lines.push(
      `Forecast for ${month}: ${formatUsd(forecast)}, at the pace since ${toWords(since)}.`,
    )
  }
  if (comparison !== null && comparison.before_cost_usd !== 0) {
    const { from, to, before_from, before_to } = comparison
    lines.push(
      `${toWords(from)} to ${toWords(to)}: ${formatUsd(comparison.cost_usd)}; ` +
        `${toWords(before_from)} to ${toWords(before_to)}: ${formatUsd(comparison.before_cost_usd)}.`,
    )
    // A Weir of an earlier version does not say so.
    const recorded = comparison.recorded_from as string | null | undefined
    if (recorded != null) lines.push(`Nothing is on record before ${toWords(recorded)}.`)
  }
  return lines.length === 0 ? [] : ['', ...lines]
}

/** A midnight as its date alone. */
function toWords(iso: string): string {
  return formatMoment(Date.parse(iso)).replace(' 00:00Z', '')
}

function formatTotals(figures: Overview['figures']): string {
  const costs = [
    figures.today_usd,
    figures.yesterday_usd,
    figures.month_to_date_usd,
    figures.last_month_usd,
  ]
  const requests = [
    formatCount(figures.requests_today),
    '',
    formatCount(figures.requests_month_to_date),
  ]
  const columns = [
    ['SPENT', 'today', 'yesterday', 'month to date', 'last month'],
    alignAmounts(['USD', ...costs.map(formatUsd)]),
    alignRight(['REQUESTS', ...requests, '']),
    alignRight(['TOKENS', '', '', formatCount(figures.tokens_month_to_date), '']),
  ]
  return formatColumns(columns)
}
