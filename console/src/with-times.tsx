// What all pages have in common. A page is drawn again when its reader switches between UTC and
// local times: nothing in it is lost. And it is shown with its first answers, so that nothing moves
// when they arrive; where they take long, it is shown as it is.

import { useQueryClient } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { AsyncRouteComponent, RouteComponent } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { usePreference } from './data/preferences.ts'

/** Beyond it people want to see something. */
const FIRST_ANSWERS_MS_MAX = 500
/** An answer may lead to a further question. */
const SETTLE_MS = 20

export function withTimes(Page: RouteComponent & Pick<AsyncRouteComponent<object>, 'preload'>) {
  function TimedPage() {
    usePreference('times')
    const isHidden = useIsHidden()
    return (
      <div
        aria-busy={isHidden}
        style={{ display: 'contents', visibility: isHidden ? 'hidden' : 'visible' }}
      >
        <Page />
      </div>
    )
  }
  // The router loads a page's script by it, before the page is shown.
  return Page.preload === undefined
    ? TimedPage
    : Object.assign(TimedPage, { preload: Page.preload })
}

/** Whose script is loaded when it is opened. */
export function lazyPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, RouteComponent>>>,
  name: Name,
) {
  return withTimes(lazyRouteComponent(load, name) as AsyncRouteComponent<object>)
}

/** True while a page that was just opened waits for its first answers. */
function useIsHidden(): boolean {
  const client = useQueryClient()
  const [isHidden, setHidden] = useState(true)
  // After the effects of the page, which ask.
  useEffect(() => {
    const show = (): void => setHidden(false)
    const isWaiting = (): boolean =>
      client.isFetching({ predicate: ({ state }) => state.data === undefined }) > 0
    if (!isWaiting()) return show()
    let settling = 0
    const stop = client.getQueryCache().subscribe(() => {
      clearTimeout(settling)
      settling = window.setTimeout(() => {
        if (!isWaiting()) show()
      }, SETTLE_MS)
    })
    const limit = setTimeout(show, FIRST_ANSWERS_MS_MAX)
    return () => {
      stop()
      clearTimeout(settling)
      clearTimeout(limit)
    }
  }, [client])
  return isHidden
}
