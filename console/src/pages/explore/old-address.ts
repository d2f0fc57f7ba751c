// Addresses of Explore from when it asked the questions of /v1/usage: they lead to the same figures
// under their new address, so that links in chats and documents go on working.

import { METRICS } from '../../../../src/api/usage/catalogue.ts'
import { parseExploreSearch } from './explore-search.ts'
import type { ExploreSearch } from './explore-search.ts'
import { toMonthBefore } from '../../data/month-before.ts'
import { compact, parseChoice, parseCount, parseText } from '../../data/search-values.ts'
import type { RawSearch } from '../../data/search-values.ts'

const OLD_NAMES = ['metric', 'window', 'dimension'] as const
const MONTHS_DEFAULT = 12
const MONTHS_MAX = 24

const MEASURES = { cost_usd: 'cost', requests: 'requests', tokens: 'tokens' } as const

/** Null for an address of today. */
export function fromOldAddress(raw: RawSearch, nowMs: number): ExploreSearch | null {
  if (!OLD_NAMES.some((name) => raw[name] !== undefined)) return null
  const metric = parseChoice(raw['metric'], METRICS) ?? 'cost_usd'
  const key = parseText(raw['api_key'])
  const search = compact({
    ...toRange(raw, nowMs),
    interval: toInterval(raw),
    group_by: toGroups(raw),
    filter: key === undefined ? undefined : [`api_key=${key}`],
    order_by: MEASURES[metric],
    limit: parseText(raw['limit']),
  })
  return parseExploreSearch({ ...search })
}

function toInterval(raw: RawSearch): 'day' | 'month' | 'none' {
  if (raw['window'] === 'monthly_series') return 'month'
  return raw['dimension'] === 'day' ? 'day' : 'none'
}

function toGroups(raw: RawSearch): readonly string[] {
  const dimension = parseText(raw['dimension'])
  const key = parseText(raw['dim_key'])
  switch (dimension) {
    case 'dim':
      return key === undefined ? [] : [`dim:${key}`]
    case 'dim_model':
      return key === undefined ? ['model'] : [`dim:${key}`, 'model']
    case undefined:
    case 'day':
      return []
    default:
      return [dimension]
  }
}

function toRange(raw: RawSearch, nowMs: number): RawSearch {
  const today = new Date(nowMs).toISOString()
  switch (raw['window']) {
    case 'month': {
      const month = parseText(raw['month']) ?? toMonthBefore(today)
      return { from: `${month}-01`, to: `${toMonthBefore(month, -1)}-01` }
    }
    case 'monthly_series': {
      const months = parseCount(raw['months'], MONTHS_MAX) ?? MONTHS_DEFAULT
      if (months === MONTHS_DEFAULT) return { range: 'last_12_months' }
      return { from: `${toMonthBefore(today, months - 1)}-01` }
    }
    case undefined:
    case 'month_to_date':
      return { range: 'this_month' }
    default:
      // The others have the same names.
      return { range: raw['window'] }
  }
}
