// Asks what a page will ask, before it is drawn and while its script loads. Must stay true: nothing
// here fails, since the page asks again and shows the error; and it is waited for only briefly.

import type { QueryClient } from '@tanstack/react-query'
import { incidentsQuery } from './data/alerts/incidents.ts'
import { keysQuery } from './data/keys.ts'
import { budgetStatesQuery, chooseGrouping } from './pages/overview/overview-figures.ts'
import type { KeysSearch, OverviewSearch } from './data/page-search.ts'
import { readPreference } from './data/preferences.ts'
import { infoQuery, overviewOf } from './data/service.ts'
import { canDo, sessionQuery } from './data/session.ts'

/** Answers within it are in the page's first rendering. Beyond it people want to see something. */
const WAIT_MS_MAX = 200

export function prefetchOverview(client: QueryClient, search: OverviewSearch): Promise<void> {
  const canReadKeys = canDo(client.getQueryData(sessionQuery.queryKey) ?? null, 'read:keys')
  const kept = readPreference('overviewGroup')
  return waitBriefly([
    client.prefetchQuery(overviewOf(chooseGrouping({ search, kept, canReadKeys }))),
    client.prefetchQuery(budgetStatesQuery),
    client.prefetchQuery(incidentsQuery),
    client.prefetchQuery(infoQuery),
  ])
}

export function prefetchKeys(client: QueryClient, search: KeysSearch): Promise<void> {
  return waitBriefly([
    client.prefetchInfiniteQuery(keysQuery(search)),
    client.prefetchQuery(infoQuery),
  ])
}

async function waitBriefly(work: readonly Promise<void>[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, WAIT_MS_MAX)
  await Promise.race([Promise.all(work), promise])
  clearTimeout(timer)
}
