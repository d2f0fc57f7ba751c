// Prices: what models cost, the operator's own rules, what has no price, and repricing. When
// recorded costs have changed, every figure on this page is asked for again.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  MissingPriceList,
  NewPriceRuleBody,
  PriceHistory,
  PricePage,
  PriceRuleAnswer,
  PriceRuleList,
  PriceUpdateAnswer,
  PriceUpdateRequest,
  RepriceAnswer,
  RepriceRequest,
} from '../../../../src/api/contract.ts'
import { ask, toOne, toPath } from '../../data/api-client.ts'
import type { PricesSearch } from '../../data/page-search.ts'
import { pagesQuery, readQuery, useChange } from '../../data/queries.ts'

const RULES = '/v1/prices/rules'
const PRICES_KEY = ['prices'] as const
const PAGE_ROWS = 100
const KEPT = { staleTime: 60_000 }

export function modelPricesQuery({ search, provider }: PricesSearch) {
  const question = { search, provider, order: 'used', limit: PAGE_ROWS }
  return pagesQuery<PricePage>([...PRICES_KEY, 'models'], { path: '/v1/prices', ...question }, KEPT)
}

export interface PriceSubject {
  readonly provider: string
  readonly model: string
}

export function priceHistoryQuery({ provider, model }: PriceSubject) {
  const path = toPath('/v1/prices/history', { provider, model })
  return readQuery<PriceHistory>([...PRICES_KEY, 'history', { provider, model }], path, KEPT)
}

export const priceRulesQuery = readQuery<PriceRuleList>([...PRICES_KEY, 'rules'], RULES)

export const missingQuery = readQuery<MissingPriceList>(
  [...PRICES_KEY, 'missing'],
  '/v1/prices/missing',
)

/** What repricing would change; nothing is changed. */
export function dryRunQuery(request: RepriceRequest) {
  return queryOptions({
    queryKey: ['reprice', request] as const,
    queryFn: ({ signal }) =>
      ask<RepriceAnswer>('/v1/prices/reprice', { method: 'POST', body: request, signal }),
    // New calls keep arriving: each preview is a new one.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

export function useApplyReprice() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (request: RepriceRequest) =>
      ask<RepriceAnswer>('/v1/prices/reprice', {
        method: 'POST',
        body: { ...request, apply: true },
      }),
    // Not the dry run: its result is shown beside what was done.
    onSuccess: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'reprice' }),
  })
}

/** What newer prices would change; nothing is changed. */
export const priceUpdateQuery = queryOptions({
  queryKey: ['price-update'] as const,
  queryFn: ({ signal }) =>
    ask<PriceUpdateAnswer>('/v1/prices/update', { method: 'POST', body: { check: true }, signal }),
  // Each check is a new one, made because somebody asked for it.
  staleTime: Infinity,
  gcTime: 0,
  retry: false,
})

export const useApplyPriceUpdate = () =>
  usePriceChange((body: PriceUpdateRequest) =>
    ask<PriceUpdateAnswer>('/v1/prices/update', { method: 'POST', body }),
  )

interface SetPriceRequest {
  readonly body: NewPriceRuleBody
  /** Of the price that it replaces; null where it should replace none. */
  readonly over: number | null
}

export const useSetPrice = () =>
  usePriceChange(({ body, over }: SetPriceRequest) => {
    const condition = over === null ? { isNew: true } : { version: over }
    return ask<PriceRuleAnswer>(RULES, { method: 'POST', body, ...condition })
  })

export const useRemovePrice = (id: string) =>
  usePriceChange(() => ask<PriceRuleAnswer>(toOne(RULES, id), { method: 'DELETE' }))

function usePriceChange<Change, Answer>(change: (change: Change) => Promise<Answer>) {
  return useChange(change, PRICES_KEY)
}
