// Answers analysis questions from the parts of their periods. What would take too long is known
// before a part is read, and refused.

import type { SqliteFile } from '../../../sqlite/file.ts'
import type { AnalysisAnswer, AnalysisQuestion } from '../../analysis.ts'
import type { StoredNames } from '../../analysis-groups.ts'
import { createAnalysisSums } from '../../analysis-sums.ts'
import { decodePart } from '../../part-bytes.ts'
import { listRanges, toBucket } from '../../sql/period-ranges.ts'
import {
  PART_ROWS_READ_MAX,
  requireFew,
  requireHours,
  toCompleteFrom,
} from '../../sql/analysis-limits.ts'
import { listLostValues, lostValue, toLostValue } from '../../sql/lost-values.ts'
import { SQLITE } from '../dialect.ts'
import { createNameReader } from '../names.ts'
import { readScope } from '../rebuild-scope.ts'

/** To be called within one read of the file, see readTogether. */
export function createSqliteAnalysis(
  file: SqliteFile,
  rowsMax: number = PART_ROWS_READ_MAX,
): (question: AnalysisQuestion) => AnalysisAnswer {
  const { database } = file
  const names = createStoredNames(file)
  const count = file.prepare<{ rows: number }>(
    'SELECT COALESCE(SUM(rows), 0) AS rows FROM analysis_parts WHERE period BETWEEN ? AND ?',
  )
  const parts = database.prepare(
    'SELECT period, part FROM analysis_parts WHERE period BETWEEN ? AND ?',
  )
  parts.setReturnArrays(true)
  const readFrom = file.prepare<{ from_ms: number | null }>(
    'SELECT analysis_from AS from_ms FROM usage_state',
  )

  return (question) => {
    const ranges = listRanges(question)
    requireHours(ranges, readScope(file).fromMs)
    const rows = ranges.reduce((sum, { from, to }) => sum + (count.first(from, to)?.rows ?? 0), 0)
    requireFew(question, rows, rowsMax)
    const since = readFrom.first()?.from_ms ?? null
    for (const { field, ...lost } of listLostValues(question, names.find, since)) {
      const { sql, parameters } = toLostValue(SQLITE, lost)
      const found = file.prepare<{ period: number }>(sql).first(...parameters)
      if (found !== null) throw lostValue(field, found.period)
    }
    const sums = createAnalysisSums(question, names)
    for (const { from, to } of ranges) {
      for (const row of parts.iterate(from, to)) {
        const [period, bytes] = row as unknown as [number, Uint8Array]
        sums.add(decodePart(bytes), toBucket(period, question.interval))
      }
    }
    return { ...sums.answer(), completeFromMs: toCompleteFrom(question, since) }
  }
}

function createStoredNames(file: SqliteFile): StoredNames {
  const select = file.prepare<{ id: number }>('SELECT id FROM names WHERE name = ?')
  return {
    find: (name) => select.first(name)?.id ?? null,
    nameOf: createNameReader(file.database),
  }
}
