// Single calls in ClickHouse, beside a book that says which of them count.

import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import type { CallsBook } from '../../ledger/calls-book.ts'
import type { Sql, Statement } from '../../sql/sql.ts'
import type { ChangedCost, RecordEngine } from '../record-engine.ts'
import type { UsageUpkeep } from '../usage-upkeep.ts'
import { analyze } from './analysis.ts'
import { CALL_COLUMNS, toCallRow } from './call-columns.ts'
import { readLogPage } from './log-page.ts'
import { readMoment } from './moment.ts'
import { createClickhouseReader } from './reader.ts'
import { createClickhouseRequests } from './requests.ts'
import { removeCalls } from './retention.ts'

/** About a second's work. */
const EXAMINED_MAX = 5_000_000

export function createClickhouseRecords(calls: ClickhouseDatabase, book: CallsBook): RecordEngine {
  const reader = createClickhouseReader(calls, book)
  return {
    ...reader,
    hasParts: false,
    requests: createClickhouseRequests(calls, { book, reader }),
    analyze: (questions) => analyze(calls, book, questions),
    readPage: (filter, page) =>
      book.readTogether((sql) => readPage({ calls, book, reader, sql }, filter, page)),
    remove: (beforeMs) => removeCalls(calls, book, beforeMs),
    async beginChanges() {
      const batch = await book.take()
      return (sql, changes) => writeCosts({ calls, book, sql }, batch, changes)
    },
  }
}

interface Places {
  readonly calls: ClickhouseDatabase
  readonly book: CallsBook
  readonly reader: ReturnType<typeof createClickhouseReader>
  readonly sql: Sql
}

/** Oldest first: pages without a match are gone through, as an empty one would be the last. */
async function readPage(
  { calls, book, reader, sql }: Places,
  ...[filter, { after, rowsMax }]: Parameters<UsageUpkeep['readRecords']>
): ReturnType<UsageUpkeep['readRecords']> {
  const moment = await readMoment(book, sql)
  const find = (ids: readonly string[]) => reader.find(sql, ids)
  const fixed = { moment, order: 'ASC', rowsMax, examinedMax: EXAMINED_MAX, find } as const
  for (let behind = after; ;) {
    const { records, next } = await readLogPage(calls, filter, { ...fixed, behind })
    if (records.length > 0 || next === null) return records
    behind = next
  }
}

/** What was stored is taken back, and what is true now added: no row is ever changed. */
async function writeCosts(
  { calls, book, sql }: Omit<Places, 'reader'>,
  batch: number,
  changes: readonly ChangedCost[],
): Promise<readonly Statement[]> {
  if (changes.length === 0) return []
  const rows = changes.flatMap(({ event, before, after }) => [
    toCallRow({ event, cost: before }, { batch, sign: -1 }),
    toCallRow({ event, cost: after }, { batch, sign: 1 }),
  ])
  await calls.insert('calls', CALL_COLUMNS, rows)
  return (await book.confirm(sql, batch)).statements
}
