// Sums the parts for analysis again into a temporary table. What differs from the stored ones
// becomes parts of its own: added to the store, they make the sums right, however batches have
// divided and merged theirs meanwhile.

import type { Sql } from '../../../sql/sql.ts'
import { createAnalysisRows } from '../../analysis-rows.ts'
import { decodePart, encodePart } from '../../part-bytes.ts'
import { withIds } from '../../part-ids.ts'
import { createPartTable } from '../../part-table.ts'
import type { PartColumns } from '../../part-table.ts'
import { listParts, toStoredPart } from '../../part-tiers.ts'
import { isPeriodInScope } from '../../sql/rebuild-scope.ts'
import type { RebuildScope } from '../../sql/rebuild-scope.ts'
import type { PartChange } from '../../sql/rebuild-words.ts'
import type { SummedRecord } from '../../sql/summed-record.ts'
import { storePlaces } from '../../sql/writes/kept-values.ts'
import { planParts, readTiers } from '../../sql/writes/part-writes.ts'
import { LOCKED_ROWS_MAX, POSTGRES } from '../dialect.ts'
import type { StagedNames } from './staged-names.ts'

export interface PartStaging {
  add(records: readonly SummedRecord[]): Promise<void>
  /** How many rows differ. To be called after the last addition. */
  compare(): Promise<number>
  changes(max: number): Promise<readonly PartChange[]>
  /** In another transaction, under the store's lock. */
  apply(sql: Sql, toId: (id: number) => number): Promise<void>
}

/** Of kept values that are written at once. */
const PAGE_ROWS = 10_000

const CREATE = ['staged_parts', 'changed_parts'].map(
  (name) => `CREATE TEMP TABLE ${name} (number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    period INTEGER NOT NULL, rows INTEGER NOT NULL, part BYTEA NOT NULL) ON COMMIT DROP`,
)

export async function openPartStaging(
  sql: Sql,
  { scope, names }: { readonly scope: RebuildScope; readonly names: StagedNames },
): Promise<PartStaging> {
  for (const text of CREATE) await sql.run(text)
  await sql.run('CREATE INDEX staged_parts_by_period ON staged_parts (period)')
  const put = (table: string, period: number, columns: PartColumns): Promise<number> =>
    sql.run(`INSERT INTO ${table} (period, rows, part) VALUES (?, ?, ?)`, [
      period,
      columns.rows,
      encodePart(columns),
    ])

  return {
    async add(records) {
      const rows = createAnalysisRows(names)
      for (const { event, cost } of records) rows.add(event, cost)
      for (const { period, part } of listParts(rows.hours())) {
        if (!isPeriodInScope(period, scope)) continue
        await sql.run('INSERT INTO staged_parts (period, rows, part) VALUES (?, ?, ?)', [
          period,
          part.rows,
          part.bytes,
        ])
      }
    },
    async compare() {
      let changed = 0
      for (const period of await listPeriods(sql)) {
        if (!isPeriodInScope(period, scope)) continue
        const difference = await subtract(sql, period)
        if (difference.rows === 0) continue
        await put('changed_parts', period, difference)
        changed += difference.rows
      }
      return changed
    },
    changes: (max) =>
      sql.all<PartChange>('SELECT period, rows FROM changed_parts ORDER BY number LIMIT ?', [max]),
    async apply(stored, toId) {
      const numbers = await sql.all<{ number: number }>('SELECT number FROM changed_parts')
      for (const { number } of numbers) {
        const text = 'SELECT period, part FROM changed_parts WHERE number = ?'
        const row = await sql.first<{ period: number; part: Uint8Array }>(text, [number])
        if (row === null) continue
        const part = toStoredPart(withIds(decodePart(row.part), toId))
        const added = [{ period: row.period, part }]
        const tiers = await readTiers(stored, added, POSTGRES)
        const statements = await planParts(stored, { added, tiers, rowsMax: LOCKED_ROWS_MAX })
        for (const { text: change, values } of statements) await stored.run(change, values)
      }
      await keepValues(stored, names, toId)
    },
  }
}

async function listPeriods(sql: Sql): Promise<readonly number[]> {
  const rows = await sql.all<{ period: number }>(
    'SELECT period FROM analysis_parts UNION SELECT period FROM staged_parts',
  )
  return rows.map(({ period }) => period)
}

/** The records' sums of a period minus the stored ones. */
async function subtract(sql: Sql, period: number): Promise<PartColumns> {
  const table = createPartTable()
  for (const [name, times] of [['staged_parts', 1] as const, ['analysis_parts', -1] as const]) {
    const text = `SELECT part FROM ${name} WHERE period = ?`
    for (const { part } of await sql.all<{ part: Uint8Array }>(text, [period])) {
      table.addAll(decodePart(part), times)
    }
  }
  return table.columns()
}

async function keepValues(
  sql: Sql,
  { added }: StagedNames,
  toId: (id: number) => number,
): Promise<void> {
  for (let at = 0; at < added.length; at += PAGE_ROWS) {
    const page = added.slice(at, at + PAGE_ROWS)
    await storePlaces(
      sql,
      page.map(({ dim, value, key, ...place }) => ({
        dim: toId(dim),
        value: toId(value),
        key: toId(key),
        ...place,
      })),
    )
  }
}
