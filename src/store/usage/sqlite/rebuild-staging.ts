// Sums rollups again into temporary tables and compares them with the stored ones. It needs no more
// memory than a batch and changes nothing in the store itself.

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Rollups } from '../rollup.ts'
import { NAMES_CACHED_MAX } from './names.ts'
import { IN_SCOPE, isInScope } from '../sql/rebuild-scope.ts'
import type { RebuildScope } from '../sql/rebuild-scope.ts'
import type { RowChange } from '../sql/rebuild-words.ts'
import { FIGURE_COLUMNS } from '../sql/figure-columns.ts'
import { NO_PARTS, openPartStaging } from './analysis/rebuild-parts.ts'
import type { PartStaging } from './analysis/rebuild-parts.ts'
import { ROLLUP_TABLES } from '../sql/rollup-tables.ts'
import type { RollupTable } from '../sql/rollup-tables.ts'
import { addSum, prepareAddition } from './rollup-rows.ts'

export interface Staging {
  add(rollups: Rollups, scope: RebuildScope): void
  /** To be called after the last addition. */
  compare(scope: RebuildScope): {
    readonly rowsBefore: number
    readonly rowsAfter: number
    readonly rowsChanged: number
  }
  changes(): Iterable<RowChange>
  /** False where analysis has no sums of its own. */
  readonly hasParts: boolean
  readonly parts: PartStaging
  /** Of a stored name, or a negative number for one that is not stored. */
  readonly idOf: (name: string) => number
  readonly nameOf: (id: bigint) => string
  close(): void
}

/** SQLite's default 2 MiB halves the speed: a batch's sums are spread over the tables. */
const CACHE_KIB = 65_536

export function openStaging(
  database: DatabaseSync,
  { hasParts = true }: { readonly hasParts?: boolean } = {},
): Staging {
  database.exec(`PRAGMA temp.cache_size = -${CACHE_KIB}`)
  const names = createStagedNames(database)
  for (const table of ROLLUP_TABLES) createTables(database, table)
  const parts = hasParts ? openPartStaging(database) : NO_PARTS
  const additions = ROLLUP_TABLES.map((table) => ({
    table,
    addition: prepareAddition(database, table.key, summedName(table)),
  }))

  return {
    add(rollups, scope) {
      for (const { table, addition } of additions) {
        for (const sum of table.sumsOf(rollups)) {
          if (isInScope(sum.key[0], scope)) addSum(addition, sum, names)
        }
      }
    },
    compare(scope) {
      const counts = { rowsBefore: 0, rowsAfter: 0, rowsChanged: 0 }
      const { dayNumber, monthNumber } = scope
      for (const table of ROLLUP_TABLES) {
        compareTable(database, table, scope)
        const stored = `${table.name} WHERE ${IN_SCOPE}`
        counts.rowsBefore += countRows(database, stored, dayNumber, monthNumber)
        counts.rowsAfter += countRows(database, summedName(table))
        counts.rowsChanged += countRows(database, changedName(table))
      }
      counts.rowsChanged += parts.compare(scope)
      return counts
    },
    *changes() {
      for (const table of ROLLUP_TABLES) yield* readChanges(database, table)
    },
    hasParts,
    parts,
    idOf: (name) => names.idOf(name),
    nameOf: (id) => names.nameOf(id),
    close() {
      parts.close()
      for (const table of ROLLUP_TABLES) {
        database.exec(`DROP TABLE ${summedName(table)}; DROP TABLE ${changedName(table)}`)
      }
    },
  }
}

function summedName({ name }: RollupTable): string {
  return `temp.summed_${name}`
}

function changedName({ name }: RollupTable): string {
  return `temp.changed_${name}`
}

function createTables(database: DatabaseSync, table: RollupTable): void {
  const columns = [...table.key, ...FIGURE_COLUMNS].map((column) => `${column} INTEGER NOT NULL`)
  const stored = FIGURE_COLUMNS.map((column) => `stored_${column} INTEGER NOT NULL`)
  const key = `PRIMARY KEY (${table.key.join(', ')})`
  // A rebuild that failed on this connection may have left them.
  database.exec(`DROP TABLE IF EXISTS ${summedName(table)};
    DROP TABLE IF EXISTS ${changedName(table)};
    CREATE TABLE ${summedName(table)} (${columns.join(', ')}, ${key}) WITHOUT ROWID;
    CREATE TABLE ${changedName(table)} (${[...columns, ...stored].join(', ')}, ${key}) WITHOUT ROWID`)
}

/** Finds rows that differ or are not stored, then stored ones without any record. */
function compareTable(database: DatabaseSync, table: RollupTable, scope: RebuildScope): void {
  const { name, key } = table
  const [changed, summed] = [changedName(table), summedName(table)]
  const same = key.map((column) => `summed.${column} = stored.${column}`).join(' AND ')
  const differs = FIGURE_COLUMNS.map((column) => `summed.${column} IS NOT stored.${column}`)
  const difference = FIGURE_COLUMNS.map(
    (column) => `summed.${column} - COALESCE(stored.${column}, 0)`,
  )
  const before = FIGURE_COLUMNS.map((column) => `COALESCE(stored.${column}, 0)`)
  database.exec(`INSERT INTO ${changed}
    SELECT ${key.map((column) => `summed.${column}`).join(', ')}, ${difference.join(', ')},
      ${before.join(', ')}
    FROM ${summed} AS summed LEFT JOIN main.${name} AS stored ON ${same}
    WHERE ${differs.join(' OR ')}`)
  const surplus = database.prepare(`INSERT INTO ${changed}
    SELECT ${key.join(', ')}, ${FIGURE_COLUMNS.map((column) => `-${column}`).join(', ')},
      ${FIGURE_COLUMNS.join(', ')}
    FROM main.${name} AS stored
    WHERE ${IN_SCOPE} AND NOT EXISTS (SELECT 1 FROM ${summed} AS summed WHERE ${same})`)
  surplus.run(scope.dayNumber, scope.monthNumber)
}

function countRows(database: DatabaseSync, from: string, ...parameters: number[]): number {
  const row = database.prepare(`SELECT COUNT(*) AS rows FROM ${from}`).get(...parameters)
  return Number(row?.['rows'])
}

function* readChanges(database: DatabaseSync, table: RollupTable): Generator<RowChange> {
  const select = database.prepare(`SELECT * FROM ${changedName(table)}`)
  select.setReadBigInts(true)
  const pick = (row: Record<string, SQLOutputValue>, columns: readonly string[]): bigint[] =>
    columns.map((column) => row[column] as bigint)
  for (const row of select.iterate()) {
    yield {
      table,
      key: pick(row, table.key),
      difference: pick(row, FIGURE_COLUMNS),
      stored: pick(
        row,
        FIGURE_COLUMNS.map((column) => `stored_${column}`),
      ),
    }
  }
}

/** The store's ids, without adding any; a name without one gets a negative number. */
function createStagedNames(database: DatabaseSync) {
  const selectId = database.prepare('SELECT id FROM main.names WHERE name = ?')
  const selectName = database.prepare('SELECT name FROM main.names WHERE id = ?')
  const cache = new Map<string, number>()
  // Records and rollups store names together, so none is missing unless rows were lost.
  const missing: string[] = []
  const missingIds = new Map<string, number>()

  return {
    idOf(name: string): number {
      const known = cache.get(name) ?? missingIds.get(name)
      if (known !== undefined) return known
      const row = selectId.get(name)
      if (row === undefined) {
        missing.push(name)
        missingIds.set(name, -missing.length)
        return -missing.length
      }
      if (cache.size >= NAMES_CACHED_MAX) cache.clear()
      cache.set(name, Number(row['id']))
      return Number(row['id'])
    },
    nameOf(id: bigint): string {
      if (id < 0n) return missing[Number(-id) - 1] as string
      return String(selectName.get(id)?.['name'] ?? id)
    },
  }
}
