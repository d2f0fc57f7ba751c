// What is wrong with a usage store: damage to its file, and rollups of the newest days that are not the sums of
// their records. Must stay true: it changes nothing, and what it complains of is a fault for certain.

import { formatMoney } from '../../core/money.ts'
import { findDamage } from '../sqlite-damage.ts'
import type { SqliteFile } from '../sqlite-file.ts'
import { ALL_KEYS, createRollups } from './rollup.ts'
import type { RollupSum } from './rollup.ts'
import { readScope } from './sqlite-rebuild-scope.ts'
import { toPeriodText } from './sqlite-rebuild-words.ts'
import { fromDollars } from './sqlite-rollup-rows.ts'
import { readSnapshot } from './sqlite-snapshot.ts'
import { readSummedRecords } from './sqlite-summed-records.ts'

/** How many days are compared at the most, and how many calls they may have together. */
const DAYS_MAX = 7
const RECORDS_MAX = 200_000
const FAULTS_MAX = 5

export function findFaults(file: SqliteFile): readonly string[] {
  const damage = findDamage(file.database)
  if (damage.length > 0) {
    return damage.map((text) => `${file.title}: ${text}. Put the last backup in its place.`)
  }
  return readSnapshot(file, () => compareNewestDays(file)).map(
    (text) => `${file.title}: ${text}. Run weir rollups rebuild.`,
  )
}

/** By day and provider, all keys together. */
type DaySums = ReadonlyMap<string, Omit<RollupSum, 'key'>>

function compareNewestDays(file: SqliteFile): readonly string[] {
  const since = findFirstDay(file)
  if (since === null) return []
  const stored = readDaySums(file, since)
  const summed = sumRecords(file, since)
  const faults: string[] = []
  for (const place of new Set([...stored.keys(), ...summed.keys()])) {
    const [kept, told] = [describe(stored.get(place)), describe(summed.get(place))]
    if (kept !== told) faults.push(`${place} has ${kept} in the rollups and ${told} in the records`)
  }
  return faults.toSorted().slice(0, FAULTS_MAX)
}

/** The first of the newest days that can be compared, as the rollups number it; null when there is none. */
function findFirstDay(file: SqliteFile): number | null {
  const days = file
    .prepare<{ period: number; requests: number }>(
      `SELECT period, SUM(requests) AS requests FROM total_rollup
        WHERE key_id = 0 AND period > 999999 AND period >= ?
        GROUP BY period ORDER BY period DESC LIMIT ?`,
    )
    .all(readScope(file).dayNumber, DAYS_MAX)
  let first: number | null = null
  let requests = 0
  for (const day of days) {
    requests += day.requests
    if (requests > RECORDS_MAX) break
    first = day.period
  }
  return first
}

function readDaySums(file: SqliteFile, since: number): DaySums {
  const select = file.database
    .prepare(`SELECT period, cost_usd, cost_pico, requests, tokens, unpriced,
    (SELECT name FROM names WHERE id = provider) AS provider
    FROM total_rollup WHERE key_id = 0 AND period > 999999 AND period >= ?`)
  select.setReadBigInts(true)
  return new Map(
    select.all(since).map((row) => [
      `${toPeriodText(row['period'] as bigint)}, provider ${String(row['provider'])}`,
      {
        cost: fromDollars(row['cost_usd'] as bigint, row['cost_pico'] as bigint),
        requests: Number(row['requests']),
        tokens: Number(row['tokens']),
        unpriced: Number(row['unpriced']),
      },
    ]),
  )
}

function sumRecords(file: SqliteFile, since: number): DaySums {
  const rollups = createRollups()
  const sinceMs = Date.parse(`${toPeriodText(since)}T00:00:00Z`)
  for (const record of readSummedRecords(file.database, sinceMs)) rollups.add(record)
  const days = rollups
    .totalSums()
    .filter(({ key: [period, keyId] }) => period.length > 7 && keyId === ALL_KEYS)
  return new Map(
    days.map(({ key: [day, , provider], ...sum }) => [`${day}, provider ${provider}`, sum]),
  )
}

function describe(sum: Omit<RollupSum, 'key'> | undefined): string {
  if (sum === undefined) return 'nothing'
  const { cost, requests, tokens, unpriced } = sum
  const gap = unpriced === 0 ? '' : `, ${unpriced} unpriced`
  return `${requests} requests, ${tokens} tokens, $${formatMoney(cost)}${gap}`
}
