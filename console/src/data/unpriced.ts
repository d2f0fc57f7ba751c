// Which rows of an answer contain calls without a known price. What is unpriced is never shown as
// if it cost nothing.

import { useQuery } from '@tanstack/react-query'
import type { MissingPriceAnswer, MissingPriceList, UsageRow } from '../../../src/api/contract.ts'
import { formatUsd } from './format-usd.ts'
import { readQuery } from './queries.ts'
import type { UsageQuestion } from './usage.ts'

/** Of a row of this month. Null while it is not known. */
type IsUnpriced = (row: Pick<UsageRow, 'label'>) => boolean | null

const NO_PRICE = 'no price'
const NOT_KNOWN_YET = '…'
/** The API's label for calls that name none. */
const UNKNOWN_LABEL = 'unknown'
const MISSING_STALE_MS = 60_000

export const missingPricesQuery = readQuery<MissingPriceList>(
  ['prices', 'unpriced'],
  '/v1/prices/missing',
  { staleTime: MISSING_STALE_MS },
)

const NONE: IsUnpriced = () => false
const WAITING: IsUnpriced = () => null

/** `asOf` is the answer's; undefined while it is on its way. */
export function useUnpriced(question: UsageQuestion, asOf: string | undefined): IsUnpriced {
  const { metric, dimension, api_key } = question
  // For one key only its models are known, not whether unpriced ones were this provider's.
  const canTell = metric === 'cost_usd' && (api_key === undefined || dimension === 'model')
  const { data, isError } = useQuery({ ...missingPricesQuery, enabled: canTell })
  if (!canTell || (data === undefined && isError)) return NONE
  if (data === undefined || asOf === undefined) return WAITING
  return createIsUnpriced(data.rows, asOf.slice(0, 7), question)
}

export function createIsUnpriced(
  missing: readonly MissingPriceAnswer[],
  month: string,
  { dimension }: Pick<UsageQuestion, 'dimension'>,
): IsUnpriced {
  const found = missing.filter((each) => each.first_month <= month && month <= each.last_month)
  // Rows of other groupings sum many models, some perhaps unpriced: the first page says so.
  return ({ label }) =>
    (dimension === 'provider' && found.some(({ provider }) => provider === label)) ||
    (dimension === 'model' && found.some(({ model }) => (model ?? UNKNOWN_LABEL) === label))
}

export function formatCost(value: number, isUnpriced: boolean | null): string {
  if (value !== 0 || isUnpriced === false) return formatUsd(value)
  return isUnpriced === null ? NOT_KNOWN_YET : NO_PRICE
}
