// Changes the costs of stored records. Must stay true: a record's cost, its sums and the audit line
// change in one transaction under the store's lock; a record whose cost has changed since it was
// read is left alone.

import type { UsageEvent } from '../../../core/usage-event.ts'
import type { Cost, StoredPrice, UsageRecord } from '../../../core/usage-record.ts'
import { toOptionalTextArray, toTextArray } from '../../postgres/array-text.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { createAnalysisRows } from '../analysis-rows.ts'
import { createChangedMonths, isSameCost, requireWhole } from '../changed-months.ts'
import { listParts, toMonth } from '../part-tiers.ts'
import { createRollups } from '../rollup.ts'
import { toNumber } from '../sql/period-ranges.ts'
import { fromRecordRow, parseIdBytes, SELECT_COLUMNS } from '../sql/record-row.ts'
import type { Row } from '../sql/record-row.ts'
import type { CostChange, UsageUpkeep } from '../usage-upkeep.ts'
import { createPostgresKeptValues } from './kept-values.ts'
import type { DimValue, PostgresKeptValues } from './kept-values.ts'
import { createPostgresNames } from './names.ts'
import type { PostgresNames } from './names.ts'
import { planParts, readTiers } from './part-writes.ts'
import { writeLine } from './repricings.ts'
import { toRollupAdditions } from './rollup-writes.ts'

export function createCostChanges(database: SqlDatabase): UsageUpkeep['changeCosts'] {
  const names = createPostgresNames(database)
  const kept = createPostgresKeptValues(database)
  return async (changes, line) => {
    for (const { id, after } of changes) requireWhole(id, after)
    // Names are given ids before the transaction; the facts of a record never change.
    await resolve(await readStored(database, changes), changes, { names, kept })
    return database.transact(async (sql) => {
      const months = createChangedMonths()
      const rollups = createRollups()
      const analyzed = createAnalysisRows({ ...kept, idOf: names.idOf })
      const changed = pickChanges(await readStored(sql, changes), changes)
      for (const { event, before, after } of changed) {
        rollups.changeCost(event, { before, after })
        analyzed.changeCost(event, { before, after })
        months.add(event, { before, after })
      }
      await writeCosts(sql, changed)
      for (const { text, values } of toRollupAdditions(rollups, names.idOf)) {
        await sql.run(text, values)
      }
      const parts = [...listParts(analyzed.hours())]
      const plan = await planParts(sql, parts, await readTiers(sql, parts))
      for (const { text, values } of plan) await sql.run(text, values)
      await writePrices(sql, line.prices)
      return writeLine(sql, line, months.list())
    })
  }
}

interface ChangedCost {
  readonly event: UsageEvent
  readonly before: Cost
  readonly after: Cost
}

type Stored = ReadonlyMap<string, UsageRecord>

async function readStored(sql: Sql, changes: readonly CostChange[]): Promise<Stored> {
  const ids = changes.map(({ id }) => id).filter((id) => parseIdBytes(id) !== null)
  const text = `SELECT ${SELECT_COLUMNS} FROM records WHERE id = ANY (?::uuid[])`
  const rows = await sql.all<Row>(text, [toTextArray(ids)])
  return new Map(rows.map(fromRecordRow).map((record) => [record.event.id, record]))
}

/** In order: a second change of a record finds what the first has written. */
function pickChanges(stored: Stored, changes: readonly CostChange[]): readonly ChangedCost[] {
  const current = new Map(Array.from(stored, ([id, { cost }]) => [id, cost]))
  const picked: ChangedCost[] = []
  for (const { id, before, after } of changes) {
    const event = stored.get(id)?.event
    const cost = current.get(id)
    if (event === undefined || cost === undefined || !isSameCost(cost, before)) continue
    current.set(id, after)
    picked.push({ event, before, after })
  }
  return picked
}

async function writeCosts(sql: Sql, changed: readonly ChangedCost[]): Promise<void> {
  const last = new Map(changed.map(({ event, after }) => [event.id, after]))
  if (last.size === 0) return
  const costs = [...last.values()]
  const ids = toTextArray(last.keys())
  await sql.run(
    `UPDATE records SET cost_pico = changed.cost, cost_source = changed.source,
      price_version = changed.version
    FROM unnest(?::uuid[], ?::numeric[], ?::text[], ?::text[])
      AS changed (id, cost, source, version)
    WHERE records.id = changed.id AND records.id = ANY (?::uuid[])`,
    [
      ids,
      toOptionalTextArray(costs.map(({ amount }) => (amount === null ? null : String(amount)))),
      toTextArray(costs.map(({ source }) => source)),
      toOptionalTextArray(costs.map(({ priceVersion }) => priceVersion)),
      ids,
    ],
  )
}

async function writePrices(sql: Sql, prices: readonly StoredPrice[]): Promise<void> {
  for (const { version, sheet } of prices) {
    const text = 'INSERT INTO prices (version, sheet) VALUES (?, ?) ON CONFLICT DO NOTHING'
    await sql.run(text, [version, sheet])
  }
}

async function resolve(
  stored: Stored,
  changes: readonly CostChange[],
  { names, kept }: { readonly names: PostgresNames; readonly kept: PostgresKeptValues },
): Promise<void> {
  const all = new Set<string>()
  for (const { before, after } of changes) all.add(before.source).add(after.source)
  for (const { event } of stored.values()) {
    const { keyId, provider, model, status, usage, dims } = event
    for (const name of [keyId ?? '', provider, model ?? '', status, usage]) all.add(name)
    for (const [key, value] of Object.entries(dims)) all.add(key).add(value)
  }
  await names.resolve(all)
  const values: DimValue[] = []
  for (const { event } of stored.values()) {
    const month = toMonth(toNumber(event.endedAt, 'hour'))
    for (const [key, value] of Object.entries(event.dims)) {
      values.push({ month, dim: names.idOf(key), value: names.idOf(value) })
    }
  }
  await kept.resolve(values)
}
