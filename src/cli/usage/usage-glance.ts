// What `weir usage` shows without options: recent spend, what it went to, and the trend.

import type { Overview, UsageRow } from '../../../client/weir-client.js'
import { formatTable } from '../table.ts'
import { alignAmounts, alignRight, formatCount, formatUsd } from './usage-amounts.ts'
import type { Terminal } from './usage-bars.ts'
import { formatAnswer, formatTrendLine } from './usage-table.ts'
import { describeQuestion, FIRST_CALL } from './usage-words.ts'

export function formatGlance({ asOf, has_calls, figures }: Overview, terminal: Terminal): string {
  if (!has_calls) {
    return `Nothing is on record yet.\n${FIRST_CALL} weir doctor checks the installation.`
  }
  const total = figures.month_to_date_usd
  const formatTop = (dimension: string, rows: readonly UsageRow[]): string => {
    const question = { metric: 'cost_usd', window: 'month_to_date', dimension }
    const envelope = { asOf, rows, total, untagged: null }
    const answer = { question, envelope, keyNames: new Map() }
    return `${describeQuestion(question, asOf)}\n${formatAnswer(answer, terminal)}`
  }
  return [
    formatTotals(figures),
    ...(total === 0
      ? []
      : [formatTop('model', figures.models), formatTop('provider', figures.providers)]),
    `Last 30 days\n${formatTrendLine(figures.days, terminal)}`,
  ].join('\n\n')
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
  const lines = costs.map((_, index) => index + 1)
  return formatTable([0, ...lines].map((line) => columns.map((column) => column[line] ?? '')))
}
