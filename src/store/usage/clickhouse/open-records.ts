// Single calls in ClickHouse, for a ledger database that is elsewhere.

import { systemClock } from '../../../core/clock.ts'
import { openClickhouse } from '../../clickhouse/database.ts'
import { requireExact } from '../../clickhouse/facts.ts'
import { requireCalls } from '../../clickhouse/schema.ts'
import type { OpenRecords } from '../../ledger/call-batches.ts'
import { createClickhouseRecords } from './records.ts'
import { createSentRecords, readLastBatch } from './sent-records.ts'

/** The tables must be there: `weir migrate` makes them. */
export function openClickhouseRecords(url: string): OpenRecords {
  return (callBatches) => {
    const calls = openClickhouse({ url })
    callBatches.findLastBy(() => readLastBatch(calls))
    return {
      engine: createClickhouseRecords(calls, callBatches),
      ofBatch: createSentRecords(calls, { callBatches, clock: systemClock }),
      async check() {
        await requireCalls(calls)
        await requireExact(calls)
      },
      close: () => calls.close(),
    }
  }
}
