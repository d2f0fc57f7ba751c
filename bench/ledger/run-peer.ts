// The peer: the same records inserted into the same table with the same settings and nothing else.
// No journal, no matching, no prices, no rollups: what SQLite itself takes for keeping the calls.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'

import { priceEvent } from '../../src/pricing/tables/price.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import { INSERT_RECORD, toRecordRow } from '../../src/store/usage/sql/record-row.ts'
import { openSqliteLedger } from '../../src/store/ledger/sqlite/store.ts'
import { createCalls } from './company.ts'
import { checkpointedBytes } from './checkpointed-bytes.ts'
import { readOwnCpuMicros, toPortion } from './portion.ts'
import type { StoredBatch } from './portion.ts'

const BATCH_CALLS = 10_000

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: '' },
    calls: { type: 'string', default: '0' },
    start: { type: 'string', default: '0' },
  },
})
const file = join(values.dir, 'peer.db')
await (await openSqliteLedger({ file })).close()
const database = new DatabaseSync(file)
database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -65536')
database.exec('PRAGMA wal_autocheckpoint = 16384')
const insert = database.prepare(INSERT_RECORD)
const priceTables = createPriceTables()
const calls = createCalls({
  mix: 'company',
  count: Number(values.calls),
  from: 0,
  startMs: Number(values.start),
})
const records = Array.from(calls, (event) => ({ event, cost: priceEvent(event, priceTables) }))

const batches: StoredBatch[] = []
const startedAt = performance.now()
for (let at = 0; at < records.length; at += BATCH_CALLS) {
  const batch = records.slice(at, at + BATCH_CALLS)
  const cpuBefore = readOwnCpuMicros()
  database.exec('BEGIN IMMEDIATE')
  for (const record of batch) insert.run(...toRecordRow(record))
  database.exec('COMMIT')
  batches.push({ calls: batch.length, cpuMicros: readOwnCpuMicros() - cpuBefore })
}
const seconds = (performance.now() - startedAt) / 1000
database.close()
console.log(JSON.stringify(toPortion(batches, { seconds, bytes: checkpointedBytes(file) })))
