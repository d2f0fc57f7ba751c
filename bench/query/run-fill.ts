// Fills a usage store with two years of calls, through the store's own writes, in a process of its
// own: what it leaves in memory is released then. At the end the store must have them all, and all
// must have a cost.

import { rename, rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'

import type { UsageRecord } from '../../src/core/usage-record.ts'
import { openPostgresLedger } from '../../src/store/ledger/postgres/store.ts'
import type { LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import { openSqliteLedger } from '../../src/store/ledger/sqlite/store.ts'
import { openClickhouseRecords } from '../../src/store/usage/clickhouse/open-records.ts'
import { checkpointedBytes } from '../ledger/checkpointed-bytes.ts'
import { createTwoYears } from './two-years.ts'

const BATCH_RECORDS = 10_000

const { values } = parseArgs({
  options: {
    file: { type: 'string', default: '' },
    url: { type: 'string' },
    calls: { type: 'string' },
    end: { type: 'string', default: '0' },
    full: { type: 'boolean', default: false },
  },
})

// Under another name until it is whole: a store that is kept must not be half of one.
const file = `${values.file}.part`
const place = values.calls === undefined ? {} : { openRecords: openClickhouseRecords(values.calls) }
const store =
  values.url === undefined
    ? await openFile()
    : await openPostgresLedger({ url: values.url, ...place })
let written = 0

async function openFile(): Promise<LedgerStore> {
  for (const rest of ['', '-wal', '-shm']) await rm(file + rest, { force: true })
  return openSqliteLedger({ file })
}

async function write(records: readonly UsageRecord[]): Promise<void> {
  const nothing = { cursors: [], opened: [], settledIds: [], counted: [], prices: [], dead: 0 }
  await store.writeBatch({ ...nothing, records, forwarded: records.length })
  written += records.length
}

let batch: UsageRecord[] = []
for (const record of createTwoYears({ endMs: Number(values.end), isFull: values.full })) {
  batch.push(record)
  if (batch.length < BATCH_RECORDS) continue
  await write(batch)
  batch = []
}
await write(batch)

const months = { grain: 'month', from: '2020-01', to: '2099-12' } as const
const [total] = await store.usage.sum({ period: months, grouping: { by: 'total' }, keyId: null })
await store.close()
if (total?.requests !== written || total.unpriced !== 0 || total.cost <= 0n) {
  throw new Error(`Of ${written} calls not all are stored and priced.`)
}
if (values.url === undefined) {
  checkpointedBytes(file)
  await rename(file, values.file)
}
