// A node that stores calls in PostgreSQL as its ledger would, from where the store says it is, in a
// process that a test can kill or stop. Arguments: the URL, the node's number, how many calls, how
// many in a batch, and the ClickHouse of the calls, if they are in one. Every tenth call of a node
// is one that all nodes have.

import { setTimeout as pause } from 'node:timers/promises'
import { openPostgresLedger } from '../../../src/store/ledger/postgres/store.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import { openClickhouseRecords } from '../../../src/store/usage/clickhouse/open-records.ts'
import { WeirError } from '../../../src/core/weir-error.ts'
import { AT_NOON, CENT, createBudget } from '../../contracts/usage-budget-scene.ts'
import { createRecord, EMPTY, NOON } from '../../contracts/usage-scene.ts'

const [url = '', node = '', total = '', size = '', callsUrl] = process.argv.slice(2)
const place = callsUrl === undefined ? {} : { openRecords: openClickhouseRecords(callsUrl) }
const owner = { node, journal: 'a' }
const BUDGETS = [createBudget({ limit: 1000n * CENT, thresholds: [10, 50, 100] })]

function toCall(index: number) {
  const whose = index % 10 === 0 ? '0' : node
  const digits = index.toString(16).padStart(12, '0')
  const time = NOON.toString(16).padStart(12, '0')
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-800${whose}-${digits}`
  const dims = { team: `t${index % 7}` }
  return createRecord({ id, keyId: `svc_k_${node}`, dims }, { amount: CENT })
}

async function storeFrom(store: LedgerStore): Promise<void> {
  const { cursors } = await store.progress.readState()
  let at = cursors[0]?.sequence ?? 0
  await store.progress.budgets.watch(BUDGETS, AT_NOON)
  while (at < Number(total)) {
    const end = Math.min(at + Number(size), Number(total))
    const records = Array.from({ length: end - at }, (_, more) => toCall(at + more))
    const cursor = { worker: 'w0', segment: 1, offset: end, sequence: end, forwarded: end }
    await store.writeBatch({ ...EMPTY, records, cursors: [cursor], forwarded: end - at })
    at = end
    process.stdout.write('.')
  }
}

for (;;) {
  let store: LedgerStore | null = null
  try {
    store = await openPostgresLedger({ url, owner, ...place })
    await storeFrom(store)
    break
  } catch (error) {
    // As the ledger does: whatever failed passes, and the state is read again.
    if (!(error instanceof WeirError)) throw error
    await pause(50)
  } finally {
    await store?.close()
  }
}
