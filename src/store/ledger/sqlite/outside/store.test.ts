import { after, test } from 'node:test'
import { budgetStatesContract } from '../../../../../test/contracts/ledger/budget-states-contract.ts'
import { ledgerBookContract } from '../../../../../test/contracts/ledger/ledger-book-contract.ts'
import { ledgerStoreContract } from '../../../../../test/contracts/ledger/ledger-store-contract.ts'
import { outboxContract } from '../../../../../test/contracts/ledger/outbox-contract.ts'
import { NEEDS_CLICKHOUSE } from '../../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createSqliteBookPlaces } from '../../../../../test/fakes/clickhouse/usage-place.ts'

if (NEEDS_CLICKHOUSE === false) {
  const createPlace = createSqliteBookPlaces(after)
  ledgerStoreContract('ClickHouse and SQLite', createPlace)
  ledgerBookContract('ClickHouse and SQLite', createPlace)
  outboxContract('ClickHouse and SQLite', createPlace)
  budgetStatesContract('ClickHouse and SQLite', createPlace)
} else {
  test('ClickHouse and SQLite', { skip: NEEDS_CLICKHOUSE })
}
