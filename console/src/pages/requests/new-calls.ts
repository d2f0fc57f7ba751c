// Which calls of the newest page are not in the list yet. A long call is recorded after shorter
// ones that began later, so a new one may be anywhere in the page.

import type { RequestRow } from '../../../../src/api/contract.ts'

export interface CallPage {
  readonly rows: readonly Pick<RequestRow, 'id'>[]
  readonly next_cursor: string | null
}

export interface NewCalls {
  readonly count: number
  /** All of the page is new, and it is not the last: there are more than these. */
  readonly hasMore: boolean
}

const NONE: NewCalls = { count: 0, hasMore: false }

/** Undefined while one of them is loading. */
export function findNewCalls(
  head: CallPage | undefined,
  pages: readonly CallPage[] | undefined,
): NewCalls {
  if (head === undefined || pages === undefined) return NONE
  const shown = new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id)))
  const oldest = pages.at(-1)?.rows.at(-1)?.id
  const last = pages.at(-1)?.next_cursor ?? null
  // Where the list was cut, what lies below its end is not new, only not loaded.
  const isBelow = (id: string): boolean => last !== null && oldest !== undefined && id < oldest
  const count = head.rows.filter(({ id }) => !shown.has(id) && !isBelow(id)).length
  const isAll = count > 0 && count === head.rows.length
  return { count, hasMore: isAll && head.next_cursor !== null }
}
