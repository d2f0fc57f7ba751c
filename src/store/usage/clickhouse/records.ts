// Single calls in ClickHouse, beside a ledger database that says which of them count.

import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import type { CallBatches } from '../../ledger/call-batches.ts'
import type { Sql } from '../../sql/sql.ts'
import type { ChangeConfirmation, ChangedRecord, RecordEngine } from '../record-engine.ts'
import type { UsageUpkeep } from '../usage-upkeep.ts'
import { analyze } from './analysis.ts'
import { CALL_COLUMNS, toCallRow } from './call-columns.ts'
import { readLogPage } from './log-page.ts'
import { readBatchCondition } from './batch-condition.ts'
import { createClickhouseReader } from './reader.ts'
import { createClickhouseRequests } from './requests.ts'
import { removeCalls } from './retention.ts'

/** About a second's work. */
const EXAMINED_MAX = 5_000_000

export function createClickhouseRecords(
  calls: ClickhouseDatabase,
  callBatches: CallBatches,
): RecordEngine {
  const reader = createClickhouseReader(calls, callBatches)
  return {
    ...reader,
    hasParts: false,
    requests: createClickhouseRequests(calls, { callBatches, reader }),
    analyze: (questions, sql) => analyze(calls, { callBatches, sql }, questions),
    readPage: (filter, page) =>
      callBatches.readSnapshot((sql) =>
        readPage({ calls, callBatches, reader, sql }, filter, page),
      ),
    remove: (beforeMs) => removeCalls(calls, callBatches, beforeMs),
    sendChanges: (changes) => sendChanges(calls, callBatches, changes),
  }
}

interface RecordSources {
  readonly calls: ClickhouseDatabase
  readonly callBatches: CallBatches
  readonly reader: ReturnType<typeof createClickhouseReader>
  readonly sql: Sql
}

/** Oldest first: pages without a match are gone through, as an empty one would be the last. */
async function readPage(
  { calls, callBatches, reader, sql }: RecordSources,
  ...[filter, { after, rowsMax }]: Parameters<UsageUpkeep['readRecords']>
): ReturnType<UsageUpkeep['readRecords']> {
  const moment = await readBatchCondition(callBatches, sql)
  const find = (ids: readonly string[]) => reader.find(sql, ids)
  const fixed = { moment, order: 'ASC', rowsMax, examinedMax: EXAMINED_MAX, find } as const
  for (let behind = after; ;) {
    const { records, next } = await readLogPage(calls, filter, { ...fixed, behind })
    if (records.length > 0 || next === null) return records
    behind = next
  }
}

/** What was stored is taken back, and what is true now added: no row is ever changed. */
async function sendChanges(
  calls: ClickhouseDatabase,
  callBatches: CallBatches,
  changes: readonly ChangedRecord[],
): Promise<ChangeConfirmation> {
  if (changes.length === 0) return async () => []
  const batch = await callBatches.take()
  const rows = changes.flatMap(({ before, after }) => [
    toCallRow(before, { batch, sign: -1 }),
    toCallRow(after, { batch, sign: 1 }),
  ])
  await calls.insert('calls', CALL_COLUMNS, rows)
  return async (sql) => (await callBatches.confirm(sql, batch, { isLast: true })).statements
}
