import { after, test } from 'node:test'
import { requestLogContract } from '../../../../test/contracts/request-log-contract.ts'
import { requestOrderContract } from '../../../../test/contracts/request-order-contract.ts'
import { daySpendContract } from '../../../../test/contracts/usage/day-spend-contract.ts'
import { spanCostsContract } from '../../../../test/contracts/usage/span-costs-contract.ts'
import { usageStoreContract } from '../../../../test/contracts/usage/usage-store-contract.ts'
import { usageUpkeepContract } from '../../../../test/contracts/usage/usage-upkeep-contract.ts'
import { NEEDS_CLICKHOUSE } from '../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createClickhousePlaces } from '../../../../test/fakes/clickhouse/usage-place.ts'
import { isLongForm } from '../../../../test/long-form.ts'

if (NEEDS_CLICKHOUSE === false) {
  const createPlace = createClickhousePlaces(after)
  // Sums are PostgreSQL's, which has this suite from its own tests.
  if (isLongForm) usageStoreContract('ClickHouse', createPlace)
  requestLogContract('ClickHouse', createPlace)
  requestOrderContract('ClickHouse', createPlace)
  daySpendContract('ClickHouse', createPlace)
  spanCostsContract('ClickHouse', createPlace)
  usageUpkeepContract('ClickHouse', createPlace, { removesAtOnce: true })
} else {
  test('ClickHouse', { skip: NEEDS_CLICKHOUSE })
}
