// The peer: the same records inserted into the same table with the same settings and nothing else.
// No journal, no matching, no prices, no rollups: what SQLite itself takes for keeping the calls.

import { DatabaseSync } from 'node:sqlite'

import { priceEvent } from '../../src/pricing/tables/price.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import { openSqliteLedger } from '../../src/store/ledger/sqlite/store.ts'
import { INSERT_RECORD, toRecordRow } from '../../src/store/usage/sql/record-row.ts'
import { createCalls } from '../harness/company.ts'
import type { CallOptions } from '../harness/company.ts'
import { PortionMeter } from './portion.ts'
import type { Portion } from './portion.ts'

const BATCH_CALLS = 10_000

/** Into a file that is not there yet. */
export async function insertBare(file: string, options: CallOptions): Promise<Portion> {
  await (await openSqliteLedger({ file })).close()
  const database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -65536')
  database.exec('PRAGMA wal_autocheckpoint = 16384')
  const insert = database.prepare(INSERT_RECORD)
  const priceTables = createPriceTables()
  const calls = Array.from(createCalls(options))
  const records = calls.map((event) => ({ event, cost: priceEvent(event, priceTables) }))
  const portion = new PortionMeter()
  for (let at = 0; at < records.length; at += BATCH_CALLS) {
    const batch = records.slice(at, at + BATCH_CALLS)
    database.exec('BEGIN IMMEDIATE')
    for (const record of batch) insert.run(...toRecordRow(record))
    database.exec('COMMIT')
    portion.add(batch.length)
  }
  database.close()
  return portion.end(file)
}
