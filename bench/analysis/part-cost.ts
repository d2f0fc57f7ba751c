// What the sums for analysis cost the ledger: the same calls into a store's part writer alone, in
// batches as a busy ledger makes them and as a calm one does.

import { DatabaseSync } from 'node:sqlite'

import { openSqliteLedger } from '../../src/store/ledger/sqlite/store.ts'
import { createAnalysisRows } from '../../src/store/usage/analysis-rows.ts'
import { createPartWriter } from '../../src/store/usage/sqlite/analysis/part-writer.ts'
import { createKeptValues } from '../../src/store/usage/sqlite/analysis/kept-values.ts'
import { createNames } from '../../src/store/usage/sqlite/names.ts'
import { createCalls } from '../ledger/company.ts'

const CALLS = 200_000
const START_MS = Date.parse('2026-10-15T12:00:00Z')
const COST = { amount: 1_667_100_000n, source: 'price-book' } as const

export interface PartCost {
  readonly batch: number
  readonly calls: number
  readonly cpuMicros: number
}

export async function measurePartCost(file: string, batch: number): Promise<PartCost> {
  await (await openSqliteLedger({ file })).close()
  const database = new DatabaseSync(file)
  const names = createNames(database)
  const kept = createKeptValues(database)
  const parts = createPartWriter(database)
  const calls = [...createCalls({ mix: 'company', count: CALLS, from: 0, startMs: START_MS })]
  const cpuBefore = process.cpuUsage()
  for (let at = 0; at < calls.length; at += batch) {
    const rows = createAnalysisRows({ ...kept, idOf: names.idOf })
    database.exec('BEGIN')
    for (const event of calls.slice(at, at + batch)) rows.add(event, COST)
    parts.append(rows.hours())
    database.exec('COMMIT')
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  database.close()
  return { batch, calls: calls.length, cpuMicros: user + system }
}
