// Finds damage to a usage store's file, and newest days whose rollups are not the sums of their
// records. Must stay true: it changes nothing, and whatever it reports is a fault for certain.

import { createFigures } from '../../../core/usage-figures.ts'
import type { UsageFigures } from '../../../core/usage-figures.ts'
import { findDamage } from '../../sqlite/damage.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { ALL_KEYS, createRollups } from '../rollup.ts'
import { FIGURE_COLUMNS, fromColumns } from '../sql/figure-columns.ts'
import { readScope } from './rebuild-scope.ts'
import type { RebuildScope } from '../sql/rebuild-scope.ts'
import { describeDifference, toPeriodText } from '../sql/rebuild-words.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import { readSummedRecords } from './summed-records.ts'

const DAYS_MAX = 7
const FAULTS_MAX = 5
const NOTHING = createFigures()

export function findFaults(file: SqliteFile): readonly string[] {
  const damage = findDamage(file.database)
  if (damage.length > 0) {
    return damage.map((text) => `${file.title}: ${text}. Put the last backup in its place.`)
  }
  return readTogether(file, () => compareNewestDays(file)).map(
    (text) => `${file.title}: ${text}. Run weir rollups rebuild.`,
  )
}

/** By day and provider, all keys together. */
type DaySums = ReadonlyMap<string, UsageFigures>

function compareNewestDays(file: SqliteFile): readonly string[] {
  const first = findFirstDay(file)
  const stored = readDaySums(file, first.dayNumber)
  const summed = sumRecords(file, first.fromMs)
  const faults: string[] = []
  for (const place of new Set([...stored.keys(), ...summed.keys()])) {
    const { records, rollups } = describeDifference(
      summed.get(place) ?? NOTHING,
      stored.get(place) ?? NOTHING,
    )
    if (records === '') continue
    faults.push(`${place} has ${rollups} in the rollups and ${records} in the records`)
  }
  return faults.toSorted().slice(0, FAULTS_MAX)
}

// The first of the newest comparable days. Rollups only say which days exist, as their counts may
// be wrong. Where they have none, there may still be records.
function findFirstDay(file: SqliteFile): Pick<RebuildScope, 'dayNumber' | 'fromMs'> {
  const scope = readScope(file)
  const days = file
    .prepare<{ period: number }>(
      `SELECT DISTINCT period FROM total_rollup
        WHERE key_id = 0 AND period > 999999 AND period >= ? ORDER BY period DESC LIMIT ?`,
    )
    .all(scope.dayNumber, DAYS_MAX)
  const first = days.at(-1)?.period
  if (first === undefined || days.length < DAYS_MAX) return scope
  return { dayNumber: first, fromMs: Date.parse(`${toPeriodText(first)}T00:00:00Z`) }
}

function readDaySums(file: SqliteFile, since: number): DaySums {
  const select = file.database
    .prepare(`SELECT period, (SELECT name FROM names WHERE id = provider) AS provider,
    ${FIGURE_COLUMNS.join(', ')}
    FROM total_rollup WHERE key_id = 0 AND period > 999999 AND period >= ?`)
  select.setReadBigInts(true)
  select.setReturnArrays(true)
  return new Map(
    (select.all(since) as unknown as bigint[][]).map(([period, provider, ...figures]) => [
      `${toPeriodText(period as bigint)}, provider ${String(provider)}`,
      fromColumns(figures),
    ]),
  )
}

function sumRecords(file: SqliteFile, sinceMs: number): DaySums {
  const rollups = createRollups()
  for (const { event, cost } of readSummedRecords(file.database, sinceMs)) {
    // Only what is compared: memory must not grow with keys, models and dimensions.
    rollups.add({ event: { ...event, keyId: null, model: null, dims: {} }, cost })
  }
  const days = rollups
    .totalSums()
    .filter(({ key: [period, keyId] }) => period.length > 7 && keyId === ALL_KEYS)
  return new Map(
    days.map(({ key: [day, , provider], ...sum }) => [`${day}, provider ${provider}`, sum]),
  )
}
