// The keys, as commands need them.

import type { KeyPage, KeyRow } from '../../../client/weir-client.js'
import { WeirError } from '../../core/weir-error.ts'
import { noSuch } from '../api.ts'
import type { Api, Noun } from '../api.ts'

export const KEY: Noun = { noun: 'key', list: 'weir keys list' }

const PAGE_ROWS = 1000

type Asked = Readonly<Partial<Record<'status' | 'team', string | undefined>>>

/** All of them, oldest first. */
export async function readKeys(api: Api, asked: Asked = {}): Promise<readonly KeyRow[]> {
  const rows: KeyRow[] = []
  let cursor: string | null = null
  do {
    const query = { ...asked, order: 'created', limit: PAGE_ROWS, cursor: cursor ?? undefined }
    const page: KeyPage = await api.get('/v1/keys', query)
    rows.push(...page.rows)
    cursor = page.next_cursor
  } while (cursor !== null)
  const compare = (one: string, other: string): number => Number(one > other) - Number(one < other)
  return rows.toSorted(
    (one, other) => compare(one.created_at, other.created_at) || compare(one.id, other.id),
  )
}

/** By id. */
export async function readKeyNames(api: Api): Promise<ReadonlyMap<string, string>> {
  return new Map((await readKeys(api)).map(({ id, name }) => [id, name]))
}

/** None for a token that may not read keys. */
export async function readNamesIfAllowed(api: Api): Promise<ReadonlyMap<string, string>> {
  try {
    return await readKeyNames(api)
  } catch (error) {
    if (error instanceof WeirError && error.code === 'scope_denied') return new Map()
    throw error
  }
}

/** Throws `not_found`. A token that may not read keys learns of none, so it is not told either. */
export async function requireKey(api: Api, id: string): Promise<void> {
  try {
    await api.get(`/v1/keys/${encodeURIComponent(id)}`)
  } catch (error) {
    const code = error instanceof WeirError ? error.code : null
    if (code === 'not_found') throw noSuch(KEY, id)
    if (code !== 'scope_denied') throw error
  }
}
