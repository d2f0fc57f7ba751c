// API keys: pages of them, one of them, and what can be done with one. A secret is only in the
// answer of the mutation that made it, never in the cache.

import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type {
  CreatedKeyAnswer,
  KeyAnswer,
  KeyChangeBody,
  KeyCheckAnswer,
  KeyCheckRequest,
  KeyPage,
  KeyRow,
  NewKeyBody,
} from '../../../src/api/contract.ts'
import { NAME_CHARS_MAX } from '../../../src/core/key-rules.ts'
import { ask, toPath } from './api-client.ts'
import type { KeysSearch } from './page-search.ts'

const KEYS_KEY = ['keys'] as const
const PAGE_ROWS = 50
const SEARCHED_ROWS = 200
const CHECK_STALE_MS = 60_000

export function keysQuery({ search, status, order }: KeysSearch) {
  return infiniteQueryOptions({
    queryKey: [...KEYS_KEY, 'pages', { search, status, order }] as const,
    queryFn: ({ pageParam, signal }) => {
      const question = { search, status, order, limit: PAGE_ROWS, cursor: pageParam }
      return ask<KeyPage>(toPath('/v1/keys', question), { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    // While the next letters of a search are typed, the last answer stays.
    placeholderData: keepPreviousData,
  })
}

export function keyQuery(id: string) {
  return queryOptions({
    queryKey: [...KEYS_KEY, 'one', id] as const,
    queryFn: ({ signal }) => ask<KeyRow>(toOne(id), { signal }),
  })
}

/** The ids of keys of this name that are not revoked, as far as a search finds them. */
export function sameNameQuery(name: string) {
  return queryOptions({
    queryKey: [...KEYS_KEY, 'same-name', name.toLowerCase()] as const,
    queryFn: async ({ signal }) => {
      const question = { search: name, order: 'name', limit: SEARCHED_ROWS }
      const { rows } = await ask<KeyPage>(toPath('/v1/keys', question), { signal })
      const isSame = (row: KeyRow): boolean => row.name.toLowerCase() === name.toLowerCase()
      return rows.filter((row) => isSame(row) && row.status !== 'revoked').map(({ id }) => id)
    },
    enabled: name !== '' && name.length <= NAME_CHARS_MAX,
  })
}

/** Can a key, or a policy that is being edited, use a model? */
export function keyCheckQuery(request: KeyCheckRequest) {
  return queryOptions({
    queryKey: ['key-check', request] as const,
    queryFn: ({ signal }) =>
      ask<KeyCheckAnswer>('/v1/keys/check', { method: 'POST', body: request, signal }),
    staleTime: CHECK_STALE_MS,
    retry: false,
    placeholderData: keepPreviousData,
  })
}

export const useCreateKey = () =>
  useKeyChange((body: NewKeyBody) => ask<CreatedKeyAnswer>('/v1/keys', { method: 'POST', body }))

/** Each at the version that its editor saw. */
export const useChangeKey = (id: string) =>
  useKeyChange(({ body, version }: { readonly body: KeyChangeBody; readonly version: number }) =>
    ask<KeyAnswer>(toOne(id), { method: 'PATCH', body, version }),
  )

export interface Rotation {
  readonly version: number
  /** How long the old secret goes on working. */
  readonly graceSeconds: number
}

export const useRotateKey = (id: string) =>
  useKeyChange(({ version, graceSeconds }: Rotation) => {
    const body = { grace_seconds: graceSeconds }
    return ask<CreatedKeyAnswer>(`${toOne(id)}/rotate`, { method: 'POST', body, version })
  })

export const useEndGrace = (id: string) =>
  useKeyChange((version: number) =>
    ask<KeyAnswer>(`${toOne(id)}/end-grace`, { method: 'POST', version }),
  )

export const useRevokeKey = (id: string) =>
  useKeyChange((version: number) =>
    ask<KeyAnswer>(`${toOne(id)}/revoke`, { method: 'POST', version }),
  )

function toOne(id: string): string {
  return `/v1/keys/${encodeURIComponent(id)}`
}

function useKeyChange<Body, Answer>(change: (body: Body) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    // The answer may contain a secret: it is dropped with the page that shows it.
    gcTime: 0,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: KEYS_KEY })
      await client.invalidateQueries({ queryKey: ['key-check'] })
    },
  })
}
