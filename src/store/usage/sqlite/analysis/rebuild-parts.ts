// Sums the parts for analysis again into temporary tables. What differs from the stored ones
// becomes parts of its own: added to the store, they make the sums right, however the ledger has
// divided and merged its parts meanwhile.

import type { DatabaseSync } from 'node:sqlite'
import type { AnalysisRows } from '../../analysis-rows.ts'
import { decodePart, encodePart } from '../../part-bytes.ts'
import { withIds } from '../../part-ids.ts'
import { createPartTable } from '../../part-table.ts'
import type { PartColumns } from '../../part-table.ts'
import { toMonth } from '../../part-tiers.ts'
import { createPartWriter } from './part-writer.ts'
import { createKeptValues } from './kept-values.ts'
import type { KeptValues } from './kept-values.ts'
import type { Names } from '../names.ts'
import { isPeriodInScope } from '../../sql/rebuild-scope.ts'
import type { RebuildScope } from '../../sql/rebuild-scope.ts'
import type { PartChange } from '../../sql/rebuild-words.ts'

export interface PartStaging {
  /** Decides for the records that are summed again; stored by `apply`. */
  readonly kept: KeptValues
  add(rows: AnalysisRows, scope: RebuildScope): void
  /** How many rows differ. To be called after the last addition. */
  compare(scope: RebuildScope): number
  changes(max: number): readonly PartChange[]
  /** Adds the differences to the store; only inside a transaction. */
  apply(names: Pick<Names, 'idOf'>, nameOf: (id: bigint) => string): void
  close(): void
}

export const NO_PARTS: PartStaging = {
  kept: { hasDim: () => false, isKept: () => false, reserve: () => {}, forget: () => {} },
  add: () => {},
  compare: () => 0,
  changes: () => [],
  apply: () => {},
  close: () => {},
}

const TABLES = ['staged_parts', 'changed_parts', 'staged_values'] as const

export function openPartStaging(database: DatabaseSync): PartStaging {
  // A rebuild that failed on this connection may have left them.
  dropTables(database)
  for (const table of ['staged_parts', 'changed_parts']) {
    database.exec(`CREATE TABLE temp.${table} (id INTEGER PRIMARY KEY, period INTEGER NOT NULL,
      tier INTEGER NOT NULL, rows INTEGER NOT NULL, part BLOB NOT NULL);
      CREATE INDEX temp.${table}_by_period ON ${table} (period, tier, rows)`)
  }
  database.exec('CREATE TABLE temp.staged_values AS SELECT * FROM main.analysis_values')
  const writer = createPartWriter(database, 'temp.staged_parts')

  return {
    kept: createKeptValues(database, { table: 'temp.staged_values' }),
    add(rows, scope) {
      for (const [hour, table] of rows.hours()) {
        const columns = table.columns()
        for (const period of [hour, toMonth(hour)]) {
          if (isPeriodInScope(period, scope)) writer.appendTo(period, columns)
        }
      }
    },
    compare(scope) {
      let changed = 0
      const insert = database.prepare(
        'INSERT INTO temp.changed_parts (period, tier, rows, part) VALUES (?, 0, ?, ?)',
      )
      for (const period of listPeriods(database)) {
        if (!isPeriodInScope(period, scope)) continue
        const difference = subtract(database, period)
        if (difference.rows === 0) continue
        insert.run(period, difference.rows, encodePart(difference))
        changed += difference.rows
      }
      return changed
    },
    changes(max) {
      const select = database.prepare('SELECT period, rows FROM temp.changed_parts LIMIT ?')
      return select.all(max).map((row) => ({
        period: Number(row['period']),
        rows: Number(row['rows']),
      }))
    },
    apply(names, nameOf) {
      const parts = createPartWriter(database)
      const toId = (id: number): number => (id < 0 ? names.idOf(nameOf(BigInt(id))) : id)
      for (const row of database.prepare('SELECT period, part FROM temp.changed_parts').iterate()) {
        parts.appendTo(Number(row['period']), withIds(decodePart(row['part'] as Uint8Array), toId))
      }
      const keep = database.prepare(
        'INSERT OR IGNORE INTO main.analysis_values VALUES (?, ?, ?, ?, ?)',
      )
      for (const row of database.prepare(NEW_VALUES).iterate()) {
        const [dim, value, key] = [row['dim'], row['value'], row['key']].map((id) =>
          toId(Number(id)),
        ) as [number, number, number]
        keep.run(Number(row['month']), dim, value, key, Number(row['place']))
      }
    },
    close: () => dropTables(database),
  }
}

const NEW_VALUES = 'SELECT * FROM temp.staged_values EXCEPT SELECT * FROM main.analysis_values'

function dropTables(database: DatabaseSync): void {
  for (const table of TABLES) database.exec(`DROP TABLE IF EXISTS temp.${table}`)
}

function listPeriods(database: DatabaseSync): readonly number[] {
  const select = database.prepare(`SELECT period FROM main.analysis_parts
    UNION SELECT period FROM temp.staged_parts`)
  return select.all().map((row) => Number(row['period']))
}

/** The records' sums of a period minus the stored ones. */
function subtract(database: DatabaseSync, period: number): PartColumns {
  const table = createPartTable()
  for (const [name, times] of [
    ['temp.staged_parts', 1] as const,
    ['main.analysis_parts', -1] as const,
  ]) {
    const select = database.prepare(`SELECT part FROM ${name} WHERE period = ?`)
    for (const row of select.iterate(period)) {
      table.addAll(decodePart(row['part'] as Uint8Array), times)
    }
  }
  return table.columns()
}
