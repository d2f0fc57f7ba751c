import { after, test } from 'node:test'
import { requestLogContract } from '../../../../../test/contracts/request-log-contract.ts'
import { requestOrderContract } from '../../../../../test/contracts/request-order-contract.ts'
import { daySpendContract } from '../../../../../test/contracts/usage/day-spend-contract.ts'
import { spanCostsContract } from '../../../../../test/contracts/usage/span-costs-contract.ts'
import { usageStoreContract } from '../../../../../test/contracts/usage/usage-store-contract.ts'
import { usageUpkeepContract } from '../../../../../test/contracts/usage/usage-upkeep-contract.ts'
import { NEEDS_CLICKHOUSE } from '../../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createSqliteBookPlaces } from '../../../../../test/fakes/clickhouse/usage-place.ts'

if (NEEDS_CLICKHOUSE === false) {
  const createPlace = createSqliteBookPlaces(after)
  usageStoreContract('ClickHouse and SQLite', createPlace)
  requestLogContract('ClickHouse and SQLite', createPlace)
  requestOrderContract('ClickHouse and SQLite', createPlace)
  daySpendContract('ClickHouse and SQLite', createPlace)
  spanCostsContract('ClickHouse and SQLite', createPlace)
  usageUpkeepContract('ClickHouse and SQLite', createPlace, { removesAtOnce: true })
} else {
  test('ClickHouse and SQLite', { skip: NEEDS_CLICKHOUSE })
}
