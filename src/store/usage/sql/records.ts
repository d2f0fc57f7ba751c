// Single calls in the same database as their sums.

import { assert } from '../../../core/assert.ts'
import { TEAM_FACT, TEAM_ID } from '../../../core/teams/team.ts'
import type { Sql, SqlDatabase, Statement } from '../../sql/sql.ts'
import type { AnalysisAnswer } from '../analysis.ts'
import type { ChangedRecord, RecordEngine } from '../record-engine.ts'
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
    sendChanges: async (changes) => async () => [
      ...dialect.changeCosts(
        changes.flatMap(({ before, after: { event, cost } }) =>
          cost === before.cost ? [] : [{ id: event.id, cost }],
        ),
      ),
      ...toBookings(changes, dialect),
    ],
  }
}

/** Behind all dimensions that the call has: no team's id needs escaping. */
const ADD_TEAM = `COALESCE(substr(NULLIF(dims, '{}'), 1, length(dims) - 1) || ',', '{')
  || '"${TEAM_FACT}":"' || CAST(? AS TEXT) || '"}'`

function toBookings(
  changes: readonly ChangedRecord[],
  dialect: Pick<Dialect, 'hasId'>,
): readonly Statement[] {
  const booked = changes.filter(({ before, after }) => before.event !== after.event)
  const byTeam = Map.groupBy(booked, ({ after }) => after.event.dims[TEAM_FACT] ?? '')
  return Array.from(byTeam, ([teamId, calls]) => {
    assert(TEAM_ID.test(teamId), `${teamId} is the id of a team`)
    const { sql, parameters } = dialect.hasId(calls.map(({ after }) => after.event.id))
    const text = `UPDATE records SET dims = ${ADD_TEAM} WHERE ${sql}`
    return { text, values: [teamId, ...parameters] }
  })
}
