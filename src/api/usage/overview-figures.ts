// The figures of the first page: questions of the catalogue, asked together. Must stay true: each
// is what /v1/usage answers at the same moment.

import type { UsageQuestion, UsageSum } from '../../store/usage/usage-store.ts'
import type { Overview, UsageRow } from '../contract.ts'
import type { UsageQuery } from './parse-usage-query.ts'
import { toStoreQuestion, toUsageRows } from './usage-query.ts'

/** How many rows each list of the largest has. */
export const TOP_COUNT = 5

const ALL = {
  dimension: null,
  dimKey: null,
  month: null,
  months: null,
  limit: TOP_COUNT,
  keyId: null,
} as const
const MONTH = { ...ALL, metric: 'cost_usd', window: 'month_to_date' } as const

const QUERIES = {
  today: { ...ALL, metric: 'cost_usd', window: 'today' },
  yesterday: { ...ALL, metric: 'cost_usd', window: 'yesterday' },
  month: MONTH,
  lastMonth: { ...ALL, metric: 'cost_usd', window: 'last_month' },
  requestsToday: { ...ALL, metric: 'requests', window: 'today' },
  requestsMonth: { ...ALL, metric: 'requests', window: 'month_to_date' },
  tokensMonth: { ...ALL, metric: 'tokens', window: 'month_to_date' },
  days: { ...ALL, metric: 'cost_usd', window: 'last_30_days', dimension: 'day' },
  providers: { ...MONTH, dimension: 'provider' },
  models: { ...MONTH, dimension: 'model' },
} as const satisfies Readonly<Record<string, UsageQuery>>

type FigureName = keyof typeof QUERIES | 'keys' | 'dim'

export interface FigureList {
  readonly dimKey: string | null
  readonly queries: ReadonlyMap<FigureName, UsageQuery>
  /** What the store is asked, in the order of the queries. */
  readonly questions: readonly UsageQuestion[]
}

export interface FigureChoice {
  readonly dimKey: string | null
  readonly hasKeys: boolean
}

export function listFigures({ dimKey, hasKeys }: FigureChoice, nowMs: number): FigureList {
  const queries = new Map<FigureName, UsageQuery>(
    Object.entries(QUERIES) as [keyof typeof QUERIES, UsageQuery][],
  )
  if (hasKeys) queries.set('keys', { ...MONTH, dimension: 'api_key' })
  if (dimKey !== null) queries.set('dim', { ...MONTH, dimension: 'dim', dimKey })
  const questions = [...queries.values()].map((query) => toStoreQuestion(query, nowMs))
  return { dimKey, queries, questions }
}

/** `sums` are the answers to the list's questions; what is not known has no rows. */
export function toFigures(
  { dimKey, queries }: FigureList,
  sums: readonly (readonly UsageSum[] | undefined)[],
  nowMs: number,
): Overview['figures'] {
  const rows = new Map<FigureName, UsageRow[]>(
    Array.from(queries, ([name, query], place) => {
      const known = sums[place]
      return [name, known === undefined ? [] : toUsageRows(known, query, nowMs)]
    }),
  )
  const list = (name: FigureName): UsageRow[] => rows.get(name) ?? []
  const total = (name: FigureName): number => list(name)[0]?.value ?? 0
  return {
    today_usd: total('today'),
    yesterday_usd: total('yesterday'),
    month_to_date_usd: total('month'),
    last_month_usd: total('lastMonth'),
    requests_today: total('requestsToday'),
    requests_month_to_date: total('requestsMonth'),
    tokens_month_to_date: total('tokensMonth'),
    days: list('days'),
    providers: list('providers'),
    models: list('models'),
    keys: rows.get('keys') ?? null,
    dim_key: dimKey,
    dim: list('dim'),
  }
}
