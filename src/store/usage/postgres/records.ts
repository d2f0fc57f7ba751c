// Single calls in the same database as their sums.

import { toOptionalTextArray, toTextArray } from '../../postgres/array-text.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import type { Statement } from '../../sql/sql.ts'
import type { ChangedCost, RecordEngine } from '../record-engine.ts'
import type { RecordReader } from '../record-reader.ts'
import { FIRST_RECORD } from '../sql/first-call.ts'
import { fromRecordRow, parseIdBytes, SELECT_COLUMNS } from '../sql/record-row.ts'
import type { Row } from '../sql/record-row.ts'
import { analyze } from './analysis.ts'
import type { NameReader } from './name-reader.ts'
import { readRecords } from './record-pages.ts'
import { createPostgresRequests } from './requests.ts'
import { removeRecords } from './retention.ts'
import { readSpanRecords, sumSpanCosts } from './span-records.ts'
import { readSpend } from './spend.ts'
import { readSummedRecords } from './summed-records.ts'

export const POSTGRES_READER: RecordReader = {
  readSpan: readSpanRecords,
  readSpend,
  sumSpan: sumSpanCosts,
  readSummed: readSummedRecords,
  async readFirstStart(sql) {
    return (await sql.first<{ at: number }>(FIRST_RECORD))?.at ?? null
  },
  async find(sql, ids) {
    const text = `SELECT ${SELECT_COLUMNS} FROM records WHERE id = ANY (?::uuid[])`
    const wanted = ids.filter((id) => parseIdBytes(id) !== null)
    const rows = await sql.all<Row>(text, [toTextArray(wanted)])
    return new Map(rows.map(fromRecordRow).map((record) => [record.event.id, record]))
  },
}

export function createPostgresRecords(
  database: PostgresDatabase,
  { names }: { readonly names: NameReader },
): RecordEngine {
  return {
    ...POSTGRES_READER,
    hasParts: true,
    requests: createPostgresRequests(database),
    analyze: (questions) =>
      database.readTogether(async (sql) => {
        const answers = []
        for (const question of questions) answers.push(await analyze(sql, question, { names }))
        return answers
      }),
    readPage: (filter, page) => readRecords(database, filter, page),
    remove: (beforeMs, rowsMax) => removeRecords(database, beforeMs, { rowsMax }),
    sendCosts: async (changes) => async () => toCostChanges(changes),
  }
}

const CHANGE_COSTS = `UPDATE records SET cost_pico = changed.cost, cost_source = changed.source,
    price_version = changed.version
  FROM unnest(?::uuid[], ?::numeric[], ?::text[], ?::text[])
    AS changed (id, cost, source, version)
  WHERE records.id = changed.id AND records.id = ANY (?::uuid[])`

function toCostChanges(changes: readonly ChangedCost[]): readonly Statement[] {
  if (changes.length === 0) return []
  const costs = changes.map(({ after }) => after)
  const ids = toTextArray(changes.map(({ event }) => event.id))
  const values = [
    ids,
    toOptionalTextArray(costs.map(({ amount }) => (amount === null ? null : String(amount)))),
    toTextArray(costs.map(({ source }) => source)),
    toOptionalTextArray(costs.map(({ priceVersion }) => priceVersion)),
    ids,
  ]
  return [{ text: CHANGE_COSTS, values }]
}
