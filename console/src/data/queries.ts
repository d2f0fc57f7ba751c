// How the API is read and changed through the one cache. The files of queries are lists of these:
// where a question goes, when it is asked again, and what a change makes outdated.

import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { QueryKey } from '@tanstack/react-query'
import { ask, askAged, toPath } from './api-client.ts'
import type { PathParameters } from './api-client.ts'

/** When it is asked again, in milliseconds. Left out: as the cache does. */
export interface Again {
  readonly staleTime?: number
  readonly refetchInterval?: number | false
}

export function readQuery<Answer>(queryKey: QueryKey, path: string, again: Again = {}) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => ask<Answer>(path, { signal }),
    ...again,
  })
}

/**
 * Figures, which are shown as they came, with their asOf, and asked for again when the snapshot
 * that they came from has ended. What may not be kept is asked for again with every page.
 */
export function agedQuery<Answer extends object>(
  queryKey: QueryKey,
  path: string,
  canKeep: (answer: Answer) => boolean = () => true,
) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => askAged<Answer>(path, { signal }),
    staleTime: ({ state: { data } }) => (data !== undefined && canKeep(data) ? data.maxAgeMs : 0),
    refetchInterval: ({ state: { data } }) => data?.maxAgeMs ?? false,
  })
}

interface Paged {
  readonly next_cursor: string | null
}

/** A list of any length, by pages. While another one is on its way, the last one stays. */
export function pagesQuery<Page extends Paged>(
  queryKey: QueryKey,
  { path, ...question }: { readonly path: string } & PathParameters,
  again: Again = {},
) {
  return infiniteQueryOptions({
    queryKey: [...queryKey, question],
    queryFn: ({ pageParam, signal }) =>
      ask<Page>(toPath(path, { ...question, cursor: pageParam }), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    ...again,
  })
}

/** A change, and the keys of what is outdated after it. */
export function useChange<Change, Answer>(
  change: (change: Change) => Promise<Answer>,
  ...outdated: readonly QueryKey[]
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    // The answer may contain a secret: it is dropped with the page that shows it.
    gcTime: 0,
    onSuccess: () =>
      Promise.all(outdated.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}
