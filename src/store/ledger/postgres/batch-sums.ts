// What a batch adds to the sums, worked out before the store's lock is taken: others wait for it.
// Names get their ids and dimension values their places first, each in a commit of its own.

import type { UsageRecord } from '../../../core/usage-record.ts'
import { toNumberArray, toTextArray } from '../../postgres/array-text.ts'
import { ofEpoch } from '../../sql/sql.ts'
import type { SqlDatabase, Statement } from '../../sql/sql.ts'
import { createAnalysisRows, createHourFormat, toPlaceAsker } from '../../usage/analysis-rows.ts'
import { listParts, toMonth } from '../../usage/part-tiers.ts'
import { createPostgresKeptValues } from '../../usage/postgres/kept-values.ts'
import type { DimValue, PostgresKeptValues } from '../../usage/postgres/kept-values.ts'
import { createPostgresNames } from '../../usage/postgres/names.ts'
import type { PostgresNames } from '../../usage/postgres/names.ts'
import type { AddedPart } from '../../usage/postgres/part-writes.ts'
import { toRollupAdditions } from '../../usage/postgres/rollup-writes.ts'
import { createRollups } from '../../usage/rollup.ts'

export interface BatchSums {
  readonly additions: readonly Statement[]
  readonly parts: readonly AddedPart[]
}

export interface BatchSummer {
  /** Of records that are new to the store. Not within a transaction. */
  sum(records: readonly UsageRecord[], knownDims?: readonly string[]): Promise<BatchSums>
}

interface Remembered {
  readonly names: PostgresNames
  readonly kept: PostgresKeptValues
}

interface Summing extends Remembered {
  readonly knownDims: readonly string[]
}

const PUT_KEY_USES = `INSERT INTO key_uses AS kept (key_id, at)
  SELECT * FROM unnest(?::text[], ?::bigint[]) ORDER BY 1
  ON CONFLICT (key_id) DO UPDATE SET at = GREATEST(kept.at, excluded.at)`

/** Without parts where analysis reads the records themselves. */
export function createBatchSummer(
  database: SqlDatabase,
  { hasParts }: { readonly hasParts: boolean },
): BatchSummer {
  const remember = ofEpoch<Remembered>(database.epoch, () => ({
    names: createPostgresNames(database),
    kept: createPostgresKeptValues(database),
  }))

  /** In the order in which they came: the first that a month has room for are kept. */
  async function resolveDimValues(
    records: readonly UsageRecord[],
    { names: { idOf }, kept, knownDims }: Summing,
  ): Promise<void> {
    const toHour = createHourFormat()
    const values: DimValue[] = []
    const months = new Set<number>()
    for (const { event } of records) {
      const { dims, endedAt } = event
      const asker = toPlaceAsker(event, toMonth(toHour(endedAt)), idOf)
      months.add(asker.month)
      for (const key in dims) {
        const [dim, value] = [idOf(key), idOf(dims[key] as string)]
        if (!kept.isKnown(asker, dim, value)) values.push({ ...asker, dim, value })
      }
    }
    await kept.resolve(values, months, knownDims.map(idOf))
  }

  async function sumParts(
    records: readonly UsageRecord[],
    known: Summing,
  ): Promise<readonly AddedPart[]> {
    await resolveDimValues(records, known)
    const analyzed = createAnalysisRows({ ...known.kept, idOf: known.names.idOf })
    for (const { event, cost } of records) analyzed.add(event, cost)
    return [...listParts(analyzed.hours())]
  }

  return {
    async sum(records, knownDims = []) {
      const known = { ...remember(), knownDims }
      await known.names.resolve(listNames(records, hasParts ? knownDims : []))
      const rollups = createRollups()
      for (const record of records) rollups.add(record)
      const additions = [...toRollupAdditions(rollups, known.names.idOf), ...toKeyUses(records)]
      return { additions, parts: hasParts ? await sumParts(records, known) : [] }
    },
  }
}

function listNames(
  records: readonly UsageRecord[],
  others: readonly string[],
): ReadonlySet<string> {
  const names = new Set(others)
  for (const { event, cost } of records) {
    const { keyId, provider, model, dims, status, usage } = event
    if (keyId !== null) names.add(keyId)
    if (model !== null) names.add(model)
    names.add(provider).add(status).add(usage).add(cost.source)
    for (const key in dims) names.add(key).add(dims[key] as string)
  }
  return names
}

/** When each key was last used. It never goes back. */
function toKeyUses(records: readonly UsageRecord[]): readonly Statement[] {
  const latest = new Map<string, number>()
  for (const { event } of records) {
    const { keyId, startedAt } = event
    if (keyId !== null) latest.set(keyId, Math.max(startedAt, latest.get(keyId) ?? startedAt))
  }
  if (latest.size === 0) return []
  const values = [toTextArray(latest.keys()), toNumberArray([...latest.values()])]
  return [{ text: PUT_KEY_USES, values }]
}
