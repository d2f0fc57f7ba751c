// What the sums for analysis cost the ledger: the same calls summed and stored with and without
// them, in batches as a busy ledger makes them and as a calm one does.

import { MIGRATIONS } from '../../src/store/ledger/sqlite/migrations.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { openSqliteFile } from '../../src/store/sqlite/file.ts'
import { runChange } from '../../src/store/sql/sql.ts'
import { ROWS_MERGED_MAX } from '../../src/store/usage/block-tiers.ts'
import { SQLITE } from '../../src/store/usage/sqlite/dialect.ts'
import { createBatchSummer } from '../../src/store/usage/sql/writes/batch-sums.ts'
import { planParts, readTiers } from '../../src/store/usage/sql/writes/block-writes.ts'
import { createCalls } from '../ledger/company.ts'

const CALLS = 200_000
const START_MS = Date.parse('2026-10-15T12:00:00Z')
const COST = { amount: 1_667_100_000n, source: 'price-book', priceVersion: null } as const

export interface PartCost {
  readonly batch: number
  readonly calls: number
  readonly cpuMicros: number
}

export async function measurePartCost(file: string, batch: number): Promise<PartCost> {
  const without = await measure(`${file}.without`, { batch, hasParts: false })
  const cpuMicros = (await measure(file, { batch, hasParts: true })) - without
  return { batch, calls: CALLS, cpuMicros }
}

async function measure(
  file: string,
  { batch, hasParts }: { readonly batch: number; readonly hasParts: boolean },
): Promise<number> {
  const options = { file, name: 'usage store', migrations: MIGRATIONS, busyTimeoutMs: 1000 }
  const database = await openSqliteFile(options, (opened) => createSqliteDatabase(opened))
  const summer = createBatchSummer(database, { dialect: SQLITE, hasParts })
  const calls = [...createCalls({ mix: 'company', count: CALLS, from: 0, startMs: START_MS })]
  const records = calls.map((event) => ({ event, cost: COST }))
  const cpuBefore = process.cpuUsage()
  for (let at = 0; at < records.length; at += batch) {
    const { additions, blocks } = await summer.sum(records.slice(at, at + batch))
    await database.transact(async (sql) => {
      const tiers = await readTiers(sql, blocks, SQLITE)
      const merged = await planParts(sql, { added: blocks, tiers, rowsMax: ROWS_MERGED_MAX })
      for (const change of [...additions, ...merged]) await runChange(sql, change)
    })
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  await database.close()
  return user + system
}
