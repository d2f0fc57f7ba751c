// Changes the costs of stored records. Must stay true: a record's cost, its sums and the audit line
// change in one transaction under the store's lock; a record whose cost has changed since it was
// read is left alone.

import { requireEpoch } from '../../../sql/sql.ts'
import type { Sql, SqlDatabase } from '../../../sql/sql.ts'
import { StoreBusy } from '../../../store-busy.ts'
import { createAnalysisRows } from '../../analysis-rows.ts'
import type { NameIds } from '../../analysis-rows.ts'
import { createChangedMonths, requireWhole } from '../../changed-months.ts'
import { listParts } from '../../block-tiers.ts'
import { pickChanges, toLast } from '../../picked-changes.ts'
import type { ChangedCost, RecordEngine } from '../../record-engine.ts'
import { createRollups } from '../../rollup.ts'
import type { UsageUpkeep } from '../../usage-upkeep.ts'
import { readCostRevision } from '../cost-revision.ts'
import type { Dialect } from '../dialect.ts'
import { writeLine } from '../repricings.ts'
import { planParts, readTiers } from './block-writes.ts'
import { toPriceRows } from './price-rows.ts'
import { toRollupAdditions } from './rollup-writes.ts'
import { createSumIds } from './sum-ids.ts'

/** Each is for costs that another process changed in between. */
const ATTEMPTS_MAX = 20

export interface CostChangesOptions {
  readonly records: RecordEngine
  readonly dialect: Dialect
  /** Of parts that are merged under the lock. */
  readonly rowsMax: number
}

export function createCostChanges(
  database: SqlDatabase,
  { records, dialect, rowsMax }: CostChangesOptions,
): UsageUpkeep['changeCosts'] {
  const { epoch } = database
  const { hasParts } = records
  const sumIds = createSumIds(database, { dialect, hasParts })

  async function writeSums(sql: Sql, changed: readonly ChangedCost[], ids: NameIds): Promise<void> {
    const rollups = createRollups()
    for (const { event, before, after } of changed) rollups.changeCost(event, { before, after })
    for (const rows of toRollupAdditions(rollups, ids.idOf)) await sql.insertMany(rows)
    if (!hasParts) return
    const analyzed = createAnalysisRows(ids)
    for (const { event, before, after } of changed) analyzed.changeCost(event, { before, after })
    const parts = [...listParts(analyzed.hours())]
    const tiers = await readTiers(sql, parts, dialect)
    const plan = await planParts(sql, { added: parts, tiers, rowsMax })
    for (const { text, values } of plan) await sql.run(text, values)
  }

  return async (changes, line) => {
    for (const { id, after } of changes) requireWhole(id, after)
    const wanted = changes.map(({ id }) => id)
    const sources = changes.map(({ after }) => after.source)
    for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts += 1) {
      // Without the lock: the calls may be in another engine.
      const { stored, revision } = await database.readSnapshot(async (sql) => ({
        revision: await readCostRevision(sql),
        stored: await records.find(sql, wanted),
      }))
      const epochs = epoch.count()
      const ids = await sumIds.resolve([...stored.values()], { sources })
      const changed = pickChanges(stored, changes)
      const confirm = await records.sendCosts(toLast(changed))
      const written = await database.transact(async (sql) => {
        requireEpoch(epoch, epochs)
        // A cost that was read may be another by now.
        if ((await readCostRevision(sql)) !== revision) return null
        const months = createChangedMonths()
        for (const { event, before, after } of changed) months.add(event, { before, after })
        for (const { text, values } of await confirm(sql)) await sql.run(text, values)
        await writeSums(sql, changed, ids)
        await sql.insertMany(toPriceRows(line.prices))
        return writeLine(sql, line, months.list())
      })
      if (written !== null) return written
    }
    throw new StoreBusy('Other processes change costs at the same time, again and again.')
  }
}
