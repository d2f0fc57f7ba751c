// What the addresses of the smaller pages say: which tab, which search, which order.

import { compact, parseChoice, parseOwnPath, parseText } from './search-values.ts'
import type { RawSearch } from './search-values.ts'

export interface OverviewSearch {
  /** The dimension of the last of the top lists. */
  readonly dim?: string | undefined
}

export function parseOverviewSearch(raw: RawSearch): OverviewSearch {
  return compact({ dim: parseText(raw['dim']) })
}

export const KEY_STATUSES = ['active', 'expired', 'revoked'] as const
export const KEY_ORDERS = ['spent', 'name', 'created'] as const

export interface KeysSearch {
  readonly search?: string | undefined
  readonly status?: (typeof KEY_STATUSES)[number] | undefined
  readonly order?: (typeof KEY_ORDERS)[number] | undefined
}

export function parseKeysSearch(raw: RawSearch): KeysSearch {
  return compact({
    search: parseText(raw['search']),
    status: parseChoice(raw['status'], KEY_STATUSES),
    order: parseChoice(raw['order'], KEY_ORDERS),
  })
}

export const BUDGET_TABS = ['budgets', 'alerts', 'targets'] as const

export interface BudgetsSearch {
  readonly tab?: (typeof BUDGET_TABS)[number] | undefined
}

export function parseBudgetsSearch(raw: RawSearch): BudgetsSearch {
  return compact({ tab: parseChoice(raw['tab'], BUDGET_TABS) })
}

export const PRICE_TABS = ['models', 'overrides', 'missing'] as const

export interface PricesSearch {
  readonly tab?: (typeof PRICE_TABS)[number] | undefined
  readonly search?: string | undefined
  readonly provider?: string | undefined
  /** Whose history is shown: `openai/gpt-4o`, the provider first. */
  readonly model?: string | undefined
}

export function parsePricesSearch(raw: RawSearch): PricesSearch {
  return compact({
    tab: parseChoice(raw['tab'], PRICE_TABS),
    search: parseText(raw['search']),
    provider: parseText(raw['provider']),
    model: parseText(raw['model']),
  })
}

export interface AuditSearch {
  readonly noun?: string | undefined
  readonly actor?: string | undefined
  readonly subject?: string | undefined
}

export function parseAuditSearch(raw: RawSearch): AuditSearch {
  return compact({
    noun: parseText(raw['noun']),
    actor: parseText(raw['actor']),
    subject: parseText(raw['subject']),
  })
}

export const SETTINGS_TABS = ['service', 'providers', 'users', 'account'] as const

export interface SettingsSearch {
  readonly tab?: (typeof SETTINGS_TABS)[number] | undefined
}

export function parseSettingsSearch(raw: RawSearch): SettingsSearch {
  return compact({ tab: parseChoice(raw['tab'], SETTINGS_TABS) })
}

export interface SignInSearch {
  /** Where to go afterwards, on this host. */
  readonly to?: string | undefined
  /** Why it is shown: `ended`, or an error code of signing in by OIDC. */
  readonly error?: string | undefined
}

export function parseSignInSearch(raw: RawSearch): SignInSearch {
  return compact({ to: parseOwnPath(raw['to']), error: parseText(raw['error']) })
}

export interface CodeSearch {
  /** Of a one-time link. */
  readonly code?: string | undefined
}

export function parseCodeSearch(raw: RawSearch): CodeSearch {
  return compact({ code: parseText(raw['code']) })
}
