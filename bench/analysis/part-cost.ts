// What the sums for analysis cost the ledger: the same calls into a store's part writer alone, in
// batches as a busy ledger makes them and as a calm one does.

import { DatabaseSync } from 'node:sqlite'

import type { UsageRecord } from '../../src/core/usage-record.ts'
import { openSqliteLedger } from '../../src/store/ledger/sqlite/store.ts'
import { createAnalysisRows } from '../../src/store/usage/analysis-rows.ts'
import { createPartWriter } from '../../src/store/usage/sqlite/analysis/part-writer.ts'
import { createKeptValues } from '../../src/store/usage/sqlite/analysis/kept-values.ts'
import { createNames } from '../../src/store/usage/sqlite/names.ts'
import { createTwoYears } from '../query/two-years.ts'

export interface PartCost {
  readonly batch: number
  readonly calls: number
  readonly cpuMicros: number
}

export async function measurePartCost(file: string, batch: number): Promise<PartCost> {
  await (await openSqliteLedger({ file })).close()
  const database = new DatabaseSync(file)
  const names = createNames(database)
  const { isKept } = createKeptValues(database)
  const parts = createPartWriter(database)
  const calls = [...createTwoYears({ endMs: Date.now(), isFull: false })].slice(0, 200_000)
  const cpuBefore = process.cpuUsage()
  for (let at = 0; at < calls.length; at += batch) {
    const rows = createAnalysisRows({ idOf: names.idOf, isKept })
    database.exec('BEGIN')
    for (const { event, cost } of calls.slice(at, at + batch) as UsageRecord[])
      rows.add(event, cost)
    parts.append(rows.hours())
    database.exec('COMMIT')
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  database.close()
  return { batch, calls: calls.length, cpuMicros: user + system }
}
