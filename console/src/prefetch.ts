// Asks what a page will ask, before it is drawn and while its script loads. Must stay true: nothing
// here fails, since the page asks again and shows the error; and it is waited for only briefly.

import type { QueryClient } from '@tanstack/react-query'
import { topKeysQuery } from './data/key-names.ts'
import { keysQuery } from './data/keys.ts'
import {
  budgetStatesQuery,
  TOP_COUNT,
  toOverviewQuestions,
} from './pages/overview/overview-figures.ts'
import type { KeysSearch, OverviewSearch } from './data/page-search.ts'
import { infoQuery, overviewQuery } from './data/service.ts'
import { canDo, sessionQuery } from './data/session.ts'
import { missingPricesQuery } from './data/unpriced.ts'
import { usageQuery } from './data/usage.ts'

/** Answers within it are in the page's first rendering. Beyond it people want to see something. */
const WAIT_MS_MAX = 200

export function prefetchOverview(client: QueryClient, { dim }: OverviewSearch): Promise<void> {
  const canReadKeys = canDo(client.getQueryData(sessionQuery.queryKey) ?? null, 'read:keys')
  return waitBriefly([
    prefetchFigures(client, dim, canReadKeys),
    client.prefetchQuery(budgetStatesQuery),
    client.prefetchQuery(missingPricesQuery),
    client.prefetchQuery(infoQuery),
    ...(canReadKeys ? [client.prefetchQuery(topKeysQuery(TOP_COUNT))] : []),
  ])
}

async function prefetchFigures(
  client: QueryClient,
  chosenDim: string | undefined,
  canReadKeys: boolean,
): Promise<void> {
  await client.prefetchQuery(overviewQuery)
  const overview = client.getQueryData(overviewQuery.queryKey)
  if (overview?.has_calls !== true) return
  const questions = toOverviewQuestions(chosenDim ?? overview.dim_keys[0], canReadKeys)
  await Promise.all(questions.map((question) => client.prefetchQuery(usageQuery(question))))
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
