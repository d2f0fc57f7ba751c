// Sums the calls of one month again and compares them with the stored sums. It changes nothing:
// what differs is kept in memory. Day by day, as hours need most of the room. No more rows are in
// memory than it is told: where there are more, whoever asks asks for portions.

import { isDeepStrictEqual } from 'node:util'
import { addFigures, createFigures, FIGURE_NAMES } from '../../../../core/usage-figures.ts'
import type { UsageFigures } from '../../../../core/usage-figures.ts'
import type { Sql } from '../../../sql/sql.ts'
import { createAnalysisRows } from '../../analysis-rows.ts'
import { createPartTable } from '../../block-table.ts'
import type { RecordEngine } from '../../record-engine.ts'
import { createRollups } from '../../rollup.ts'
import { mergeAbout } from '../../session-sums.ts'
import type { SessionAbout } from '../../session-sums.ts'
import type { Dialect } from '../dialect.ts'
import { ABOUT_COLUMNS, fromAboutColumns } from '../about-columns.ts'
import { FIGURE_COLUMNS, fromColumns } from '../figure-columns.ts'
import { comparePartsOf, countRows } from './compare-blocks.ts'
import type { BlockChange } from './compare-blocks.ts'
import { toFilter, TooManyRows } from './portion.ts'
import type { IsWanted, Portion } from './portion.ts'
import { createStagedNames } from './staged-names.ts'
import type { StagedNames } from './staged-names.ts'
import { isInScope, listDays } from '../rebuild-scope.ts'
import type { RebuildScope } from '../rebuild-scope.ts'
import { toPeriodNumber } from '../periods.ts'
import { ROLLUP_TABLES } from '../rollup-tables.ts'
import type { RollupTable } from '../rollup-tables.ts'
import type { SummedRecord } from '../summed-record.ts'

export interface RowChange {
  readonly table: RollupTable
  /** In the order of the table's key columns; a negative id is a name that is not stored. */
  readonly key: readonly number[]
  readonly summed: UsageFigures
  /** Zeros where there is no stored row. */
  readonly stored: UsageFigures
  /** Of a session; null where there is no call, or no stored row. */
  readonly about?: { readonly summed: SessionAbout | null; readonly stored: SessionAbout | null }
}

export interface MonthFindings {
  /** Forwarded ones. */
  readonly records: number
  readonly rowsBefore: number
  readonly rowsAfter: number
  readonly changes: readonly RowChange[]
  readonly parts: readonly BlockChange[]
  readonly names: StagedNames
}

export interface ComparedMonth extends ReadMonth {
  readonly portion: Portion
  readonly rowsBufferedMax: number
  /** Told how many calls were read so far. */
  readonly onRead: (records: number) => void
}

export interface ReadMonth {
  /** 202610 */
  readonly month: number
  readonly scope: RebuildScope
  readonly records: Pick<RecordEngine, 'readSummed' | 'hasParts'>
  readonly dialect: Dialect
}

/** Records whose names are looked up together. */
const CHUNK_RECORDS = 10_000
const PAGE_ROWS = 10_000

/** All of it is of the moment of `sql`. Throws TooManyRows. */
export async function compareMonth(sql: Sql, asked: ComparedMonth): Promise<MonthFindings> {
  const { month, scope, records, dialect, portion, rowsBufferedMax, onRead } = asked
  const names = createStagedNames(sql, dialect)
  const isWanted = toFilter(portion, names.missingName)
  const tables = ROLLUP_TABLES.map((table) => ({ table, sums: new Map<string, KeyedSum>() }))
  const changes: RowChange[] = []
  const onBuffered = (more: number): void => {
    const sums = tables.reduce((count, table) => count + table.sums.size, changes.length)
    if (sums + parts.rowsBuffered() + more > rowsBufferedMax) throw new TooManyRows()
  }
  const createTable = () => createPartTable(isWanted)
  const parts = comparePartsOf(sql, { month, scope, createTable, onBuffered })
  let [forwarded, read] = [0, 0]
  for (const day of listDays(month, scope)) {
    const analyzed = createAnalysisRows(names, createTable)
    for await (const chunk of inChunks(records.readSummed(sql, day))) {
      await names.resolve(chunk)
      const rollups = createRollups()
      for (const record of chunk) {
        rollups.add(record)
        if (records.hasParts) analyzed.add(record.event, record.cost)
        if (record.event.status !== 'denied') forwarded += 1
      }
      for (const { table, sums } of tables) {
        for (const sum of table.sumsOf(rollups)) {
          if (isInScope(sum.key[0], scope)) addSum(sums, sum, { isWanted, names })
        }
      }
      onBuffered(countRows(analyzed.hours()))
      onRead((read += chunk.length))
    }
    if (records.hasParts) await parts.compareDay(day, analyzed.hours())
  }
  if (records.hasParts) await parts.compareMonth()
  const rowsAfter = tables.reduce((count, { sums }) => count + sums.size, 0)
  let rowsBefore = 0
  for (const { table, sums } of tables) {
    for (const range of listRanges(month, scope)) {
      rowsBefore += await compareTable(sql, { table, sums, range, changes, isWanted, onBuffered })
    }
    for (const { key, summed, about = null } of sums.values()) {
      const isNew = { table, key, summed, stored: createFigures() }
      changes.push(about === null ? isNew : { ...isNew, about: { summed: about, stored: null } })
    }
  }
  return { records: forwarded, rowsBefore, rowsAfter, changes, parts: parts.changes, names }
}

/** Of all calls, in the moment of `sql`: names that the store has not. */
export async function listMissingNames(
  sql: Sql,
  { month, scope, records, dialect }: ReadMonth,
): Promise<readonly string[]> {
  const names = createStagedNames(sql, dialect)
  for (const day of listDays(month, scope)) {
    for await (const chunk of inChunks(records.readSummed(sql, day))) await names.resolve(chunk)
  }
  return names.missing()
}

/** Periods of the month and of its days, both ends included. */
function* listRanges(month: number, { dayNumber, monthNumber }: RebuildScope) {
  if (month >= monthNumber) yield [month, month] as const
  yield [Math.max(month * 100, dayNumber), month * 100 + 99] as const
}

export async function* inChunks(
  records: AsyncIterable<SummedRecord>,
): AsyncGenerator<readonly SummedRecord[]> {
  let chunk: SummedRecord[] = []
  for await (const record of records) {
    if (chunk.push(record) < CHUNK_RECORDS) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

interface KeyedSum {
  readonly key: readonly number[]
  readonly summed: UsageFigures
  about?: SessionAbout | undefined
}

function addSum(
  sums: Map<string, KeyedSum>,
  sum: ReturnType<RollupTable['sumsOf']>[number],
  { isWanted, names }: { readonly isWanted: IsWanted; readonly names: StagedNames },
): void {
  const [period, ...parts] = sum.key
  const key = [toPeriodNumber(period), ...parts.map(names.idOf)]
  const place = key.join(' ')
  if (!isWanted(place)) return
  const known = sums.get(place)
  if (known === undefined) {
    const { key: _, about, ...figures } = sum
    sums.set(place, { key, summed: figures, about })
  } else {
    addFigures(known.summed, sum)
    if (known.about !== undefined && sum.about !== undefined) {
      known.about = mergeAbout(known.about, sum.about)
    }
  }
}

interface ComparedTable {
  readonly table: RollupTable
  /** Those with a stored row are taken out. */
  readonly sums: Map<string, KeyedSum>
  /** Of periods, both ends included. */
  readonly range: readonly [from: number, to: number]
  readonly changes: RowChange[]
  readonly isWanted: IsWanted
  readonly onBuffered: (more: number) => void
}

/** Returns how many of the rows are stored. */
async function compareTable(
  sql: Sql,
  { table, sums, range, changes, isWanted, onBuffered }: ComparedTable,
): Promise<number> {
  const key = table.key.join(', ')
  const columns = [...FIGURE_COLUMNS, ...(table.isOfSessions ? ABOUT_COLUMNS : [])]
  const text = `SELECT ${key}, ${columns.join(', ')} FROM ${table.name}
    WHERE (${key}) > (${table.key.map(() => '?').join(', ')}) AND period <= ?
    ORDER BY ${key} LIMIT ${PAGE_ROWS}`
  const width = table.key.length
  let count = 0
  // No id is negative.
  let last: readonly number[] = [range[0], ...table.key.slice(1).map(() => -1)]
  for (;;) {
    const rows = await sql.lists<readonly number[]>(text, [...last, range[1]])
    for (const row of rows) {
      last = row.slice(0, width)
      const place = last.join(' ')
      if (!isWanted(place)) continue
      count += 1
      const stored = fromColumns(row.slice(width, width + FIGURE_COLUMNS.length))
      const { summed = createFigures(), about = null } = sums.get(place) ?? {}
      sums.delete(place)
      const change = { table, key: last, summed, stored }
      const isOther = FIGURE_NAMES.some((name) => summed[name] !== stored[name])
      if (table.isOfSessions) {
        const before = fromAboutColumns(row.slice(width + FIGURE_COLUMNS.length))
        const isSame = about !== null && isDeepStrictEqual(about, before)
        if (isOther || !isSame)
          changes.push({ ...change, about: { summed: about, stored: before } })
      } else if (isOther) {
        changes.push(change)
      }
    }
    onBuffered(0)
    if (rows.length < PAGE_ROWS) return count
  }
}
