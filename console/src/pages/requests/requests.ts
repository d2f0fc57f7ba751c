// The log of calls: pages of it, its newest page again and again, and one call. Must stay true:
// empty pages are skipped while there are more, but not forever; and all pages of a list start at
// the same moment.

import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQueries,
} from '@tanstack/react-query'
import type {
  RequestDetail,
  RequestPageAnswer,
  RequestSummaryAnswer,
} from '../../../../src/api/contract.ts'
import { ask, toOne, toPath } from '../../data/api-client.ts'
import { keysByIdQuery, NAMES_ASKED_MAX, NAMES_AT_HAND, useKeyNames } from '../../data/key-names.ts'
import { readQuery } from '../../data/queries.ts'
import { toMoments } from './request-range.ts'
import type { Moments } from './request-range.ts'
import { toFilter } from './requests-search.ts'
import type { RequestsSearch } from './requests-search.ts'
import { useCan } from '../../data/session.ts'

export const REQUEST_PAGE_ROWS = 50
/** How many empty pages are skipped before the user is asked whether to continue. */
const EMPTY_PAGES_MAX = 5
const LIVE_EVERY_MS = 2000
/** It looks at all calls that match. */
const SUMMARY_EVERY_MS = 15_000

export type RequestFilter = Omit<RequestsSearch, 'live'>

/** Where a page begins. */
export interface RequestCursor {
  readonly cursor: string | null
  /** As the first page had them: a cursor is valid only for exactly the same filter. */
  readonly moments: Moments
}

export interface RequestPage extends RequestPageAnswer {
  readonly moments: Moments
}

export function requestsQuery(filter: RequestFilter) {
  return infiniteQueryOptions({
    queryKey: toListKey(filter),
    queryFn: ({ pageParam, signal }) => readRequestPage(filter, pageParam, signal),
    initialPageParam: null as RequestCursor | null,
    getNextPageParam: ({ next_cursor, moments }) =>
      next_cursor === null ? null : { cursor: next_cursor, moments },
    // What is shown stays in place: Live and the filters bring new calls.
    staleTime: LIVE_EVERY_MS,
    placeholderData: keepPreviousData,
  })
}

export function toListKey(filter: RequestFilter) {
  return ['requests', 'list', filter] as const
}

/** The newest page, asked for every two seconds. */
export function liveRequestsQuery(filter: RequestFilter, isLive: boolean) {
  return queryOptions({
    queryKey: ['requests', 'live', filter] as const,
    queryFn: ({ signal }) => readRequestPage(filter, null, signal),
    enabled: isLive,
    refetchInterval: LIVE_EVERY_MS,
    // The list itself was read at the same moment.
    staleTime: 0,
    gcTime: 0,
  })
}

export async function readRequestPage(
  filter: RequestFilter,
  place: RequestCursor | null,
  signal: AbortSignal,
): Promise<RequestPage> {
  const moments = place?.moments ?? toMoments(filter, Date.now())
  const { range: _, ...given } = filter
  let cursor = place?.cursor ?? null
  for (let empty = 0; ; empty += 1) {
    const path = toPath('/v1/requests', { ...given, ...moments, cursor, limit: REQUEST_PAGE_ROWS })
    // Each page begins where the one before it ended.
    // oxlint-disable-next-line eslint/no-await-in-loop -- one page leads to the next
    const page = await ask<RequestPageAnswer>(path, { signal })
    if (page.rows.length > 0 || page.next_cursor === null || empty >= EMPTY_PAGES_MAX) {
      return { ...page, moments }
    }
    cursor = page.next_cursor
  }
}

/** How many calls match, and what they cost. `moments` are those of the list beside it. */
export function requestSummaryQuery(
  filter: RequestFilter,
  { moments, isLive }: { readonly moments: Moments | null; readonly isLive: boolean },
) {
  const { range: _, ...given } = toFilter(filter)
  const asked = { ...given, ...moments }
  return queryOptions({
    queryKey: ['requests', 'summary', asked] as const,
    queryFn: ({ signal }) =>
      ask<RequestSummaryAnswer>(toPath('/v1/requests/summary', asked), { signal }),
    staleTime: SUMMARY_EVERY_MS,
    refetchInterval: isLive && SUMMARY_EVERY_MS,
    placeholderData: keepPreviousData,
  })
}

/** The file with all calls that match. */
export function toCallFileHref(kind: 'csv' | 'jsonl', filter: RequestFilter): string {
  const { range: _, ...given } = toFilter(filter)
  return toPath(`/v1/exports/requests.${kind}`, { ...given, ...toMoments(filter, Date.now()) })
}

export function requestQuery(id: string) {
  // A recorded call changes only when it is repriced.
  const again = { staleTime: 60_000 }
  return readQuery<RequestDetail>(['requests', 'one', id], toOne('/v1/requests', id), again)
}

/** The names of the calls' keys, by id: cached for most, the others asked for together. */
export function useCallKeyNames(ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const canRead = useCan('read:keys')
  const names = useKeyNames(NAMES_AT_HAND, ids.length > 0)
  const unknown = [...new Set(ids)].filter((id) => id !== null).filter((id) => !names.has(id))
  const count = Math.ceil(unknown.length / NAMES_ASKED_MAX)
  const asked = useQueries({
    queries: Array.from({ length: count }, (_, page) => ({
      ...keysByIdQuery(unknown.slice(page * NAMES_ASKED_MAX, (page + 1) * NAMES_ASKED_MAX)),
      enabled: canRead && names.size > 0,
      retry: false,
    })),
    combine: (answers) => answers.flatMap(({ data }) => data?.rows ?? []),
  })
  return new Map([...names, ...asked.map(({ id, name }) => [id, name] as const)])
}
