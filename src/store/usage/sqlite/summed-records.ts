// The parts of records that rollups are made from, read in a third of the time of whole records.

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { parseMoney } from '../../../core/money.ts'
import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import type { CallStatus, UsageKnowledge } from '../../../core/usage-event.ts'
import type { CostSource } from '../../../core/usage-record.ts'
import type { AnalyzedCost, AnalyzedEvent } from '../analysis-rows.ts'
import type { SummedEvent } from '../rollup.ts'
import { fromStoredMoney } from '../sql/record-row.ts'

// A call can begin any time before the day it ended on, so all rows are read, in the file's own
// order, which is fastest. The columns are in the order of toSummedRecord.
const SELECT_SUMMED = `SELECT status, ended_at, key_id, provider, model, dims, input_tokens, output_tokens,
  usage, billing ->> '$.marketCost', CAST(cost_pico AS TEXT), token_parts, cost_source, started_at,
  first_byte_at, own_us FROM records WHERE ended_at >= ? ORDER BY id`

interface SummedRecord {
  readonly event: SummedEvent & AnalyzedEvent
  readonly cost: AnalyzedCost
}

/** Of calls that ended at `fromMs` or later. */
export function* readSummedRecords(
  database: DatabaseSync,
  sinceMs: number,
): Generator<SummedRecord> {
  const select = database.prepare(SELECT_SUMMED)
  select.setReturnArrays(true)
  for (const row of select.iterate(sinceMs)) {
    yield toSummedRecord(row as unknown as readonly SQLOutputValue[])
  }
}

function toSummedRecord(row: readonly SQLOutputValue[]): SummedRecord {
  const [status, endedAt, keyId, provider, model, dims, input, output, ...rest] = row
  const [usage, marketCost, cost, parts, source, startedAt, firstByteAt, ownMicros] = rest
  return {
    event: {
      status: status as CallStatus,
      startedAt: startedAt as number,
      firstByteAt: firstByteAt as number | null,
      endedAt: endedAt as number,
      ownMicros: typeof ownMicros === 'number' ? ownMicros : undefined,
      keyId: keyId as string | null,
      provider: provider as string,
      model: model as string | null,
      dims: typeof dims === 'string' ? JSON.parse(dims) : {},
      tokens:
        typeof input === 'number'
          ? createTokenCounts({ input, output: output as number, ...parseParts(parts) })
          : null,
      usage: usage as UsageKnowledge,
      billing: typeof marketCost === 'string' ? { marketCost: parseMoney(marketCost) } : null,
    },
    cost: {
      amount: typeof cost === 'string' ? fromStoredMoney(cost) : null,
      source: source as CostSource,
    },
  }
}

function parseParts(parts: SQLOutputValue | undefined): Partial<TokenCounts> {
  return typeof parts === 'string' ? JSON.parse(parts) : {}
}
