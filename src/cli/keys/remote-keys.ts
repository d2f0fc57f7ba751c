// All keys of a remote Weir, as the data directory lists them: oldest first.

import type { KeyRow, WeirClient } from '../../../client/weir-client.js'
import { KEYS_LIMIT_MAX } from '../../api/contract.ts'

export async function readRemoteKeys(client: WeirClient): Promise<readonly KeyRow[]> {
  const rows: KeyRow[] = []
  let cursor: string | null = null
  do {
    const place: { cursor?: string } = cursor === null ? {} : { cursor }
    const page = await client.keys({ order: 'created', limit: KEYS_LIMIT_MAX, ...place })
    rows.push(...page.rows)
    cursor = page.next_cursor
  } while (cursor !== null)
  return rows.toSorted(
    (one, other) => compare(one.created_at, other.created_at) || compare(one.id, other.id),
  )
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
