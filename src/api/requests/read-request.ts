// One call and its cost. Must stay true: explained by the prices stored with it, not today's, which
// only tell whether the sources of its price differ, and what it costs by them.

import { WeirError } from '../../core/weir-error.ts'
import { explainRecord } from '../../pricing/tables/explain.ts'
import { versionsOf } from '../../pricing/tables/price.ts'
import type { ApiOptions } from '../api-options.ts'
import type { RequestDetail } from '../contract.ts'
import type { KnownNames } from '../known-names.ts'
import { toSameCost } from './cost-today.ts'
import { toExplanationAnswer, toRequestRow } from './request-row.ts'

export interface RequestSources extends Pick<ApiOptions, 'usage' | 'prices'> {
  readonly names: KnownNames
}

/** Throws `not_found`. */
export async function readRequest(
  id: string,
  { usage, prices: openAdmin, names }: RequestSources,
): Promise<RequestDetail> {
  // RFC 9562, section 4: an id may be written in either case.
  const record = await usage.readRecord(id.toLowerCase())
  if (record === null) {
    throw new WeirError('not_found', 'There is no record of such a request.', {
      hint: 'Its id is what X-SVC-Request-Id said; a call is on record shortly after its end.',
    })
  }
  const prices = await usage.requests.readPrices(versionsOf(record.cost.priceVersion))
  const { priceVersion, source } = record.cost
  // Price data takes a while to load, and most calls of a gateway have no price.
  const admin = priceVersion !== null || source === 'unpriced' ? await openAdmin() : null
  const differences = priceVersion === null ? [] : ((await admin?.findDifferences(record)) ?? [])
  return {
    ...toRequestRow(record, names),
    explanation: toExplanationAnswer(explainRecord(record, prices), differences),
    today: (await admin?.quoteToday(record)) ?? toSameCost(record),
  }
}
