// Live: new calls on top of the log as they come. Must stay true: while somebody reads, nothing moves; what is new is
// counted, and shown when they ask for it.

import { useFocusWithin, useHover, useMergedRef, useWindowScroll } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { RefCallback } from 'react'
import { findNewCalls } from './new-calls.ts'
import { liveRequestsQuery, requestsQuery } from './requests.ts'
import type { RequestFilter, RequestPage } from './requests.ts'

export interface LiveRequests {
  /** For the element that holds the log. */
  readonly ref: RefCallback<HTMLDivElement>
  /** Calls that are not shown yet. */
  readonly newCalls: number
  /** The newest page holds new calls only: there are more than were counted. */
  readonly hasMore: boolean
  /** Why the log does not move on by itself at this moment. */
  readonly isHeld: boolean
  readonly error: Error | null
  readonly show: () => void
}

/** Further down than this, somebody is reading. */
const SCROLLED_PX = 160

export function useLiveRequests(
  filter: RequestFilter,
  isLive: boolean,
  pages: readonly RequestPage[] | undefined,
): LiveRequests {
  const client = useQueryClient()
  const [scroll] = useWindowScroll()
  const { ref: hoverRef, hovered } = useHover<HTMLDivElement>()
  const { ref: focusRef, focused } = useFocusWithin<HTMLDivElement>()
  const { data: head, error } = useQuery(liveRequestsQuery(filter, isLive))
  // Where there is nothing to read, nobody is held up by what comes.
  const hasRows = pages?.some(({ rows }) => rows.length > 0) === true
  const isReading = hovered || focused || scroll.y > SCROLLED_PX
  const isHeld = (hasRows && isReading) || (pages?.length ?? 0) > 1
  const found = findNewCalls(isLive ? head : undefined, pages)
  const show = (): void => {
    if (head === undefined) return
    // The newest page takes the place of the list: no gap can be between them.
    client.setQueryData(requestsQuery(filter).queryKey, { pages: [head], pageParams: [null] })
  }
  const mustShow = found.count > 0 && !isHeld
  useEffect(() => {
    if (mustShow) show()
  })
  return {
    ref: useMergedRef(hoverRef, focusRef),
    newCalls: found.count,
    hasMore: found.hasMore,
    isHeld,
    error: isLive ? error : null,
    show: () => {
      show()
      window.scrollTo({ top: 0 })
    },
  }
}
