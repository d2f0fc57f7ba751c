import { after, test } from 'node:test'
import { budgetStatesContract } from '../../../../test/contracts/ledger/budget-states-contract.ts'
import { hostileFiguresContract } from '../../../../test/contracts/ledger/hostile-figures-contract.ts'
import { ledgerProgressContract } from '../../../../test/contracts/ledger/ledger-progress-contract.ts'
import { ledgerStoreContract } from '../../../../test/contracts/ledger/ledger-store-contract.ts'
import { outboxContract } from '../../../../test/contracts/ledger/outbox-contract.ts'
import { NEEDS_CLICKHOUSE } from '../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createClickhousePlaces } from '../../../../test/fakes/clickhouse/usage-place.ts'
import { isLongForm } from '../../../../test/long-form.ts'

if (NEEDS_CLICKHOUSE === false) {
  const createPlace = createClickhousePlaces(after)
  ledgerStoreContract('ClickHouse', createPlace, { nul: '\u{fffd}' })
  // These are of the ledger database, which is in PostgreSQL and has them from its own tests.
  if (isLongForm) {
    hostileFiguresContract('ClickHouse', createPlace)
    ledgerProgressContract('ClickHouse', createPlace)
    outboxContract('ClickHouse', createPlace)
    budgetStatesContract('ClickHouse', createPlace)
  }
} else {
  test('ClickHouse', { skip: NEEDS_CLICKHOUSE })
}
