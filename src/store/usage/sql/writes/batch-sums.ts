// What a batch adds to the sums, worked out before the store's lock is taken: others wait for it.

import type { UsageRecord } from '../../../../core/usage-record.ts'
import type { BulkTable, RowsToInsert, SqlDatabase } from '../../../sql/sql.ts'
import { createAnalysisRows } from '../../analysis-rows.ts'
import type { NameIds } from '../../analysis-rows.ts'
import { listParts } from '../../block-tiers.ts'
import { createRollups } from '../../rollup.ts'
import type { AddedBlock } from './block-writes.ts'
import { toRollupAdditions } from './rollup-writes.ts'
import { createSumIds } from './sum-ids.ts'
import type { SumIds, SumIdsOptions } from './sum-ids.ts'

export interface BatchSums {
  readonly additions: readonly RowsToInsert[]
  readonly blocks: readonly AddedBlock[]
}

export interface BatchSummer extends Pick<SumIds, 'idOf'> {
  /** Of records that are new to the store. Not within a transaction. */
  sum(records: readonly UsageRecord[], knownDims?: readonly string[]): Promise<BatchSums>
}

const KEY_USES: BulkTable = { name: 'key_uses', key: { key_id: 'text' }, others: { at: 'bigint' } }
const PUT_LATER = `(key_id) DO UPDATE SET at =
  CASE WHEN excluded.at > key_uses.at THEN excluded.at ELSE key_uses.at END`

/** Without parts where analysis reads the records themselves. */
export function createBatchSummer(database: SqlDatabase, options: SumIdsOptions): BatchSummer {
  const sumIds = createSumIds(database, options)
  return {
    async sum(records, knownDims = []) {
      const ids = await sumIds.resolve(records, { knownDims })
      const rollups = createRollups()
      for (const record of records) rollups.add(record)
      const additions = [...toRollupAdditions(rollups, ids.idOf), ...toKeyUses(records)]
      return { additions, blocks: options.hasParts ? sumParts(records, ids) : [] }
    },
    idOf: sumIds.idOf,
  }
}

function sumParts(records: readonly UsageRecord[], ids: NameIds): readonly AddedBlock[] {
  const analyzed = createAnalysisRows(ids)
  for (const { event, cost } of records) analyzed.add(event, cost)
  return [...listParts(analyzed.hours())]
}

/** When each key was last used. It never goes back. */
function toKeyUses(records: readonly UsageRecord[]): readonly RowsToInsert[] {
  const latest = new Map<string, number>()
  for (const { event } of records) {
    const { keyId, startedAt } = event
    if (keyId !== null) latest.set(keyId, Math.max(startedAt, latest.get(keyId) ?? startedAt))
  }
  if (latest.size === 0) return []
  return [{ into: KEY_USES, rows: [...latest], onConflict: PUT_LATER }]
}
