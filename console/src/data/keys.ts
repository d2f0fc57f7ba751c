// API keys: pages of them, one of them, and what can be done with one. A secret is only in the
// answer of the mutation that made it, never in the cache.

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  CreatedKeyAnswer,
  KeyAnswer,
  KeyBudgetList,
  KeyChangeBody,
  KeyCheckAnswer,
  KeyCheckRequest,
  KeyModelsAnswer,
  KeyModelsRequest,
  KeyPage,
  KeyRow,
  KeySpend,
  NewKeyBody,
} from '../../../src/api/contract.ts'
import { NAME_CHARS_MAX } from '../../../src/core/key-rules.ts'
import { ask, toOne, toPath } from './api-client.ts'
import type { KeysSearch } from './page-search.ts'
import { pagesQuery, readQuery, useChange } from './queries.ts'

const KEYS = '/v1/keys'
const KEYS_KEY = ['keys'] as const
const CHECKS_KEY = ['key-check'] as const
const BUDGETS_KEY = ['budgets'] as const
const TEAMS_KEY = ['teams'] as const
const PAGE_ROWS = 50
const SEARCHED_ROWS = 200
const CHECK_STALE_MS = 60_000
/** Who goes from the list to a key and back sees the figures of one moment. */
const SPEND_STALE_MS = 1000

/** `person`: only their personal keys, by the id of a user. */
export function keysQuery(asked: KeysSearch & { readonly person?: string }) {
  const { search, status, team, person, order } = asked
  const question = { search, status, team, person, order, limit: PAGE_ROWS }
  return pagesQuery<KeyPage>(
    [...KEYS_KEY, 'pages'],
    { path: KEYS, ...question },
    { staleTime: SPEND_STALE_MS },
  )
}

export function keyQuery(id: string) {
  return readQuery<KeyRow>([...KEYS_KEY, 'one', id], toOne(KEYS, id))
}

/** Every budget that counts its calls. */
export function keyBudgetsQuery(id: string) {
  return readQuery<KeyBudgetList>([...BUDGETS_KEY, 'of-key', id], toOne(KEYS, id, 'budgets'))
}

/** What one key spent: one answer, of one moment, which is that of the list. */
export function keySpendQuery(id: string) {
  const again = { staleTime: SPEND_STALE_MS, refetchInterval: CHECK_STALE_MS }
  return readQuery<KeySpend>(['key-spend', id], toOne(KEYS, id, 'spend'), again)
}

/** The ids of keys of this name that are not revoked, as far as a search finds them. */
export function sameNameQuery(name: string) {
  return queryOptions({
    queryKey: [...KEYS_KEY, 'same-name', name.toLowerCase()] as const,
    queryFn: async ({ signal }) => {
      const question = { search: name, order: 'name', limit: SEARCHED_ROWS }
      const { rows } = await ask<KeyPage>(toPath(KEYS, question), { signal })
      const isSame = (row: KeyRow): boolean => row.name.toLowerCase() === name.toLowerCase()
      return rows.filter((row) => isSame(row) && row.status !== 'revoked').map(({ id }) => id)
    },
    enabled: name !== '' && name.length <= NAME_CHARS_MAX,
  })
}

/** Can a key, or a policy that is being edited, use a model? */
export function keyCheckQuery(request: KeyCheckRequest) {
  return queryOptions({
    queryKey: [...CHECKS_KEY, request] as const,
    queryFn: ({ signal }) =>
      ask<KeyCheckAnswer>('/v1/keys/check', { method: 'POST', body: request, signal }),
    staleTime: CHECK_STALE_MS,
    retry: false,
    placeholderData: keepPreviousData,
  })
}

export const useCreateKey = () =>
  useKeyChange((body: NewKeyBody) => ask<CreatedKeyAnswer>(KEYS, { method: 'POST', body }))

/** The known models that a key, or a policy that is being edited, may use; and its warnings. */
export function keyModelsQuery(request: KeyModelsRequest) {
  return queryOptions({
    queryKey: [...CHECKS_KEY, 'models', request] as const,
    queryFn: ({ signal }) =>
      ask<KeyModelsAnswer>('/v1/keys/models', { method: 'POST', body: request, signal }),
    staleTime: CHECK_STALE_MS,
    retry: false,
    placeholderData: keepPreviousData,
  })
}

/** Each at the version that its editor saw. */
export const useChangeKey = (id: string) =>
  useKeyChange(({ body, version }: { readonly body: KeyChangeBody; readonly version: number }) =>
    ask<KeyAnswer>(toOne(KEYS, id), { method: 'PATCH', body, version }),
  )

interface Rotation {
  readonly version: number
  /** How long the old secret goes on working. */
  readonly graceSeconds: number
}

export const useRotateKey = (id: string) =>
  useKeyChange(({ version, graceSeconds }: Rotation) => {
    const body = { grace_seconds: graceSeconds }
    return ask<CreatedKeyAnswer>(toOne(KEYS, id, 'rotate'), { method: 'POST', body, version })
  })

export const useEndGrace = (id: string) =>
  useKeyChange((version: number) =>
    ask<KeyAnswer>(toOne(KEYS, id, 'end-grace'), { method: 'POST', version }),
  )

export const useActOnKey = (id: string, act: 'pause' | 'resume' | 'revoke') =>
  useKeyChange((version: number) =>
    ask<KeyAnswer>(toOne(KEYS, id, act), { method: 'POST', version }),
  )

function useKeyChange<Change, Answer>(change: (change: Change) => Promise<Answer>) {
  // A team's row counts its keys.
  return useChange(change, KEYS_KEY, CHECKS_KEY, BUDGETS_KEY, TEAMS_KEY)
}
