// How recorded calls are listed: a line each, in columns of fixed width, so that lines that are
// printed later fit below.

import type { RequestRow, RequestSummaryAnswer } from '../api/contract.ts'
import { CALL_WORDS, toReason } from '../api/requests/call-words.ts'
import { toPrintable } from './printable.ts'
import { cutCell } from './table.ts'
import { formatCount } from './usage/usage-amounts.ts'

/** By id; empty for who may not read keys. */
export type KeyNames = ReadonlyMap<string, string>

interface Column {
  readonly heading: string
  readonly width: number
  readonly toCell: (row: RequestRow, names: KeyNames) => string
  /** Left out where no call has a team. */
  readonly isOfTeams?: true
}

const COLUMNS: readonly Column[] = [
  { heading: 'STARTED', width: 20, toCell: ({ started_at: at }) => `${at.slice(0, 19)}Z` },
  { heading: 'ID', width: 36, toCell: ({ id }) => id },
  {
    heading: 'KEY',
    width: 22,
    toCell: ({ api_key: key }, names) => (key === null ? '(none)' : (names.get(key) ?? key)),
  },
  { heading: 'TEAM', width: 16, toCell: ({ team }) => team ?? '', isOfTeams: true },
  { heading: 'PROVIDER', width: 12, toCell: ({ provider }) => provider },
  { heading: 'MODEL', width: 28, toCell: toModel },
  { heading: 'MS', width: 7, toCell: ({ duration_ms: ms }) => String(ms) },
  { heading: 'TOKENS', width: 9, toCell: countTokens },
  { heading: 'USD', width: 14, toCell: toCost },
  // Last, as it may be long: what it says is not cut.
  { heading: 'STATUS', width: 120, toCell: describeStatus },
]

export interface RequestsView {
  readonly hasHeading: boolean
  readonly hasTeams: boolean
  readonly names: KeyNames
}

export function formatRequests(
  rows: readonly RequestRow[],
  { hasHeading, hasTeams, names }: RequestsView,
): string {
  const columns = COLUMNS.filter(({ isOfTeams }) => hasTeams || isOfTeams === undefined)
  const headings = columns.map(({ heading, width }) => heading.padEnd(width))
  const lines = rows.map((row) =>
    columns.map(({ toCell, width }) =>
      cutCell(toPrintable(toCell(row, names)), width).padEnd(width),
    ),
  )
  const all = hasHeading && rows.length > 0 ? [headings, ...lines] : lines
  if (all.length === 0) return 'No call on record matches.'
  return all.map((cells) => cells.join('  ').trimEnd()).join('\n')
}

/** What is below the rows: how many calls match in all, and what they cost. */
export function formatSummary(summary: RequestSummaryAnswer, shown: number): string {
  const { calls, requests, denied, unpriced, cost_usd: cost, is_complete: isComplete } = summary
  const more = isComplete ? '' : 'more than '
  const beside = denied === 0 ? '' : `, and ${formatCount(denied)} denied`
  const all = `${more}${formatCount(requests)} ${requests === 1 ? 'call' : 'calls'}${beside}`
  const gap = unpriced === 0 ? '' : ` (${formatCount(unpriced)} without a known cost)`
  const part = shown < calls || !isComplete ? ` ${formatCount(shown)} are shown.` : ''
  return `\n${all}, together ${more}${cost} USD${gap}.${part}`
}

/** `denied by Weir: 403 model_not_allowed` */
function describeStatus(row: RequestRow): string {
  const reason = toReason(row) ?? row.http_status
  const { label } = CALL_WORDS[row.status]
  return reason === null ? label : `${label}: ${reason}`
}

/** Of a call that did not run, the one that was asked for. */
function toModel({ model, requested_model: requested }: RequestRow): string {
  return model ?? requested ?? '(not stated)'
}

/** What was denied is in no sum, so it has no cost. */
function toCost({ status, cost_usd: cost }: RequestRow): string {
  return status === 'denied' ? '' : (cost ?? 'not known')
}

/** Empty where nothing is known of them. */
function countTokens({ input_tokens: input, output_tokens: output }: RequestRow): string {
  return input === null && output === null ? '' : String((input ?? 0) + (output ?? 0))
}
