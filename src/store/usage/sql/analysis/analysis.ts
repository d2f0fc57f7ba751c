// Answers analysis questions from the parts of their periods. What would take too long is known
// before a part is read, and refused.

import { PERSON_FACT, TEAM_FACT } from '../../../../core/teams/team.ts'
import type { Sql } from '../../../sql/sql.ts'
import type { AnalysisAnswer, AnalysisQuestion } from '../../analysis.ts'
import type { StoredNames } from '../../analysis-groups.ts'
import { OTHER_NAME } from '../../analysis-rows.ts'
import { createAnalysisSums } from '../../analysis-sums.ts'
import { decodePart } from '../../block-bytes.ts'
import type { BlockColumns } from '../../block-table.ts'
import type { Dialect } from '../dialect.ts'
import type { NameReader } from '../name-reader.ts'
import { listRanges, toBucket } from '../period-ranges.ts'
import type { PeriodRange } from '../period-ranges.ts'
import { readScope } from '../scope.ts'
import { PART_ROWS_READ_MAX, requireFew, requireHours } from './analysis-limits.ts'
import { CUT_HOUR_CALLS_MAX, readCutHour } from './cut-hour.ts'
import { listLostValues, lostValue, toLostValue } from './lost-values.ts'

/** Of the parts that are in memory at once; a larger part comes alone. */
const ROWS_PER_READ_MAX = 500_000

interface StoredBlockSize {
  readonly id: number
  readonly rows: number
}

export interface AnalyzeOptions {
  readonly dialect: Dialect
  readonly names: NameReader
  readonly rowsMax?: number
  readonly cutHourCallsMax?: number
}

/** To be called within one read of the database, see readSnapshot. */
export async function analyze(
  sql: Sql,
  question: AnalysisQuestion,
  options: AnalyzeOptions,
): Promise<AnalysisAnswer> {
  const { dialect, names, rowsMax = PART_ROWS_READ_MAX } = options
  const { cutHourCallsMax: callsMax = CUT_HOUR_CALLS_MAX } = options
  const ranges = listRanges(question)
  requireHours(question, ranges, (await readScope(sql)).fromMs)
  const places = await listParts(sql, ranges)
  requireFew(
    question,
    places.reduce((sum, { rows }) => sum + rows, 0),
    rowsMax,
  )
  const stored = createStoredNames(await names.find(sql, listNames(question)))
  for (const { field, ...lost } of listLostValues(question, stored.find)) {
    const { sql: text, parameters } = toLostValue(dialect, lost)
    const found = await sql.first<{ period: number }>(text, parameters)
    if (found !== null) throw lostValue(field, found.period)
  }
  const sums = createAnalysisSums(question, stored)
  for await (const { period, part } of readParts(sql, places, dialect)) {
    const columns = decodePart(part)
    if (needsModels(question)) stored.use(await names.read(sql, listModels(columns)))
    sums.add(columns, toBucket(period, question.interval))
  }
  const cut = await readCutHour(sql, question.toMs, { dialect, callsMax })
  for (const columns of cut.parts) {
    if (needsModels(question)) stored.use(await names.read(sql, listModels(columns)))
    sums.add(columns, toBucket(cut.period, question.interval))
  }
  stored.use(await names.read(sql, [...sums.groupIds()]))
  const { toMs } = cut
  return { ...sums.answer(), toMs, completeFromMs: null }
}

/** Names are read before they are asked for, as answers cannot wait in their midst. */
function createStoredNames(
  ids: ReadonlyMap<string, number>,
): StoredNames & { use(nameOf: StoredNames['nameOf']): void } {
  let current: StoredNames['nameOf'] = () => ''
  return {
    find: (name) => (name === '' ? 0 : (ids.get(name) ?? null)),
    nameOf: (id) => current(id),
    use: (nameOf) => {
      current = nameOf
    },
  }
}

/** Dimensions, that of those left out included, and the values that are filtered by. */
function listNames({ groupBy, filters, sight }: AnalysisQuestion): readonly string[] {
  const fields = [...groupBy, ...filters.map(({ field }) => field)]
  const dims = fields.filter((field) => field.startsWith('dim:'))
  const values = filters.flatMap((filter) => filter.values.filter((value) => value !== null))
  const seen = sight === undefined ? [] : [TEAM_FACT, PERSON_FACT, ...sight.teams, sight.personId]
  return [
    OTHER_NAME,
    ...dims.map((field) => field.slice('dim:'.length)),
    ...values,
    ...seen,
  ].filter((name) => name !== null)
}

/** A creator is a part of a model's name. */
function needsModels({ groupBy, filters }: AnalysisQuestion): boolean {
  return groupBy.includes('creator') || filters.some(({ field }) => field === 'creator')
}

function listModels({ names }: BlockColumns): readonly number[] {
  return [...new Set(Array.from(names.get('model') ?? []))]
}

async function listParts(
  sql: Sql,
  ranges: readonly PeriodRange[],
): Promise<readonly StoredBlockSize[]> {
  const places: StoredBlockSize[] = []
  for (const { from, to } of ranges) {
    const text = 'SELECT id, rows FROM analysis_parts WHERE period BETWEEN ? AND ? ORDER BY id'
    places.push(...(await sql.all<StoredBlockSize>(text, [from, to])))
  }
  return places
}

async function* readParts(
  sql: Sql,
  places: readonly StoredBlockSize[],
  dialect: Dialect,
): AsyncGenerator<{ readonly period: number; readonly part: Uint8Array }> {
  for (let at = 0; at < places.length;) {
    const ids: number[] = []
    for (let rows = 0; at < places.length; at += 1) {
      const place = places[at] as StoredBlockSize
      rows += place.rows
      if (ids.length > 0 && rows > ROWS_PER_READ_MAX) break
      ids.push(place.id)
    }
    const { sql: isAmong, parameters } = dialect.isAmong('id', ids)
    yield* await sql.all<{ period: number; part: Uint8Array }>(
      `SELECT period, part FROM analysis_parts WHERE ${isAmong}`,
      parameters,
    )
  }
}
