// What the addresses of the smaller pages say: which tab, which search, which order.

import { SHOWN_KEY_STATUSES } from '../../../src/core/api-key.ts'
import { createSearch, oneOf, parseOwnPath, parseText } from './search-values.ts'

export const parseOverviewSearch = createSearch({
  group_by: parseText,
  /** Of an address of before: a dimension to group by. */
  dim: parseText,
})
export type OverviewSearch = ReturnType<typeof parseOverviewSearch>

export const KEY_ORDERS = ['spent', 'name', 'created'] as const

export const parseKeysSearch = createSearch({
  search: parseText,
  status: oneOf(SHOWN_KEY_STATUSES),
  team: parseText,
  order: oneOf(KEY_ORDERS),
})
export type KeysSearch = ReturnType<typeof parseKeysSearch>

export const KEY_TABS = ['report', 'settings'] as const

export const parseKeySearch = createSearch({ tab: oneOf(KEY_TABS) })

export const TEAM_STATUSES = ['active', 'archived'] as const

export const parseTeamsSearch = createSearch({ search: parseText, status: oneOf(TEAM_STATUSES) })
export type TeamsSearch = ReturnType<typeof parseTeamsSearch>

export const TEAM_TABS = ['report', 'keys', 'people', 'asks', 'budgets', 'settings'] as const

export const parseTeamSearch = createSearch({ tab: oneOf(TEAM_TABS) })

export const BUDGET_TABS = ['budgets', 'nearest', 'alerts', 'targets'] as const

export const parseBudgetsSearch = createSearch({ tab: oneOf(BUDGET_TABS) })

export const PRICE_TABS = ['models', 'overrides', 'missing'] as const

export const parsePricesSearch = createSearch({
  tab: oneOf(PRICE_TABS),
  search: parseText,
  provider: parseText,
  /** Whose history is shown: `openai/gpt-4o`, the provider first. */
  model: parseText,
})
export type PricesSearch = ReturnType<typeof parsePricesSearch>

export const parseAuditSearch = createSearch({
  noun: parseText,
  action: parseText,
  actor: parseText,
  subject: parseText,
  /** Days, UTC. */
  from: parseText,
  to: parseText,
})
export type AuditSearch = ReturnType<typeof parseAuditSearch>

export const SETTINGS_TABS = ['service', 'providers', 'users', 'account'] as const

export const parseSettingsSearch = createSearch({ tab: oneOf(SETTINGS_TABS) })

export const parseSignInSearch = createSearch({
  /** Where to go afterwards, on this host. */
  to: parseOwnPath,
  /** Why it is shown: `ended`, or an error code of signing in by OIDC. */
  error: parseText,
})

export const parseDeviceSearch = createSearch({
  /** Filled in, and no more. */
  user_code: parseText,
})

export const parseCodeSearch = createSearch({
  /** Of a one-time link. */
  code: parseText,
})
