// The tools' answers as text, for clients that show only that. Must stay true: nothing is left out.

import type { BudgetRow, Metric, RequestDetail, UsageEnvelope, UsageRow } from '../contract.ts'
import { describeDifference } from '../prices/difference-words.ts'
import { CALL_WORDS, toReason } from '../requests/call-words.ts'
import type { Questions } from './mcp-questions.ts'
import type { UsageQuery } from '../usage/parse-usage-query.ts'

const UNITS: Readonly<Record<Metric, string>> = {
  cost_usd: 'USD',
  requests: 'requests',
  tokens: 'tokens',
}

export function formatUsage(query: UsageQuery, { asOf, rows }: UsageEnvelope): string {
  const { metric, window, dimension, limit } = query
  const lines = rows.map((row) => `- ${formatRow(row, metric)}`)
  const isCut = dimension !== null && dimension !== 'day' && window !== 'monthly_series'
  return [
    `${describeQuery(query)}, as of ${asOf}:`,
    ...(rows.length === 0 ? [describeNothing(query)] : lines),
    ...(isCut && rows.length === limit ? [`Cut at limit ${limit}: there may be more.`] : []),
  ].join('\n')
}

function describeQuery(query: UsageQuery): string {
  const { metric, window, dimension, dimKey, month, months, keyId } = query
  const by = dimension === null ? 'in total' : `by ${dimension}`
  const parts = [
    dimKey === null ? `${metric} ${by}` : `${metric} ${by} ${quote(dimKey)}`,
    `${window}${month === null ? '' : ` ${month}`}${months === null ? '' : ` of ${months}`}`,
    ...(keyId === null ? [] : [`key ${keyId} only`]),
  ]
  return parts.join(', ')
}

function describeNothing({ dimKey }: UsageQuery): string {
  if (dimKey === null) return 'No such call was recorded in that time.'
  return `No call in that time carried a dimension ${quote(dimKey)}. Its name may be another.`
}

function formatRow(row: UsageRow, metric: Metric): string {
  const bucket = row.bucket === null ? '' : `${row.bucket} `
  const model = row.model === null ? '' : ` with model ${quote(row.model)}`
  const counts = row.requests === null ? '' : `, ${row.requests} requests, ${row.tokens} tokens`
  return `${bucket}${quote(row.label)}${model}: ${row.value} ${UNITS[metric]}${counts}`
}

export function formatRequest(detail: RequestDetail): string {
  const { explanation, dims } = detail
  const model = detail.model ?? detail.requested_model
  const reason = toReason(detail)
  const dimensions = Object.entries(dims).map(([key, value]) => `${key}=${quote(value)}`)
  return [
    `Request ${detail.id}: ${CALL_WORDS[detail.status].label}${reason === null ? '' : ` (${reason})`}, provider ${detail.provider}, ` +
      `model ${model === null ? 'not known' : quote(model)}, ` +
      `key ${detail.api_key ?? 'not known'}, ended ${detail.ended_at}.`,
    ...(detail.team === null ? [] : [`Team: ${quote(detail.team)}`]),
    ...(detail.person === null ? [] : [`Person: ${detail.person}`]),
    ...(detail.tool === null ? [] : [`Tool: ${quote(detail.tool)}`]),
    ...(detail.session === null ? [] : [`Session: ${quote(detail.session)}`]),
    ...(dimensions.length === 0 ? [] : [`Dimensions: ${dimensions.join(', ')}`]),
    ...explanation.lines.map(
      (line) =>
        `- ${line.count} ${line.unit} × ${line.rate_usd} USD = ${line.cost_usd} USD` +
        (line.model === null ? '' : ` (${quote(line.model)})`),
    ),
    `Cost: ${explanation.total_usd === null ? 'not known' : `${explanation.total_usd} USD`}. ${explanation.text}`,
    ...explanation.differs.map(
      (each) => `Sources differ about ${quote(each.model)}: ${describeDifference(each)}.`,
    ),
  ].join('\n')
}

export function formatBudgets(rows: readonly BudgetRow[]): string {
  if (rows.length === 0) return 'There are no budgets.'
  const lines = rows.map((row) => {
    const forecast = row.forecast_usd === null ? '' : `, ${row.forecast_usd} USD expected`
    const gap =
      row.unpriced_requests === 0 ? '' : `, ${row.unpriced_requests} calls without a price`
    const kind = row.blocking ? 'refuses calls beyond it' : 'only alerts'
    return (
      `- ${quote(row.name)} (${row.id}, ${quote(row.scope)}): ${row.spent_usd} of ${row.limit_usd} USD ` +
      `(${row.spent_percent} %) in the ${row.period} until ${row.period_end}${forecast}${gap}; ${kind}.`
    )
  })
  return lines.join('\n')
}

export function formatQuestions({ now, questions, windows, parameters, notes }: Questions): string {
  return [
    `It is ${now} (UTC). query_usage answers:`,
    ...questions.map(
      ({ question, windows: served, is_allowed: isAllowed, example }) =>
        `- ${question} Windows: ${served.join(', ')}. Example: ${JSON.stringify(example)}` +
        (isAllowed ? '' : ' (not with this token)'),
    ),
    'Windows:',
    ...windows.map(({ window, from, to, meaning }) => `- ${window}: ${from} to ${to}; ${meaning}`),
    'Parameters:',
    ...parameters.map(
      ({ name, is_required: isRequired, meaning }) =>
        `- ${name}${isRequired ? ' (required)' : ''}: ${meaning}`,
    ),
    ...notes,
  ].join('\n')
}

function quote(name: string): string {
  return JSON.stringify(name)
}
