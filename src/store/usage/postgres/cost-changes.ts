// Changes the costs of stored records. Must stay true: a record's cost, its sums and the audit line
// change in one transaction under the store's lock; a record whose cost has changed since it was
// read is left alone.

import type { StoredPrice, UsageRecord } from '../../../core/usage-record.ts'
import { requireEpoch } from '../../postgres/epoch.ts'
import { ofEpoch } from '../../sql/sql.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { StoreBusy } from '../../store-busy.ts'
import { createAnalysisRows, toPlaceAsker } from '../analysis-rows.ts'
import { createChangedMonths, requireWhole } from '../changed-months.ts'
import { listParts, toMonth } from '../part-tiers.ts'
import { pickChanges, toLast } from '../picked-changes.ts'
import type { ChangedCost, RecordEngine } from '../record-engine.ts'
import { createRollups } from '../rollup.ts'
import { toNumber } from '../sql/period-ranges.ts'
import type { CostChange, UsageUpkeep } from '../usage-upkeep.ts'
import { readCostRevision } from './cost-revision.ts'
import { createPostgresKeptValues } from './kept-values.ts'
import type { DimValue, PostgresKeptValues } from './kept-values.ts'
import { createPostgresNames } from './names.ts'
import type { PostgresNames } from './names.ts'
import { planParts, readTiers } from './part-writes.ts'
import { writeLine } from './repricings.ts'
import { toRollupAdditions } from './rollup-writes.ts'

interface Remembered {
  readonly names: PostgresNames
  readonly kept: PostgresKeptValues
}

/** Each is for costs that another process changed in between. */
const ATTEMPTS_MAX = 20

export function createCostChanges(
  database: SqlDatabase,
  records: RecordEngine,
): UsageUpkeep['changeCosts'] {
  const { epoch } = database
  const remember = ofEpoch<Remembered>(epoch, () => ({
    names: createPostgresNames(database),
    kept: createPostgresKeptValues(database),
  }))

  async function writeSums(
    sql: Sql,
    changed: readonly ChangedCost[],
    { names, kept }: Remembered,
  ): Promise<void> {
    const rollups = createRollups()
    for (const { event, before, after } of changed) rollups.changeCost(event, { before, after })
    for (const { text, values } of toRollupAdditions(rollups, names.idOf)) {
      await sql.run(text, values)
    }
    if (!records.hasParts) return
    const analyzed = createAnalysisRows({ ...kept, idOf: names.idOf })
    for (const { event, before, after } of changed) analyzed.changeCost(event, { before, after })
    const parts = [...listParts(analyzed.hours())]
    const plan = await planParts(sql, parts, await readTiers(sql, parts))
    for (const { text, values } of plan) await sql.run(text, values)
  }

  return async (changes, line) => {
    for (const { id, after } of changes) requireWhole(id, after)
    const ids = changes.map(({ id }) => id)
    for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts += 1) {
      // Without the lock: the calls may be in another engine.
      const { stored, revision } = await database.readTogether(async (sql) => ({
        revision: await readCostRevision(sql),
        stored: await records.find(sql, ids),
      }))
      const epochs = epoch.count()
      const known = remember()
      await resolve(stored, changes, { ...known, ...(!records.hasParts && { kept: null }) })
      const changed = pickChanges(stored, changes)
      const confirm = await records.sendCosts(toLast(changed))
      const written = await database.transact(async (sql) => {
        requireEpoch(epoch, epochs)
        // A cost that was read may be another by now.
        if ((await readCostRevision(sql)) !== revision) return null
        const months = createChangedMonths()
        for (const { event, before, after } of changed) months.add(event, { before, after })
        for (const { text, values } of await confirm(sql)) await sql.run(text, values)
        await writeSums(sql, changed, known)
        await writePrices(sql, line.prices)
        return writeLine(sql, line, months.list())
      })
      if (written !== null) return written
    }
    throw new StoreBusy('Other processes change costs at the same time, again and again.')
  }
}

async function writePrices(sql: Sql, prices: readonly StoredPrice[]): Promise<void> {
  for (const { version, sheet } of prices) {
    const text = 'INSERT INTO prices (version, sheet) VALUES (?, ?) ON CONFLICT DO NOTHING'
    await sql.run(text, [version, sheet])
  }
}

async function resolve(
  stored: ReadonlyMap<string, UsageRecord>,
  changes: readonly CostChange[],
  { names, kept }: { readonly names: PostgresNames; readonly kept: PostgresKeptValues | null },
): Promise<void> {
  const all = new Set<string>()
  for (const { before, after } of changes) all.add(before.source).add(after.source)
  for (const { event } of stored.values()) {
    const { keyId, provider, model, status, usage, dims } = event
    for (const name of [keyId ?? '', provider, model ?? '', status, usage]) all.add(name)
    for (const [key, value] of Object.entries(dims)) all.add(key).add(value)
  }
  await names.resolve(all)
  if (kept === null) return
  const values: DimValue[] = []
  for (const { event } of stored.values()) {
    const month = toMonth(toNumber(event.endedAt, 'hour'))
    const asker = toPlaceAsker(event, month, names.idOf)
    for (const [key, value] of Object.entries(event.dims)) {
      values.push({ ...asker, dim: names.idOf(key), value: names.idOf(value) })
    }
  }
  await kept.resolve(values, new Set(values.map(({ month }) => month)))
}
