// Access tokens, with which programs ask the API. A secret is only in the answer of the mutation
// that made it, never in the cache.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  CreatedTokenAnswer,
  NewTokenBody,
  TokenList,
  TokenRowAnswer,
} from '../../../../src/api/contract.ts'
import { ask } from '../../data/api-client.ts'
import type { Scope } from '../../data/session.ts'

const TOKENS_KEY = ['tokens'] as const

export const tokensQuery = queryOptions({
  queryKey: TOKENS_KEY,
  queryFn: ({ signal }) => ask<TokenList>('/v1/tokens', { signal }),
})

export const useCreateToken = () =>
  useTokenChange((body: NewTokenBody) =>
    ask<CreatedTokenAnswer>('/v1/tokens', { method: 'POST', body }),
  )

export const useRevokeToken = () =>
  useTokenChange((id: string) =>
    ask<TokenRowAnswer>(`/v1/tokens/${encodeURIComponent(id)}/revoke`, { method: 'POST' }),
  )

function useTokenChange<Body, Answer>(change: (body: Body) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    // The answer may contain a secret: it is dropped with the page that shows it.
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: TOKENS_KEY }),
  })
}

export interface ScopeWords {
  readonly scope: Scope
  readonly label: string
  readonly description: string
}

/** What each scope lets a program do, from the weakest to the most powerful. */
export const SCOPE_WORDS: readonly ScopeWords[] = [
  {
    scope: 'read:usage',
    label: 'Read usage and cost',
    description: 'Figures of /v1/usage, exports, budgets and prices. Enough for a dashboard.',
  },
  {
    scope: 'read:requests',
    label: 'Read single requests',
    description: 'The request log: when, by whom, which model, how many tokens.',
  },
  {
    scope: 'read:keys',
    label: 'Read API keys',
    description: 'Their names and policies. Never their secrets.',
  },
  {
    scope: 'write:keys',
    label: 'Change API keys',
    description:
      'Create, change, rotate and revoke them. Sees the secrets of keys that it creates.',
  },
  {
    scope: 'write:budgets',
    label: 'Change budgets',
    description: 'Budgets and where their alerts go.',
  },
  {
    scope: 'write:prices',
    label: 'Change prices',
    description: 'Your own prices, and repricing past calls.',
  },
  {
    scope: 'admin',
    label: 'Everything',
    description: 'All of the above, and users, access tokens and the audit log.',
  },
]
