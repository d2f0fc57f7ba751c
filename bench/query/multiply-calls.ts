// Makes ten calls of each call in ClickHouse, inside of it: a hundred million through the ledger
// would take hours. Each other is a tenth of a day later, and from the end of the day goes on at
// its beginning, so that it is not beside its like. It has an id and a batch of its own. Still they
// compress better than other calls would: take no bytes from them. Must stay true: sums in the book
// are multiplied, too, so every sum is that of its calls.

import { openClickhouse } from '../../src/store/clickhouse/database.ts'
import type { ClickhouseDatabase } from '../../src/store/clickhouse/database.ts'
import { openPostgresDatabase } from '../../src/store/postgres/database.ts'
import { LOCKS } from '../../src/store/postgres/locks.ts'
import { FIGURE_COLUMNS } from '../../src/store/usage/sql/figure-columns.ts'
import { ROLLUP_TABLES } from '../../src/store/usage/sql/rollup-tables.ts'
import { listMonthStarts } from './two-years.ts'

export const TIMES = 10
const DAY_MS = 86_400_000
/** More would not fit into the memory of a small server. */
const DAYS_AT_ONCE = 5
const STATEMENT_MS_MAX = 1_800_000
const PICO = 10n ** 12n
/** Of a UUIDv7: what is behind its time, and what of it is random and behind its variant. */
const ID_REST_BITS = 80n
const RANDOM_BITS = 62n

export interface MultiplyOptions {
  readonly url: string
  readonly callsUrl: string
  readonly signal: AbortSignal
}

/** Right after the fill: nothing but the sums by day and month may have been kept of the calls. */
export async function multiplyCalls({ url, callsUrl, signal }: MultiplyOptions): Promise<void> {
  const calls = openClickhouse({ url: callsUrl, statementMsMax: STATEMENT_MS_MAX })
  try {
    await calls.run('RENAME TABLE calls TO filled_calls')
    await calls.run('CREATE TABLE calls AS filled_calls')
    // Merging would take several times as long, and there are few parts.
    await calls.run('SYSTEM STOP MERGES calls')
    const [last] = await calls.all<{ ms: number }>('SELECT max(ended_at) AS ms FROM filled_calls')
    const lastMs = last?.ms ?? 0
    for (const fromMs of listStarts(lastMs)) {
      signal.throwIfAborted()
      await multiplyDays(calls, fromMs, lastMs)
    }
    await calls.run('DROP TABLE filled_calls SYNC')
  } finally {
    await calls.close()
  }
  await multiplyBook(url)
}

/** Of some days each, and of no two months. */
function listStarts(lastMs: number): readonly number[] {
  const [months, starts] = [listMonthStarts(lastMs), [] as number[]]
  for (const [index, startMs] of months.slice(0, -1).entries()) {
    const nextMs = months[index + 1] as number
    for (let at = startMs; at < nextMs; at += DAYS_AT_ONCE * DAY_MS) starts.push(at)
  }
  return starts
}

/** One part, as the calls of a day stay in it. */
async function multiplyDays(
  calls: ClickhouseDatabase,
  fromMs: number,
  lastMs: number,
): Promise<void> {
  // Today's calls are turned within what there is of today.
  const day = `if(ended_at >= ${lastMs - (lastMs % DAY_MS)}, ${(lastMs % DAY_MS) + 1}, ${DAY_MS})`
  const time = `ended_at % ${DAY_MS}`
  const moved = `((${time} + intDiv(${day} * copy, ${TIMES})) % ${day} - ${time})`
  const idTime = `toUInt128(toInt64(bitShiftRight(id, ${ID_REST_BITS})) + ${moved})`
  const idRest = `bitXor(bitAnd(id, toUInt128('${(1n << ID_REST_BITS) - 1n}')),
    bitAnd(sipHash64(id, copy), ${(1n << RANDOM_BITS) - 1n}))`
  // Numbers grow with time, as if all had come through the ledger. By the first setting the columns
  // of the filled table are meant, not the new ones of the same names.
  await calls.run(
    `INSERT INTO calls SELECT * EXCEPT copy REPLACE (
        batch * ${TIMES} + copy AS batch,
        bitOr(bitShiftLeft(${idTime}, ${ID_REST_BITS}), ${idRest}) AS id,
        started_at + ${moved} AS started_at,
        first_byte_at + ${moved} AS first_byte_at,
        ended_at + ${moved} AS ended_at)
      FROM (SELECT *, copy FROM filled_calls ARRAY JOIN range(${TIMES}) AS copy
        WHERE ended_at >= ${fromMs} AND ended_at < ${fromMs + DAYS_AT_ONCE * DAY_MS}
          AND month = toYYYYMM(fromUnixTimestamp64Milli(${fromMs}, 'UTC')))
      SETTINGS prefer_column_name_to_alias = 1, max_threads = 1, max_block_size = 8192,
        min_insert_block_size_rows = 2000000, min_insert_block_size_bytes = 0`,
  )
}

async function multiplyBook(url: string): Promise<void> {
  const database = openPostgresDatabase({
    url,
    name: 'usage store',
    lock: LOCKS.usage,
    statementMsMax: STATEMENT_MS_MAX,
  })
  const set = FIGURE_COLUMNS.map(multiplyColumn).join(', ')
  await database.transact(async (sql) => {
    for (const { name } of ROLLUP_TABLES) await sql.run(`UPDATE ${name} SET ${set}`)
    await sql.run(`UPDATE usage_state SET records = records * ${TIMES},
      last_batch = last_batch * ${TIMES} + ${TIMES - 1}`)
    // In two steps: one's new number may be another's old one.
    await sql.run(`UPDATE hidden_batches SET first_batch = -first_batch * ${TIMES}`)
    await sql.run(`UPDATE hidden_batches SET first_batch = -first_batch,
      last_batch = last_batch * ${TIMES} + ${TIMES - 1}`)
    await sql.run(`UPDATE tally SET forwarded = forwarded * ${TIMES},
      recorded = recorded * ${TIMES}`)
  })
  for (const text of ['VACUUM (FULL, ANALYZE)', 'CHECKPOINT']) await database.run(text)
  await database.close()
}

/** The remainder of money stays below a dollar. */
function multiplyColumn(column: string): string {
  const money = /^(.*)_(usd|pico)$/.exec(column)
  if (money === null) return `${column} = ${column} * ${TIMES}`
  const remainder = `(${money[1]}_pico * ${TIMES})`
  return money[2] === 'pico'
    ? `${column} = ${remainder} % ${PICO}`
    : `${column} = ${column} * ${TIMES} + ${remainder} / ${PICO}`
}
