// Sums rollups again into temporary tables and compares them with the stored ones. It needs no more
// memory than a chunk and changes nothing in the store itself before `apply`.

import { toNumberArray } from '../../../postgres/array-text.ts'
import type { Sql } from '../../../sql/sql.ts'
import { createRollups } from '../../rollup.ts'
import { FIGURE_COLUMNS, fromColumns, toColumns } from '../../sql/figure-columns.ts'
import { IN_SCOPE, isInScope } from '../../sql/rebuild-scope.ts'
import type { RebuildScope } from '../../sql/rebuild-scope.ts'
import type { RowChange } from '../../sql/rebuild-words.ts'
import { ROLLUP_TABLES } from '../../sql/rollup-tables.ts'
import type { RollupTable } from '../../sql/rollup-tables.ts'
import type { SummedRecord } from '../../sql/summed-record.ts'
import { toAddition, toRows } from '../../sql/writes/rollup-writes.ts'
import type { StagedNames } from './staged-names.ts'

export interface RowStaging {
  add(records: readonly SummedRecord[]): Promise<void>
  /** To be called after the last addition. */
  compare(): Promise<{
    readonly rowsBefore: number
    readonly rowsAfter: number
    readonly rowsChanged: number
  }>
  /** Those behind a number, in order. */
  changes(behind: number, rowsMax: number): Promise<readonly NumberedChange[]>
  /** In another transaction, under the store's lock. */
  apply(sql: Sql, toId: (id: number) => number): Promise<void>
}

export interface NumberedChange {
  readonly number: number
  readonly change: RowChange
}

const PAGE_ROWS = 10_000
const CHANGED = `CREATE TEMP TABLE changed_rows (number BIGINT GENERATED ALWAYS AS IDENTITY
    PRIMARY KEY, rollup TEXT NOT NULL, key INTEGER[] NOT NULL, difference BIGINT[] NOT NULL,
    stored BIGINT[] NOT NULL) ON COMMIT DROP`

export async function openRowStaging(
  sql: Sql,
  { scope, names }: { readonly scope: RebuildScope; readonly names: StagedNames },
): Promise<RowStaging> {
  await sql.run(CHANGED)
  for (const { name } of ROLLUP_TABLES) {
    const like = `(LIKE ${name} INCLUDING INDEXES)`
    await sql.run(`CREATE TEMP TABLE staged_${name} ${like} ON COMMIT DROP`)
  }

  async function changes(behind: number, rowsMax: number): Promise<readonly NumberedChange[]> {
    const text = 'SELECT * FROM changed_rows WHERE number > ? ORDER BY number LIMIT ?'
    return (await sql.all<ChangedRow>(text, [behind, rowsMax])).map(fromChangedRow)
  }

  return {
    changes,
    async add(records) {
      const rollups = createRollups()
      for (const record of records) rollups.add(record)
      for (const { name, key, sumsOf } of ROLLUP_TABLES) {
        const sums = sumsOf(rollups).filter((sum) => isInScope(sum.key[0], scope))
        if (sums.length === 0) continue
        const staged = { name: `staged_${name}`, key }
        await sql.insertMany(toAddition(staged, toRows(sums, names.idOf)))
      }
    },
    async compare() {
      const counts = { rowsBefore: 0, rowsAfter: 0, rowsChanged: 0 }
      const given = [scope.dayNumber, scope.monthNumber]
      for (const table of ROLLUP_TABLES) {
        await sql.run(`ANALYZE staged_${table.name}`)
        counts.rowsBefore += await count(sql, `${table.name} WHERE ${IN_SCOPE}`, given)
        counts.rowsAfter += await count(sql, `staged_${table.name}`, [])
        counts.rowsChanged += await sql.run(toComparison(table), given)
      }
      return counts
    },
    async apply(stored, toId) {
      let behind = 0
      for (;;) {
        const page = await changes(behind, PAGE_ROWS)
        for (const [table, list] of Map.groupBy(page, ({ change }) => change.table)) {
          await addChanges(stored, table, { list, toId })
        }
        if (page.length < PAGE_ROWS) return
        behind = page.at(-1)?.number ?? behind
      }
    },
  }
}

/** Rows that differ, rows that are not stored, and stored ones without any record. */
function toComparison({ name, key }: RollupTable): string {
  const keys = key.map((column) => `COALESCE(staged.${column}, stored.${column})`)
  const differs = FIGURE_COLUMNS.map(
    (column) => `staged.${column} IS DISTINCT FROM stored.${column}`,
  )
  const difference = FIGURE_COLUMNS.map(
    (column) => `COALESCE(staged.${column}, 0) - COALESCE(stored.${column}, 0)`,
  )
  const before = FIGURE_COLUMNS.map((column) => `COALESCE(stored.${column}, 0)`)
  return `INSERT INTO changed_rows (rollup, key, difference, stored)
    SELECT '${name}', ARRAY[${keys.join(', ')}], ARRAY[${difference.join(', ')}],
      ARRAY[${before.join(', ')}]
    FROM staged_${name} AS staged
    FULL JOIN (SELECT * FROM ${name} WHERE ${IN_SCOPE}) AS stored USING (${key.join(', ')})
    WHERE ${differs.join(' OR ')}`
}

async function count(sql: Sql, from: string, values: readonly number[]): Promise<number> {
  const row = await sql.first<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${from}`, values)
  return row?.rows ?? 0
}

interface ChangedRow {
  readonly number: number
  readonly rollup: string
  readonly key: readonly number[]
  readonly difference: readonly (string | number)[]
  readonly stored: readonly (string | number)[]
}

function fromChangedRow({ number, rollup, key, difference, stored }: ChangedRow): NumberedChange {
  const table = ROLLUP_TABLES.find(({ name }) => name === rollup) as RollupTable
  const [keys, differences, before] = [key, difference, stored].map((list) => list.map(BigInt)) as [
    bigint[],
    bigint[],
    bigint[],
  ]
  return { number, change: { table, key: keys, difference: differences, stored: before } }
}

async function addChanges(
  sql: Sql,
  table: RollupTable,
  options: { readonly list: readonly NumberedChange[]; readonly toId: (id: number) => number },
): Promise<void> {
  const { name, key } = table
  const rows = options.list.map(({ change }) => {
    const [period, ...ids] = change.key.map(Number) as [number, ...number[]]
    // Through figures and back, as a difference's remainder may be negative.
    return [period, ...ids.map(options.toId), ...toColumns(fromColumns(change.difference))]
  })
  const toArrays = (width: number): string[] =>
    Array.from({ length: width }, (_, at) =>
      toNumberArray(rows.map((row) => row[at] as number | bigint)),
    )
  await sql.insertMany(toAddition(table, rows))
  // A row without calls is removed.
  await sql.run(
    `DELETE FROM ${name} WHERE (${key.join(', ')}) IN
      (SELECT * FROM unnest(${key.map(() => '?::int[]').join(', ')}))
      AND ${FIGURE_COLUMNS.map((column) => `${column} = 0`).join(' AND ')}`,
    toArrays(key.length),
  )
}
