// Asks what a page will ask, before it is drawn and while its script loads. Must stay true: nothing
// here fails, since the page asks again and shows the error; and it is waited for only briefly.

import type { QueryClient } from '@tanstack/react-query'
import { incidentsQuery } from './data/alerts/incidents.ts'
import { topKeysQuery } from './data/key-names.ts'
import { keysQuery } from './data/keys.ts'
import { budgetStatesQuery, TOP_COUNT } from './pages/overview/overview-figures.ts'
import type { KeysSearch, OverviewSearch } from './data/page-search.ts'
import { readPreference } from './data/preferences.ts'
import { infoQuery, overviewOf } from './data/service.ts'
import { canDo, sessionQuery } from './data/session.ts'
import { missingPricesQuery } from './data/unpriced.ts'

/** Answers within it are in the page's first rendering. Beyond it people want to see something. */
const WAIT_MS_MAX = 200

export function prefetchOverview(client: QueryClient, { dim }: OverviewSearch): Promise<void> {
  const canReadKeys = canDo(client.getQueryData(sessionQuery.queryKey) ?? null, 'read:keys')
  return waitBriefly([
    client.prefetchQuery(overviewOf(dim ?? readPreference('overviewDim'))),
    client.prefetchQuery(budgetStatesQuery),
    client.prefetchQuery(incidentsQuery),
    client.prefetchQuery(missingPricesQuery),
    client.prefetchQuery(infoQuery),
    ...(canReadKeys ? [client.prefetchQuery(topKeysQuery(TOP_COUNT))] : []),
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
