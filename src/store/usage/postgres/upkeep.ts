// The upkeep of a usage store on PostgreSQL: each job has a file of its own.

import type { PostgresDatabase } from '../../postgres/database.ts'
import { fromUnpricedRow, MODELS_MAX, SELECT_UNPRICED } from '../sql/unpriced.ts'
import type { UnpricedRow } from '../sql/unpriced.ts'
import type { UsageUpkeep } from '../usage-upkeep.ts'
import { createCostChanges } from './cost-changes.ts'
import { findFaults } from './faults.ts'
import { readRecords } from './record-pages.ts'
import { rebuildRollups } from './rebuild/rebuild.ts'
import { listRepricings } from './repricings.ts'
import { removeRecords } from './retention.ts'

export function createPostgresUpkeep(database: PostgresDatabase): UsageUpkeep {
  return {
    removeRecords: (beforeMs, rowsMax) => removeRecords(database, beforeMs, rowsMax),
    rebuildRollups: (options) => rebuildRollups(database, options),
    async listUnpriced() {
      return (await database.all<UnpricedRow>(SELECT_UNPRICED, [MODELS_MAX])).map(fromUnpricedRow)
    },
    readRecords: (filter, page) => readRecords(database, filter, page),
    changeCosts: createCostChanges(database),
    listRepricings: (rowsMax) =>
      database.readTogether((sql) => listRepricings(sql, 'ORDER BY id DESC LIMIT ?', rowsMax)),
    findFaults: () => findFaults(database),
  }
}
