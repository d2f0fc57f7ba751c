// Prices: what models cost, the operator's own rules, what has no price, and repricing. When
// recorded costs have changed, every figure on this page is asked for again.

import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
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
import { ask, toPath } from '../../data/api-client.ts'
import type { PricesSearch } from '../../data/page-search.ts'

const PRICES_KEY = ['prices'] as const
const PAGE_ROWS = 100
const PRICES_STALE_MS = 60_000

export function modelPricesQuery({ search, provider }: PricesSearch) {
  return infiniteQueryOptions({
    queryKey: [...PRICES_KEY, 'models', { search, provider }] as const,
    queryFn: ({ pageParam, signal }) => {
      const question = { search, provider, limit: PAGE_ROWS, cursor: pageParam }
      return ask<PricePage>(toPath('/v1/prices', question), { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    staleTime: PRICES_STALE_MS,
    // While the next letters of a search are typed, the last answer stays.
    placeholderData: keepPreviousData,
  })
}

export interface PriceSubject {
  readonly provider: string
  readonly model: string
}

export function priceHistoryQuery({ provider, model }: PriceSubject) {
  return queryOptions({
    queryKey: [...PRICES_KEY, 'history', { provider, model }] as const,
    queryFn: ({ signal }) =>
      ask<PriceHistory>(toPath('/v1/prices/history', { provider, model }), { signal }),
    staleTime: PRICES_STALE_MS,
  })
}

export const priceRulesQuery = queryOptions({
  queryKey: [...PRICES_KEY, 'rules'],
  queryFn: ({ signal }) => ask<PriceRuleList>('/v1/prices/rules', { signal }),
})

export const missingQuery = queryOptions({
  queryKey: [...PRICES_KEY, 'missing'],
  queryFn: ({ signal }) => ask<MissingPriceList>('/v1/prices/missing', { signal }),
})

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

export interface SetPriceRequest {
  readonly body: NewPriceRuleBody
  /** Of the price that it replaces; null where it should replace none. */
  readonly over: number | null
}

export const useSetPrice = () =>
  usePriceChange(({ body, over }: SetPriceRequest) => {
    const condition = over === null ? { isNew: true } : { version: over }
    return ask<PriceRuleAnswer>('/v1/prices/rules', { method: 'POST', body, ...condition })
  })

export const useRemovePrice = (id: string) =>
  usePriceChange(() =>
    ask<PriceRuleAnswer>(`/v1/prices/rules/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  )

function usePriceChange<Body, Answer>(change: (body: Body) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: PRICES_KEY }),
  })
}
