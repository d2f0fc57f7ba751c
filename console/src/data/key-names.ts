// The names of keys, for figures that know them by their ids. A key without a known name is shown
// by its id.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { KeyPage } from '../../../src/api/contract.ts'
import { toPath } from './api-client.ts'
import { readQuery } from './queries.ts'
import { useCan } from './session.ts'

const NAMES_STALE_MS = 60_000
const NAMES_MIN = 20
/** For lists of any keys, not only those that spent most. */
export const NAMES_AT_HAND = 100
const NAMES_MAX = 1000
const FOUND_MAX = 20
/** In one question. */
export const NAMES_ASKED_MAX = 50

/**
 * By id, of the keys that spent most this month: at least those that a list of `count` rows shows.
 */
export function useKeyNames(count: number, isWanted = true): ReadonlyMap<string, string> {
  const canRead = useCan('read:keys')
  const { data } = useQuery({
    ...topKeysQuery(count),
    enabled: canRead && isWanted,
    select: toNames,
  })
  return isWanted && data !== undefined ? data : NO_NAMES
}

/** At least `count` of those that spent most this month. */
export function topKeysQuery(count: number) {
  const limit = Math.min(Math.max(count, NAMES_MIN), NAMES_MAX)
  const path = toPath('/v1/keys', { order: 'spent', limit })
  return readQuery<KeyPage>(['keys', 'names', limit], path, { staleTime: NAMES_STALE_MS })
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()

function toNames({ rows }: KeyPage): ReadonlyMap<string, string> {
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Keys whose name or id contains the text. */
export function keySearchQuery(search: string) {
  const path = toPath('/v1/keys', { search, order: 'spent', limit: FOUND_MAX })
  const query = readQuery<KeyPage>(['keys', 'search', search], path, { staleTime: NAMES_STALE_MS })
  return { ...query, placeholderData: keepPreviousData }
}

/** Keys of these ids, as far as they exist. While others are asked for, the last ones stay. */
export function keysByIdQuery(ids: readonly string[]) {
  const path = toPath('/v1/keys', { id: ids })
  const query = readQuery<KeyPage>(['keys', 'by-id', ids], path, { staleTime: NAMES_STALE_MS })
  return { ...query, placeholderData: keepPreviousData }
}
