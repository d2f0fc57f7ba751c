// What a page will ask, asked before it is drawn, and while its script is on its way. Must stay true: nothing here fails,
// for the page asks again and tells what went wrong; and it is waited for briefly only, for a page without its figures is
// better than none.

import type { QueryClient } from '@tanstack/react-query'
import { topKeysQuery } from './key-names.ts'
import { keysQuery } from './keys.ts'
import {
  budgetStatesQuery,
  TOP_COUNT,
  toOverviewQuestions,
} from '../pages/overview/overview-figures.ts'
import type { KeysSearch, OverviewSearch } from './page-search.ts'
import { infoQuery, overviewQuery } from './service.ts'
import { canDo, sessionQuery } from './session.ts'
import { missingPricesQuery } from './unpriced.ts'
import { usageQuery } from './usage.ts'

/** What comes within it is in the first picture, which is then drawn once. Beyond it people want to see something. */
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
