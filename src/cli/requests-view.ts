// How recorded calls are listed: a line each, in columns of fixed width, so that lines that are
// printed later fit below.

import type { RequestRow, RequestSummaryAnswer } from '../api/contract.ts'
import { toPrintable } from './printable.ts'
import { cutCell } from './table.ts'
import { formatCount } from './usage/usage-amounts.ts'

interface Column {
  readonly heading: string
  readonly width: number
  readonly toCell: (row: RequestRow) => string
}

const COLUMNS: readonly Column[] = [
  { heading: 'STARTED', width: 20, toCell: ({ started_at: at }) => `${at.slice(0, 19)}Z` },
  { heading: 'ID', width: 36, toCell: ({ id }) => id },
  { heading: 'KEY', width: 22, toCell: ({ api_key: key }) => key ?? '(none)' },
  { heading: 'PROVIDER', width: 12, toCell: ({ provider }) => provider },
  { heading: 'MODEL', width: 28, toCell: ({ model }) => model ?? '(not stated)' },
  { heading: 'STATUS', width: 15, toCell: describeStatus },
  { heading: 'MS', width: 7, toCell: ({ duration_ms: ms }) => String(ms) },
  { heading: 'TOKENS', width: 9, toCell: countTokens },
  { heading: 'USD', width: 14, toCell: ({ cost_usd: cost }) => cost ?? 'not known' },
]

export function formatRequests(rows: readonly RequestRow[], hasHeading: boolean): string {
  const headings = COLUMNS.map(({ heading, width }) => heading.padEnd(width))
  const lines = rows.map((row) =>
    COLUMNS.map(({ toCell, width }) => cutCell(toPrintable(toCell(row)), width).padEnd(width)),
  )
  const all = hasHeading && rows.length > 0 ? [headings, ...lines] : lines
  if (all.length === 0) return 'No call on record matches.'
  return all.map((cells) => cells.join('  ').trimEnd()).join('\n')
}

/** What is below the rows: how many calls match in all, and what they cost. */
export function formatSummary(summary: RequestSummaryAnswer, shown: number): string {
  const { calls, denied, unpriced, cost_usd: cost, is_complete: isComplete } = summary
  const rest = [
    ...(unpriced === 0 ? [] : [`${formatCount(unpriced)} without a known cost`]),
    ...(denied === 0 ? [] : [`${formatCount(denied)} denied`]),
  ]
  const about = rest.length === 0 ? '' : ` (${rest.join(', ')})`
  const all = isComplete ? formatCount(calls) : `more than ${formatCount(calls)}`
  const sum = isComplete ? `${cost} USD` : `more than ${cost} USD`
  return `\n${formatCount(shown)} of ${all} ${calls === 1 ? 'call' : 'calls'}, together ${sum}${about}.`
}

function describeStatus({ status, http_status: http }: RequestRow): string {
  return http === null ? status : `${status} ${http}`
}

/** Empty where nothing is known of them. */
function countTokens({ input_tokens: input, output_tokens: output }: RequestRow): string {
  return input === null && output === null ? '' : String((input ?? 0) + (output ?? 0))
}
