// The parts of a record that sums are made from, read in a third of the time of a whole record.

import type { BudgetSpan } from '../../../core/budget.ts'
import { parseMoney } from '../../../core/money.ts'
import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import type { CallStatus, UsageKnowledge } from '../../../core/usage-event.ts'
import type { CostSource } from '../../../core/usage-record.ts'
import type { Sql } from '../../sql/sql.ts'
import type { AnalyzedCost, AnalyzedEvent } from '../analysis-rows.ts'
import type { SummedEvent } from '../rollup.ts'
import type { Dialect } from './dialect.ts'
import { fromAgentColumns, fromStoredMoney } from './record-row.ts'
import { readEnded } from './spans/span-records.ts'

/** In the order of toSummedRecord. */
export function toSummedColumns({
  dims,
  marketCost,
}: Pick<Dialect, 'dims' | 'marketCost'>): string {
  return `status, ended_at, key_id, provider, model, ${dims}, input_tokens, output_tokens, usage,
    ${marketCost} AS market_cost, CAST(cost_pico AS TEXT) AS cost_text, token_parts, cost_source,
    started_at, first_byte_at, own_us, streamed, session, agent`
}

export interface SummedRecord {
  readonly event: SummedEvent & AnalyzedEvent
  readonly cost: AnalyzedCost
}

/** Of calls that ended in the span. */
export async function* readSummedRecords(
  sql: Sql,
  span: BudgetSpan,
  dialect: Dialect,
): AsyncGenerator<SummedRecord> {
  const asked = { span, columns: toSummedColumns(dialect), where: 'TRUE' }
  for await (const page of readEnded(sql, asked, dialect)) {
    for (const row of page) yield toSummedRecord(row)
  }
}

export function toSummedRecord(row: readonly unknown[]): SummedRecord {
  const [status, endedAt, keyId, provider, model, dims, input, output, ...rest] = row
  const [
    usage,
    marketCost,
    cost,
    parts,
    source,
    startedAt,
    firstByteAt,
    ownMicros,
    streamed,
    ...said
  ] = rest
  const agent = fromAgentColumns(...(said as [unknown, unknown]))
  return {
    event: {
      status: status as CallStatus,
      startedAt: startedAt as number,
      firstByteAt: firstByteAt as number | null,
      endedAt: endedAt as number,
      streamed: streamed === 1,
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
      ...(agent !== undefined && { agent }),
      billing: typeof marketCost === 'string' ? { marketCost: parseMoney(marketCost) } : null,
    },
    cost: {
      amount: typeof cost === 'string' ? fromStoredMoney(cost) : null,
      source: source as CostSource,
    },
  }
}

function parseParts(parts: unknown): Partial<TokenCounts> {
  return typeof parts === 'string' ? JSON.parse(parts) : {}
}
