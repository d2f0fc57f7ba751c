// A page that is drawn again when its reader switches between UTC and local times. Nothing in it
// is lost: it is drawn again, not made again.

import { lazyRouteComponent } from '@tanstack/react-router'
import type { AsyncRouteComponent, RouteComponent } from '@tanstack/react-router'
import { usePreference } from './data/preferences.ts'

export function withTimes(Page: RouteComponent & Pick<AsyncRouteComponent<object>, 'preload'>) {
  function TimedPage() {
    usePreference('times')
    return <Page />
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
