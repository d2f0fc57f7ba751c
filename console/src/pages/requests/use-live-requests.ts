// Live: new calls on top of the log as they arrive. While someone is reading, nothing moves; new
// calls are counted and shown on request.

import { useFocusWithin, useHover, useMergedRef, useWindowScroll } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { RefCallback } from 'react'
import { findNewCalls } from './new-calls.ts'
import { liveRequestsQuery, requestsQuery } from './requests.ts'
import type { RequestFilter, RequestPage } from './requests.ts'

export interface LiveRequests {
  /** For the element that contains the log. */
  readonly ref: RefCallback<HTMLDivElement>
  /** Calls that are not shown yet. */
  readonly newCalls: number
  /** The newest page has only new calls: there are more than were counted. */
  readonly hasMore: boolean
  /** Why the log does not update by itself at the moment. */
  readonly isPaused: boolean
  readonly error: Error | null
  readonly show: () => void
}

/** Further down than this, someone is reading. */
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
  // An empty list disturbs no reader.
  const hasRows = pages?.some(({ rows }) => rows.length > 0) === true
  const isReading = hovered || focused || scroll.y > SCROLLED_PX
  const isPaused = (hasRows && isReading) || (pages?.length ?? 0) > 1
  const found = findNewCalls(isLive ? head : undefined, pages)
  const show = (): void => {
    if (head === undefined) return
    // The newest page replaces the list, so there can be no gap between them.
    client.setQueryData(requestsQuery(filter).queryKey, { pages: [head], pageParams: [null] })
  }
  const mustShow = found.count > 0 && !isPaused
  useEffect(() => {
    if (mustShow) show()
  })
  return {
    ref: useMergedRef(hoverRef, focusRef),
    newCalls: found.count,
    hasMore: found.hasMore,
    isPaused,
    error: isLive ? error : null,
    show: () => {
      show()
      window.scrollTo({ top: 0 })
    },
  }
}
