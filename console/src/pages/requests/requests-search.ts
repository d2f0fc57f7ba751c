// What the address of Requests says: which calls are shown, in which order, and whether new ones
// are added live.

import type { RequestRow } from '../../../../src/api/contract.ts'
import { RANGE_PRESETS } from '../../data/analysis/time-range.ts'
import { compact, parseChoice, parseFlag, parseText, parseTexts } from '../../data/search-values.ts'
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
/** Whoever made the call got no whole answer, and did not end it. */
export const FAILED_STATUSES: readonly CallStatus[] = ['refused', 'cut', 'interrupted', 'denied']
export const COST_SOURCES: readonly CostSource[] = [
  'gateway',
  'provider',
  'byok-zero',
  'plan',
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

/** Those of every page of figures, and the last hour. */
export const REQUEST_RANGES = ['hour', ...RANGE_PRESETS] as const
export type RequestRange = (typeof REQUEST_RANGES)[number]
/** In addresses from before. */
const OLDER_RANGES: Readonly<Record<string, RequestRange>> = {
  day: 'last_24_hours',
  week: 'last_7_days',
  month: 'last_30_days',
}

const REQUEST_SORTS = ['cost', 'duration'] as const
type RequestSort = (typeof REQUEST_SORTS)[number]

export interface RequestsSearch {
  /** Not together with from and to. */
  readonly range?: RequestRange | undefined
  /** A moment or a date, UTC. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** A call matches one of the values, here and below. */
  readonly api_key?: readonly string[] | undefined
  readonly team?: readonly string[] | undefined
  readonly person?: readonly string[] | undefined
  readonly provider?: readonly string[] | undefined
  readonly model?: readonly string[] | undefined
  readonly dim_key?: string | undefined
  readonly dim_value?: readonly string[] | undefined
  /** The key of a dimension that calls do not have. */
  readonly without_dim?: string | undefined
  readonly status?: readonly CallStatus[] | undefined
  readonly source?: readonly CostSource[] | undefined
  readonly usage?: readonly UsageKnowledge[] | undefined
  readonly http_status?: readonly string[] | undefined
  readonly error_code?: readonly string[] | undefined
  readonly min_duration_ms?: string | undefined
  readonly max_duration_ms?: string | undefined
  readonly streamed?: 'true' | 'false' | undefined
  /** Of a request, a generation or a key. */
  readonly id?: string | undefined
  /** Most expensive or longest first; left out: newest. */
  readonly sort?: RequestSort | undefined
  /** Turned around. */
  readonly direction?: 'asc' | undefined
  /** Newest first only. */
  readonly live?: true | undefined
}

export function parseRequestsSearch(raw: RawSearch): RequestsSearch {
  const dimKey = parseText(raw['dim_key'])
  const [from, to] = [parseMoment(raw['from']), parseMoment(raw['to'])]
  const isExact = from !== undefined || to !== undefined
  const sort = parseChoice(raw['sort'], REQUEST_SORTS)
  const direction = parseChoice(raw['direction'], ['asc'])
  const isNewestFirst = sort === undefined && direction === undefined
  return compact({
    range: isExact ? undefined : parseRange(raw['range']),
    from,
    to,
    api_key: parseTexts(raw['api_key']),
    team: parseTexts(raw['team']),
    person: parseTexts(raw['person']),
    provider: parseTexts(raw['provider']),
    model: parseTexts(raw['model']),
    dim_key: dimKey,
    // A value alone means nothing, and the API would refuse it.
    dim_value: dimKey === undefined ? undefined : parseTexts(raw['dim_value']),
    without_dim: parseText(raw['without_dim']),
    status: parseChoices(raw['status'], CALL_STATUSES),
    source: parseChoices(raw['source'], COST_SOURCES),
    usage: parseChoices(raw['usage'], USAGE_KNOWLEDGE),
    http_status: parseTexts(raw['http_status']),
    error_code: parseTexts(raw['error_code']),
    min_duration_ms: parseText(raw['min_duration_ms']),
    max_duration_ms: parseText(raw['max_duration_ms']),
    streamed: parseChoice(raw['streamed'], ['true', 'false']),
    id: parseText(raw['id']),
    sort,
    direction,
    live: isNewestFirst ? parseFlag(raw['live']) : undefined,
  })
}

/** Without what narrows nothing. */
export function toFilter(
  search: RequestsSearch,
): Omit<RequestsSearch, 'live' | 'sort' | 'direction'> {
  const { live: _live, sort: _sort, direction: _direction, ...filter } = search
  return filter
}

/** The other end of a range, and the value of a dimension. */
const SECOND_PARTS: Readonly<Record<string, string>> = {
  to: 'from',
  max_duration_ms: 'min_duration_ms',
  dim_value: 'dim_key',
}

export function countFilters(search: RequestsSearch): number {
  const set = Object.entries(toFilter(search)).filter(([, value]) => value !== undefined)
  return new Set(set.map(([name]) => SECOND_PARTS[name] ?? name)).size
}

/** Of the columns that a list can be sorted by; a second press turns the order around. */
export function toOrderSearch(
  columnId: string,
  { sort, direction }: RequestsSearch,
): Pick<RequestsSearch, 'sort' | 'direction' | 'live'> {
  const isAgain = columnId === (sort ?? 'time') && direction === undefined
  return {
    sort: REQUEST_SORTS.find((each) => each === columnId),
    direction: isAgain ? 'asc' : undefined,
    live: undefined,
  }
}

function parseChoices<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): readonly Choice[] | undefined {
  const given = parseTexts(value) ?? []
  const known = choices.filter((choice) => given.includes(choice))
  return known.length === 0 ? undefined : known
}

function parseRange(value: unknown): RequestRange | undefined {
  const older = typeof value === 'string' ? OLDER_RANGES[value] : undefined
  return older ?? parseChoice(value, REQUEST_RANGES)
}

function parseMoment(value: unknown): string | undefined {
  const text = parseText(value)
  return text !== undefined && /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined
}
