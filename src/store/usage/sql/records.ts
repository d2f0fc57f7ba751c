// Single calls in the same database as their sums.

import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import type { AnalysisAnswer } from '../analysis.ts'
import type { RecordEngine } from '../record-engine.ts'
import type { RecordReader } from '../record-reader.ts'
import type { UsageUpkeep } from '../usage-upkeep.ts'
import { analyze } from './analysis/analysis.ts'
import type { Dialect } from './dialect.ts'
import { FIRST_RECORD } from './first-call.ts'
import { findRecords, readRecords } from './log/record-pages.ts'
import { createRequests } from './log/requests.ts'
import type { NameReader } from './name-reader.ts'
import { removeRecords } from './retention.ts'
import { listMonths, readSpanRecords, sumSpanCosts } from './spans/span-records.ts'
import { readSpend } from './spans/spend.ts'
import { readSummedRecords } from './summed-record.ts'

export function createRecordReader(dialect: Dialect): RecordReader {
  return {
    readSpan: (sql, span) => readSpanRecords(sql, span, dialect),
    readSpend: (sql, span, groups) => readSpend(sql, span, { groups, dialect }),
    sumSpan: (sql, span) => sumSpanCosts(sql, span, dialect),
    readSummed: (sql, span) => readSummedRecords(sql, span, dialect),
    listMonths: (sql) => listMonths(sql, dialect),
    readFirstStart: async (sql) => (await sql.first<{ at: number }>(FIRST_RECORD))?.at ?? null,
    find: (sql, ids) => findRecords(sql, ids, dialect),
  }
}

export interface RecordsOptions {
  readonly dialect: Dialect
  readonly names: NameReader
  /** Where an engine has a faster way than row by row. */
  readonly remove?: UsageUpkeep['removeRecords']
}

export function createRecords(
  database: SqlDatabase,
  { dialect, names, remove }: RecordsOptions,
): RecordEngine {
  const removeRows: UsageUpkeep['removeRecords'] = (beforeMs, rowsMax) =>
    removeRecords(database, beforeMs, { rowsMax, dialect })
  return {
    ...createRecordReader(dialect),
    hasParts: true,
    requests: createRequests(database, dialect),
    analyze: async (questions, moment) => {
      const run = async (sql: Sql): Promise<readonly AnalysisAnswer[]> => {
        const answers = []
        for (const question of questions) {
          answers.push(await analyze(sql, question, { dialect, names }))
        }
        return answers
      }
      return moment === undefined ? database.readSnapshot(run) : run(moment)
    },
    readPage: (filter, page) => readRecords(database, dialect, filter, page),
    remove: remove ?? removeRows,
    sendCosts: async (changes) => async () =>
      dialect.changeCosts(changes.map(({ event, after }) => ({ id: event.id, cost: after }))),
  }
}
