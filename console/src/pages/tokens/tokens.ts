// Access tokens, with which programs ask the API. A secret is only in the answer of the mutation
// that made it, never in the cache.

import type {
  CreatedTokenAnswer,
  NewTokenBody,
  TokenList,
  TokenRowAnswer,
} from '../../../../src/api/contract.ts'
import { ask, toOne } from '../../data/api-client.ts'
import { readQuery, useChange } from '../../data/queries.ts'
import type { Scope } from '../../data/session.ts'

const TOKENS = '/v1/tokens'
const TOKENS_KEY = ['tokens'] as const

export const tokensQuery = readQuery<TokenList>(TOKENS_KEY, TOKENS)

export const useCreateToken = () =>
  useChange(
    (body: NewTokenBody) => ask<CreatedTokenAnswer>(TOKENS, { method: 'POST', body }),
    TOKENS_KEY,
  )

export const useRevokeToken = () =>
  useChange(
    (id: string) => ask<TokenRowAnswer>(toOne(TOKENS, id, 'revoke'), { method: 'POST' }),
    TOKENS_KEY,
  )

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
    scope: 'scim',
    label: 'Provision users and groups',
    description:
      'For the company’s directory, by SCIM: it adds, changes and removes users. As powerful as an administrator.',
  },
  {
    scope: 'admin',
    label: 'Everything',
    description: 'All of the above, and users, access tokens and the audit log.',
  },
]
