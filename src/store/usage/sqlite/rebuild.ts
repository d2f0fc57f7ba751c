// Sums rollups again from the records. Records and rollups always change together, so their
// difference stays the same: it is computed from one state of the file while the ledger writes, and
// then added in one short transaction, the only part other processes wait for.

import type { DatabaseSync } from 'node:sqlite'
import { WeirError } from '../../../core/weir-error.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { createAnalysisRows } from '../analysis-rows.ts'
import { createRollups } from '../rollup.ts'
import { createNames } from './names.ts'
import type { Names } from './names.ts'
import { describeChange, describePartChange } from '../sql/rebuild-words.ts'
import type { RowChange } from '../sql/rebuild-words.ts'
import { readScope } from './rebuild-scope.ts'
import type { RebuildScope } from '../sql/rebuild-scope.ts'
import { openStaging } from './rebuild-staging.ts'
import type { Staging } from './rebuild-staging.ts'
import { FIGURE_COLUMNS, fromColumns, toColumns } from '../sql/figure-columns.ts'
import { ROLLUP_TABLES } from '../sql/rollup-tables.ts'
import { prepareAddition } from './rollup-rows.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import { readSummedRecords } from './summed-records.ts'
import type { RebuildReport, UsageUpkeep } from '../usage-upkeep.ts'

/** Records summed in memory before their sums go to the temporary tables. */
const CHUNK_RECORDS = 50_000
const EXAMPLES_MAX = 5

type RebuildOptions = Parameters<UsageUpkeep['rebuildRollups']>[0]

export function rebuildRollups(file: SqliteFile, options: RebuildOptions): RebuildReport {
  const staging = file.guard(() => openStaging(file.database))
  try {
    const { report, rebuilds } = readTogether(file, () => ({
      report: sumRecords(file, staging, options),
      rebuilds: readRebuilds(file),
    }))
    if (!options.isTrial) {
      file.transact(() => {
        // What another rebuild has added must not be added again.
        if (readRebuilds(file) !== rebuilds) throw anotherRebuild(file)
        markComplete(file)
        if (report.rowsChanged === 0) return
        addChanges(file.database, staging)
        file.database.exec('UPDATE tally SET rebuilds = rebuilds + 1')
      })
    }
    return report
  } finally {
    staging.close()
  }
}

function sumRecords(
  file: SqliteFile,
  staging: Staging,
  { onProgress }: RebuildOptions,
): RebuildReport {
  const scope = readScope(file)
  const records = stageRecords(file.database, staging, { scope, onProgress })
  const counts = staging.compare(scope)
  const examples: string[] = []
  for (const change of staging.changes()) {
    if (examples.length === EXAMPLES_MAX) break
    examples.push(describeChange(change, staging.nameOf))
  }
  const parts = staging.parts.changes(EXAMPLES_MAX - examples.length)
  examples.push(...parts.map(describePartChange))
  return { records, ...counts, examples, rebuiltFrom: scope.fromDay }
}

interface StageOptions {
  readonly scope: RebuildScope
  readonly onProgress: RebuildOptions['onProgress']
}

/** Returns how many are in the sums. */
function stageRecords(
  database: DatabaseSync,
  staging: Staging,
  { scope, onProgress }: StageOptions,
): number {
  const ids = { ...staging.parts.kept, idOf: staging.idOf }
  let rollups = createRollups()
  let analyzed = createAnalysisRows(ids)
  let seen = 0
  let summed = 0
  for (const record of readSummedRecords(database, scope.fromMs)) {
    seen += 1
    rollups.add(record)
    analyzed.add(record.event, record.cost)
    if (record.event.status !== 'denied') summed += 1
    if (seen % CHUNK_RECORDS === 0) {
      staging.add(rollups, scope)
      staging.parts.add(analyzed, scope)
      rollups = createRollups()
      analyzed = createAnalysisRows(ids)
      onProgress?.(seen)
    }
  }
  staging.add(rollups, scope)
  staging.parts.add(analyzed, scope)
  onProgress?.(seen)
  return summed
}

function addChanges(database: DatabaseSync, staging: Staging): void {
  const names = createNames(database)
  const tables = new Map(ROLLUP_TABLES.map((table) => [table, prepareTable(database, table)]))
  for (const change of staging.changes()) {
    const { addition, removal } = tables.get(change.table) as ReturnType<typeof prepareTable>
    const key = toStoredKey(change, { staging, names })
    // Through figures and back, as a difference's remainder may be negative.
    addition.run(...key, ...toColumns(fromColumns(change.difference)))
    removal.run(...key)
  }
  staging.parts.apply(names, staging.nameOf)
}

/** A month that lacks records cannot be summed again. */
function markComplete(file: SqliteFile): void {
  const { monthNumber } = readScope(file)
  const fromMs = Date.UTC(Math.floor(monthNumber / 100), (monthNumber % 100) - 1)
  const since = monthNumber === 0 ? 'NULL' : `MIN(analysis_from, ${fromMs})`
  file.database.exec(`UPDATE tally SET analysis_from = ${since} WHERE analysis_from IS NOT NULL`)
}

function prepareTable(database: DatabaseSync, { name, key }: RowChange['table']) {
  const isKey = key.map((column) => `${column} = ?`).join(' AND ')
  const isNothing = FIGURE_COLUMNS.map((column) => `${column} = 0`).join(' AND ')
  return {
    addition: prepareAddition(database, key, name),
    // A row without calls is removed.
    removal: database.prepare(`DELETE FROM ${name} WHERE ${isKey} AND ${isNothing}`),
  }
}

function toStoredKey(
  { key }: RowChange,
  { staging, names }: { staging: Staging; names: Names },
): (number | bigint)[] {
  return key.map((id) => (id < 0n ? names.idOf(staging.nameOf(id)) : id))
}

function readRebuilds(file: SqliteFile): number {
  const row = file.prepare<{ rebuilds: number }>('SELECT rebuilds FROM tally').first()
  return row?.rebuilds ?? 0
}

function anotherRebuild(file: SqliteFile): WeirError {
  return new WeirError(
    'store_unusable',
    `${file.title} was rebuilt by another process meanwhile.`,
    {
      hint: 'Nothing was changed. If figures still look wrong, run it again.',
    },
  )
}
