// Single calls in ClickHouse, for a book that is elsewhere.

import { systemClock } from '../../../core/clock.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { openClickhouse } from '../../clickhouse/database.ts'
import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import { requireExact } from '../../clickhouse/facts.ts'
import { migrateClickhouse, requireCalls } from '../../clickhouse/schema.ts'
import type { OpenRecords } from '../../ledger/calls-book.ts'
import { StoreBusy } from '../../store-busy.ts'
import { createClickhouseRecords } from './records.ts'
import { createSentRecords, readLastBatch } from './sent-records.ts'

export interface ClickhouseRecordsOptions {
  /** Whether the tables are made where they are missing or too old. */
  readonly makesTables?: boolean
}

export function openClickhouseRecords(
  url: string,
  { makesTables = false }: ClickhouseRecordsOptions = {},
): OpenRecords {
  return (book) => {
    const calls = openClickhouse({ url })
    book.findLastBy(() => readLastBatch(calls))
    return {
      engine: createClickhouseRecords(calls, book),
      ofBatch: createSentRecords(calls, { book, clock: systemClock }),
      async check() {
        if (makesTables) await makeCalls(calls, url)
        else await requireCalls(calls)
        await requireExact(calls)
      },
      close: () => calls.close(),
    }
  }
}

async function makeCalls(calls: ClickhouseDatabase, url: string): Promise<void> {
  try {
    await requireCalls(calls)
  } catch (error) {
    if (error instanceof StoreBusy || !(error instanceof WeirError)) throw error
    await migrateClickhouse(calls, url)
  }
}
