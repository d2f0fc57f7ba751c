// The upkeep of a usage store on PostgreSQL: each job has a file of its own.

import { WeirError } from '../../../core/weir-error.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { fromUnpricedRow, MODELS_MAX, SELECT_UNPRICED } from '../sql/unpriced.ts'
import type { UnpricedRow } from '../sql/unpriced.ts'
import type { RecordEngine } from '../record-engine.ts'
import type { UsageUpkeep } from '../usage-upkeep.ts'
import { createCostChanges } from './cost-changes.ts'
import { findFaults } from './faults.ts'
import { rebuildRollups } from './rebuild/rebuild.ts'
import { listRepricings } from './repricings.ts'

export function createPostgresUpkeep(
  database: PostgresDatabase,
  { canWrite, records }: { readonly canWrite: boolean; readonly records: RecordEngine },
): UsageUpkeep {
  const changeCosts = createCostChanges(database, records)
  function requireWriter(): void {
    if (canWrite) return
    throw new WeirError('store_unusable', `${database.title} is open for reading only.`)
  }

  return {
    async removeRecords(beforeMs, rowsMax) {
      requireWriter()
      return records.remove(beforeMs, rowsMax)
    },
    async rebuildRollups(options) {
      if (!options.isTrial) requireWriter()
      return rebuildRollups(database, records, options)
    },
    async listUnpriced() {
      return (await database.all<UnpricedRow>(SELECT_UNPRICED, [MODELS_MAX])).map(fromUnpricedRow)
    },
    readRecords: (filter, page) => records.readPage(filter, page),
    async changeCosts(changes, line) {
      requireWriter()
      return changeCosts(changes, line)
    },
    listRepricings: (rowsMax) =>
      database.readTogether((sql) => listRepricings(sql, 'ORDER BY id DESC LIMIT ?', rowsMax)),
    findFaults: () => findFaults(database, records),
  }
}
