import { after } from 'node:test'
import { budgetStatesContract } from '../../../../test/contracts/ledger/budget-states-contract.ts'
import { hostileFiguresContract } from '../../../../test/contracts/ledger/hostile-figures-contract.ts'
import { ledgerProgressContract } from '../../../../test/contracts/ledger/ledger-progress-contract.ts'
import { ledgerStoreContract } from '../../../../test/contracts/ledger/ledger-store-contract.ts'
import { outboxContract } from '../../../../test/contracts/ledger/outbox-contract.ts'
import { listPostgresPrograms } from '../../../../test/fakes/postgres/test-database.ts'
import { createPostgresPlaces } from '../../../../test/fakes/postgres/usage-place.ts'

for (const programs of listPostgresPrograms()) {
  const createPlace = createPostgresPlaces(after, programs)
  ledgerStoreContract(programs.title, createPlace, { nul: '\u{fffd}' })
  ledgerProgressContract(programs.title, createPlace)
  outboxContract(programs.title, createPlace)
  hostileFiguresContract(programs.title, createPlace)
  budgetStatesContract(programs.title, createPlace)
}
