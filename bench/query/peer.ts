// The peer: the same questions as a system without rollups answers them, by SUM and GROUP BY over
// the month's records in the same file. It is given the time's order of the ids, so it reads that
// month only. It must find what Weir finds.

import { DatabaseSync } from 'node:sqlite'

import { parseUsageQuery } from '../../src/api/usage/parse-usage-query.ts'
import { readUsage } from '../../src/api/usage/usage-query.ts'
import { toMonth } from '../../src/api/usage/windows.ts'
import { toAnswerUsd } from '../../src/core/money.ts'
import { printTable } from '../harness/report.ts'
import { quantile } from '../harness/quantile.ts'
import type { FilledWeir } from './filled-weir.ts'
import { listMonthStarts } from './two-years.ts'

const QUESTIONS = [
  { name: 'cost_usd by model, month', words: { dimension: 'model' }, label: 'model' },
  {
    name: 'cost_usd by dim user, month',
    words: { dimension: 'dim', dim_key: 'user' },
    label: "dims ->> '$.user'",
  },
] as const
const PEER_TIMES = 5
const WEIR_TIMES = 50
/** A call of the month may have begun before it. */
const CALL_MS_MAX = 3_600_000

export async function measurePeer({ file, usage }: FilledWeir): Promise<void> {
  const [fromMs = 0, toMs = 0] = listMonthStarts(Date.now()).slice(-3)
  const database = new DatabaseSync(file, { readOnly: true })
  const period = [toIdBound(fromMs - CALL_MS_MAX), toIdBound(toMs), fromMs, toMs] as const
  const rows: string[][] = []
  for (const { name, words, label } of QUESTIONS) {
    const select = database.prepare(`SELECT ${label} AS label, SUM(cost_pico) AS cost,
      COUNT(*) AS requests FROM records
      WHERE id >= ? AND id < ? AND ended_at >= ? AND ended_at < ? GROUP BY 1 ORDER BY 2 DESC`)
    select.setReadBigInts(true)
    const search = { metric: 'cost_usd', window: 'month', month: toMonth(fromMs), ...words }
    const query = parseUsageQuery(new URLSearchParams(search), Date.now())
    const found = select.all(...period)
    const shown = (await readUsage(query, usage, Date.now())).rows[0]
    const value = toAnswerUsd((found[0]?.['cost'] as bigint | undefined) ?? 0n)
    if (shown?.label !== found[0]?.['label'] || shown?.value !== value) {
      throw new Error(`Weir says ${JSON.stringify(shown)}, its records ${value}.`)
    }
    const records = found.reduce((sum, row) => sum + Number(row['requests']), 0)
    const peerMs = await timeOf(PEER_TIMES, () => select.all(...period))
    const weirMs = await timeOf(WEIR_TIMES, () => readUsage(query, usage, Date.now()))
    const figures = [peerMs.toFixed(1), weirMs.toFixed(2), (peerMs / weirMs).toFixed(0)]
    rows.push([name, String(records), ...figures])
  }
  database.close()
  printTable('(c) against SUM and GROUP BY over the records of the month, medians', [
    ['', 'records', 'peer ms', 'Weir, bare ms', 'peer × Weir'],
    ...rows,
  ])
}

/** Ids begin with the milliseconds of their call's start, in six bytes. */
export function toIdBound(timeMs: number): Buffer {
  const bound = Buffer.alloc(16)
  bound.writeUIntBE(timeMs, 0, 6)
  return bound
}

/** The middle one of so many times, in milliseconds. */
export async function timeOf(times: number, work: () => unknown): Promise<number> {
  const taken: number[] = []
  while (taken.length < times) {
    const startedAt = performance.now()
    await work()
    taken.push(performance.now() - startedAt)
  }
  return quantile(taken, 0.5)
}
