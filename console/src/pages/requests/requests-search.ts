// What the address of Requests says: which calls are shown, and whether new ones are added live.

import type { RequestRow } from '../../../../src/api/contract.ts'
import { compact, parseChoice, parseFlag, parseText } from '../../data/search-values.ts'
import type { RawSearch } from '../../data/search-values.ts'

export type CallStatus = RequestRow['status']
export type CostSource = RequestRow['source']
export type UsageKnowledge = RequestRow['usage']

export const CALL_STATUSES: readonly CallStatus[] = [
  'delivered',
  'refused',
  'aborted',
  'cut',
  'interrupted',
  'denied',
]
export const COST_SOURCES: readonly CostSource[] = [
  'gateway',
  'provider',
  'byok-zero',
  'price-book',
  'override',
  'unpriced',
  'free',
]

export const USAGE_KNOWLEDGE: readonly UsageKnowledge[] = [
  'reported',
  'partial',
  'estimated',
  'none',
]

/** Spans that end now. */
export const REQUEST_RANGES = ['hour', 'day', 'week', 'month'] as const
export type RequestRange = (typeof REQUEST_RANGES)[number]

export interface RequestsSearch {
  /** Not together with from and to. */
  readonly range?: RequestRange | undefined
  /** A moment or a date, UTC. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly api_key?: string | undefined
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly dim_key?: string | undefined
  readonly dim_value?: string | undefined
  readonly status?: CallStatus | undefined
  readonly source?: CostSource | undefined
  readonly usage?: UsageKnowledge | undefined
  readonly live?: true | undefined
}

export function parseRequestsSearch(raw: RawSearch): RequestsSearch {
  const dimKey = parseText(raw['dim_key'])
  const [from, to] = [parseMoment(raw['from']), parseMoment(raw['to'])]
  const isExact = from !== undefined || to !== undefined
  return compact({
    range: isExact ? undefined : parseChoice(raw['range'], REQUEST_RANGES),
    from,
    to,
    api_key: parseText(raw['api_key']),
    provider: parseText(raw['provider']),
    model: parseText(raw['model']),
    dim_key: dimKey,
    // A value alone means nothing, and the API would refuse it.
    dim_value: dimKey === undefined ? undefined : parseText(raw['dim_value']),
    status: parseChoice(raw['status'], CALL_STATUSES),
    source: parseChoice(raw['source'], COST_SOURCES),
    usage: parseChoice(raw['usage'], USAGE_KNOWLEDGE),
    live: parseFlag(raw['live']),
  })
}

/** Live alone narrows nothing. */
export function hasFilter(search: RequestsSearch): boolean {
  const { live: _, ...filter } = search
  return Object.values(filter).some((value) => value !== undefined)
}

function parseMoment(value: unknown): string | undefined {
  const text = parseText(value)
  return text !== undefined && /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined
}
