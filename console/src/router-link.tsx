// A link for ui/ that the router follows, and whose page it preloads on hover and focus.

import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { parseSearchText } from './data/search-values.ts'
import type { PlainLinkProps } from './ui/link.tsx'

export function RouterLink({ href, onClick, target, ...rest }: PlainLinkProps) {
  const router = useRouter()
  const isOwn = href.startsWith('/') && !/^.(?:v1|docs)./.test(href) && target === undefined
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    // With a modifier key the browser opens a new tab.
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isOwn || event.defaultPrevented || event.button !== 0 || !isPlain) return
    event.preventDefault()
    // What opens or closes a part of the page leaves it where it is.
    const { pathname, search } = window.location
    const resetScroll = href.split('#')[0] !== `${pathname}${search}`
    void router.navigate({ href, resetScroll })
  }
  const fetchPage = (): void => {
    if (!isOwn) return
    const { pathname, search } = new URL(href, window.location.origin)
    // Only a preload: an error shows when the link is followed.
    router
      .preloadRoute({ to: pathname, search: parseSearchText(search) } as never)
      .catch(() => undefined)
  }
  return (
    <a
      {...rest}
      href={href}
      target={target}
      onClick={follow}
      onMouseEnter={fetchPage}
      onFocus={fetchPage}
    />
  )
}
