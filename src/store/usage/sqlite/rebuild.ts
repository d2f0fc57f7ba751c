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
import type { SummedRecord } from '../sql/summed-record.ts'
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
    const found = readTogether(file, () => {
      const summing = beginSumming(file, staging, options)
      for (const record of readSummedRecords(file.database, summing.fromMs)) summing.add(record)
      return summing.finish()
    })
    if (!options.isTrial) correct(file, staging, found)
    return found.report
  } finally {
    staging.close()
  }
}

export interface SummedAgain {
  readonly report: RebuildReport
  /** How often the store was rebuilt before. */
  readonly rebuilds: number
}

export interface Summing {
  readonly fromMs: number
  /** For each call that ended then or later. */
  add(record: SummedRecord): void
  finish(): SummedAgain
}

/** Until `finish`, the transaction stays in which the records are read. */
export function beginSumming(
  file: SqliteFile,
  staging: Staging,
  { onProgress }: RebuildOptions,
): Summing {
  const scope = readScope(file)
  const ids = { ...staging.parts.kept, idOf: staging.idOf }
  let rollups = createRollups()
  let analyzed = createAnalysisRows(ids)
  let seen = 0
  let records = 0
  function stage(): void {
    staging.add(rollups, scope)
    staging.parts.add(analyzed, scope)
    rollups = createRollups()
    analyzed = createAnalysisRows(ids)
    onProgress?.(seen)
  }
  return {
    fromMs: scope.fromMs,
    add(record) {
      seen += 1
      rollups.add(record)
      if (staging.hasParts) analyzed.add(record.event, record.cost)
      if (record.event.status !== 'denied') records += 1
      if (seen % CHUNK_RECORDS === 0) stage()
    },
    finish() {
      stage()
      const counts = staging.compare(scope)
      const examples = listExamples(staging)
      const report = { records, ...counts, examples, rebuiltFrom: scope.fromDay }
      return { report, rebuilds: readRebuilds(file) }
    },
  }
}

function listExamples(staging: Staging): readonly string[] {
  const examples: string[] = []
  for (const change of staging.changes()) {
    if (examples.length === EXAMPLES_MAX) break
    examples.push(describeChange(change, staging.nameOf))
  }
  const parts = staging.parts.changes(EXAMPLES_MAX - examples.length)
  return [...examples, ...parts.map(describePartChange)]
}

export function correct(
  file: SqliteFile,
  staging: Staging,
  { report, rebuilds }: SummedAgain,
): void {
  file.transact(() => {
    // What another rebuild has added must not be added again.
    if (readRebuilds(file) !== rebuilds) throw anotherRebuild(file)
    markComplete(file)
    if (report.rowsChanged === 0) return
    addChanges(file.database, staging)
    file.database.exec('UPDATE usage_state SET rebuilds = rebuilds + 1')
  })
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
  file.database.exec(
    `UPDATE usage_state SET analysis_from = ${since} WHERE analysis_from IS NOT NULL`,
  )
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
  const row = file.prepare<{ rebuilds: number }>('SELECT rebuilds FROM usage_state').first()
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
