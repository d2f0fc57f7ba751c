// Sums rollups again from the records, month by month. Records and rollups always change together,
// so their difference stays the same: it is computed from one state of the database while batches
// are written, and then added in one short transaction, the only part others wait for. Must stay
// true: a month, or a portion of a month with very many sums, is corrected as a whole or not at
// all, so that a run that is cut short leaves right ones and untouched ones, and the next goes on
// from there.

import { subtractFigures } from '../../../../core/usage-figures.ts'
import { WeirError } from '../../../../core/weir-error.ts'
import { requireEpoch, runChange } from '../../../sql/sql.ts'
import type { BulkRow, Sql, SqlDatabase, SqlValue } from '../../../sql/sql.ts'
import { withIds } from '../../block-ids.ts'
import { toStoredPart } from '../../block-tiers.ts'
import type { RecordEngine } from '../../record-engine.ts'
import type { RebuildReport, UsageUpkeep } from '../../usage-upkeep.ts'
import type { Dialect } from '../dialect.ts'
import { ABOUT_COLUMNS, toAboutColumns } from '../about-columns.ts'
import { FIGURE_COLUMNS, toColumns } from '../figure-columns.ts'
import { compareMonth, listMissingNames } from './compare-month.ts'
import type { MonthFindings, RowChange } from './compare-month.ts'
import { ALL_SUMS, ROWS_BUFFERED_MAX, split, TooManyRows } from './portion.ts'
import type { Portion } from './portion.ts'
import { toMonthOf } from '../rebuild-scope.ts'
import type { RebuildScope } from '../rebuild-scope.ts'
import { describeChange, describePartChange } from '../rebuild-words.ts'
import { ROLLUP_TABLES } from '../rollup-tables.ts'
import type { RollupTable } from '../rollup-tables.ts'
import { readScope } from '../scope.ts'
import { storePlaces } from '../writes/kept-values.ts'
import { createNames } from '../writes/names.ts'
import { toPartInserts } from '../writes/block-writes.ts'
import { toAddition } from '../writes/rollup-writes.ts'

type RebuildRecords = Pick<RecordEngine, 'readSummed' | 'listMonths' | 'hasParts'>
export interface RebuildTools {
  readonly records: RebuildRecords
  readonly dialect: Dialect
}

type RebuildOptions = Parameters<UsageUpkeep['rebuildRollups']>[0]

const EXAMPLES_MAX = 5
const PAGE_ROWS = 10_000

export async function rebuildRollups(
  database: SqlDatabase,
  { records, dialect }: RebuildTools,
  { isTrial, onProgress, rowsBufferedMax = ROWS_BUFFERED_MAX }: RebuildOptions,
): Promise<RebuildReport> {
  const { scope, months } = await database.readSnapshot((sql) => listMonths(sql, records))
  const report = { records: 0, rowsBefore: 0, rowsAfter: 0, rowsChanged: 0 }
  const examples: string[] = []
  // Calls that were read, of earlier months and of this one.
  let [earlier, ofMonth] = [0, 0]

  /** Null where there are too many. */
  function compare(month: number, portion: Portion): Promise<Found | null> {
    const onRead = (count: number): void => {
      // Those of a month are read again for each of its portions.
      ofMonth = Math.max(ofMonth, count)
      onProgress?.(earlier + ofMonth)
    }
    return database.readSnapshot(async (sql) => {
      const asked = { month, scope, records, dialect, portion, rowsBufferedMax, onRead }
      const findings = await compareMonth(sql, asked).catch(refuseTooMany)
      if (findings === null) return null
      const wanted = EXAMPLES_MAX - examples.length
      examples.push(...(await listExamples(findings, wanted)))
      return { findings, rebuilds: await readRebuilds(sql), epochs: database.epoch.count() }
    })
  }

  async function rebuildPortion(month: number, portion: Portion): Promise<void> {
    const found = await compare(month, portion)
    if (found === null) {
      // A portion is told by ids: a name that got its id between two would change it.
      if (!isTrial && portion === ALL_SUMS) await storeNames(month)
      for (const half of split(portion)) await rebuildPortion(month, half)
      return
    }
    const { findings } = found
    const rowsChanged = countChanges(findings)
    if (!isTrial && rowsChanged > 0) await correct(database, dialect, found)
    report.rowsBefore += findings.rowsBefore
    report.rowsAfter += findings.rowsAfter
    report.rowsChanged += rowsChanged
    // Every portion is of all calls.
    if (portion.at === 0) report.records += findings.records
  }

  async function storeNames(month: number): Promise<void> {
    const asked = { month, scope, records, dialect }
    const missing = await database.readSnapshot((sql) => listMissingNames(sql, asked))
    await createNames(database, dialect).resolve(missing)
  }

  for (const month of months) {
    await rebuildPortion(month, ALL_SUMS)
    ;[earlier, ofMonth] = [earlier + ofMonth, 0]
  }
  return { ...report, examples, rebuiltFrom: scope.fromDay }
}

function refuseTooMany(error: unknown): null {
  if (error instanceof TooManyRows) return null
  throw error
}

/** Months with calls or sums, oldest first: those that can be summed again. */
async function listMonths(
  sql: Sql,
  records: RebuildRecords,
): Promise<{ readonly scope: RebuildScope; readonly months: readonly number[] }> {
  const scope = await readScope(sql)
  const tables = [...ROLLUP_TABLES.map(({ name }) => name), 'analysis_parts']
  const periods = await sql.all<{ period: number }>(
    tables.map((name) => `SELECT DISTINCT period FROM ${name}`).join(' UNION '),
  )
  const months = new Set([
    ...(await records.listMonths(sql)),
    ...periods.map(({ period }) => toMonthOf(period)),
  ])
  const first = Math.floor(scope.dayNumber / 100)
  return { scope, months: [...months].filter((month) => month >= first).toSorted((a, b) => a - b) }
}

function countChanges({ changes, parts }: MonthFindings): number {
  return parts.reduce((count, { difference }) => count + difference.rows, changes.length)
}

async function listExamples(
  { changes, parts, names }: MonthFindings,
  wanted: number,
): Promise<readonly string[]> {
  const rows = changes.slice(0, wanted)
  const nameOf = await names.read(rows.flatMap(({ key }) => key.slice(1)))
  const left = parts.slice(0, wanted - rows.length)
  return [...rows.map((change) => describeChange(change, nameOf)), ...left.map(describePartChange)]
}

interface Found {
  readonly findings: MonthFindings
  /** How often the store was rebuilt before. */
  readonly rebuilds: number
  readonly epochs: number
}

async function correct(database: SqlDatabase, dialect: Dialect, found: Found): Promise<void> {
  const { changes, parts, names } = found.findings
  const stored = createNames(database, dialect)
  await stored.resolve(names.missing())
  const toId = (id: number): number => (id < 0 ? stored.idOf(names.missingName(id)) : id)
  await database.transact(async (sql) => {
    requireEpoch(database.epoch, found.epochs)
    // What another rebuild has added must not be added again.
    if ((await readRebuilds(sql)) !== found.rebuilds) throw anotherRebuild(database.title)
    for (const [table, list] of Map.groupBy(changes, (change) => change.table)) {
      await addChanges(sql, table, { list, toId })
    }
    // A batch merges them with others, where there is one for their period.
    for (const { period, difference } of parts) {
      const block = toStoredPart(withIds(difference, toId))
      for (const change of toPartInserts([{ period, block }])) await runChange(sql, change)
    }
    await storePlaces(
      sql,
      names.added.map(({ dim, value, key, ...place }) => ({
        dim: toId(dim),
        value: toId(value),
        key: toId(key),
        ...place,
      })),
    )
    await sql.run('UPDATE usage_state SET rebuilds = rebuilds + 1')
  })
}

async function addChanges(
  sql: Sql,
  table: RollupTable,
  { list, toId }: { readonly list: readonly RowChange[]; readonly toId: (id: number) => number },
): Promise<void> {
  const { name, key } = table
  const rows = list.map(({ key: [period, ...ids], summed, stored, about }) => [
    period as number,
    ...ids.map(toId),
    ...toColumns(subtractFigures(summed, stored)),
    ...(about === undefined ? [] : toAboutRow(about)),
  ])
  const isRow = key.map((column) => `${column} = ?`).join(' AND ')
  for (const [at, change] of list.entries()) {
    await resetAbout(sql, change, { isRow, place: (rows[at] ?? []).slice(0, key.length) })
  }
  for (let at = 0; at < rows.length; at += PAGE_ROWS) {
    await sql.insertMany(toAddition(table, rows.slice(at, at + PAGE_ROWS)))
  }
  // A row without calls is removed.
  const isNothing = FIGURE_COLUMNS.map((column) => `${column} = 0`).join(' AND ')
  const text = `DELETE FROM ${name} WHERE ${isRow} AND ${isNothing}`
  for (const [at, { summed }] of list.entries()) {
    if (summed.requests === 0) await sql.run(text, (rows[at] ?? []).slice(0, key.length))
  }
}

function toAboutRow({ summed, stored }: NonNullable<RowChange['about']>): readonly SqlValue[] {
  const about = summed ?? stored
  return about === null ? [] : toAboutColumns(about)
}

/**
 * What is merged cannot take back a time that is too early or too late. A row that got calls
 * meanwhile is left to the next rebuild.
 */
async function resetAbout(
  sql: Sql,
  { about, stored }: RowChange,
  { isRow, place }: { readonly isRow: string; readonly place: BulkRow },
): Promise<void> {
  if (about?.summed == null || about.stored === null) return
  await sql.run(
    `UPDATE session_rollup SET ${ABOUT_COLUMNS.map((column) => `${column} = ?`).join(', ')}
      WHERE ${isRow} AND requests = ?`,
    [...toAboutColumns(about.summed), ...place, stored.requests],
  )
}

async function readRebuilds(sql: Sql): Promise<number> {
  const row = await sql.first<{ rebuilds: number }>('SELECT rebuilds FROM usage_state')
  return row?.rebuilds ?? 0
}

function anotherRebuild(title: string): WeirError {
  return new WeirError('store_unusable', `${title} was rebuilt by another process meanwhile.`, {
    hint: 'No sum was changed twice. Run it again when the other one, or weir teams adopt, has ended.',
  })
}
