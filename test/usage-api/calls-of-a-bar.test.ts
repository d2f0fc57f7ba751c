// Behind a figure of GET /v1/analysis are the calls that the request log lists for it: their number
// and cost are the figure's, for every hour and every value.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analysisSchema, requestSummarySchema } from '../../src/api/contract.ts'
import type { AnalysisFiguresAnswer } from '../../src/api/contract.ts'
import { createRequestId } from '../../src/core/ids.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { createRecord, batchOf } from '../contracts/usage-scene.ts'
import { createPicks } from '../fakes/callers/request-samples.ts'
import { openApi } from '../fakes/open-api.ts'

const NOW = Date.parse('2026-03-15T12:30:00.000Z')
const HOUR_MS = 3_600_000
const HOURS = 6
const CALLS = 400
/** How long calls take: most a moment, some over the hour, one in a while for days. */
const LENGTHS_MS = [0, 900, 30_000, 599_000, 600_000, 1_800_000, 3 * 24 * HOUR_MS]
const MODELS = ['maker/large-1', 'maker/small-1', 'other-2'] as const
const TEAMS = ['search', 'support'] as const

function createCalls(seed: number): readonly UsageRecord[] {
  const picks = createPicks(seed)
  return Array.from({ length: CALLS }, () => {
    // On whole hours too.
    const isWhole = picks.below(10) === 0
    const ago = picks.below((HOURS + 1) * 60) * 60_000
    const endedAt = isWhole ? Math.floor((NOW - ago) / HOUR_MS) * HOUR_MS : NOW - ago
    const startedAt = endedAt - picks.of(LENGTHS_MS)
    const status = picks.of(['delivered', 'delivered', 'refused', 'cut', 'denied'] as const)
    const amount = picks.below(8) === 0 ? null : BigInt(picks.below(1_000_000_000))
    const source = amount === null ? 'unpriced' : 'price-book'
    return createRecord(
      {
        id: createRequestId(startedAt),
        startedAt,
        endedAt,
        status,
        model: picks.of(MODELS),
        dims: { team: picks.of(TEAMS) },
      },
      { amount, source },
    )
  })
}

const FILTERS: readonly (readonly [analysis: string, log: string])[] = [
  ['', ''],
  ['&filter=status%3Dcut&filter=status%3Drefused', '&status=cut&status=refused'],
  ['&filter=dim:team%3Dsearch', '&dim_key=team&dim_value=search'],
  [
    '&filter=model%3Dother-2&filter=model%3Dmaker/small-1&filter=source%3Dunpriced',
    '&model=other-2&model=maker/small-1&source=unpriced',
  ],
]

test('the calls of a bar and of a row are those that its figures are the sum of', async (t) => {
  const api = await openApi(NOW)
  t.after(() => api.close())
  await api.store.writeBatch(batchOf(...createCalls(7)))
  const reader = await api.authorize('read:usage', 'read:requests')
  const compare = async (
    figures: Partial<AnalysisFiguresAnswer> | undefined,
    question: string,
  ): Promise<number> => {
    // Sixty a minute a token.
    api.clock.monotonicMs += 1000
    const response = await api.get(`/v1/requests/summary?${question}`, reader)
    const summary = requestSummarySchema.parse(await response.json())
    const { requests = 0, denials = 0, unpriced = 0, cost_usd: cost = 0 } = figures ?? {}
    assert.deepEqual(
      [summary.calls - summary.denied, summary.denied, summary.unpriced],
      [requests, denials, unpriced],
      question,
    )
    // The analysis rounds to 1e-9, the log is exact.
    assert.ok(Math.abs(Number(summary.cost_usd) - cost) < 1e-9, question)
    return summary.calls
  }
  const end = Math.ceil(NOW / HOUR_MS) * HOUR_MS
  const toMoment = (timeMs: number): string => `${new Date(timeMs).toISOString().slice(0, 19)}Z`
  const span = `from=${toMoment(end - HOURS * HOUR_MS)}&to=${toMoment(end)}`
  let compared = 0
  for (const [filter, same] of FILTERS) {
    const path = `/v1/analysis?${span}&interval=hour&group_by=model${filter}`
    const answer = analysisSchema.parse(await (await api.get(path, reader)).json())
    assert.equal(answer.buckets.length, HOURS)
    await compare(answer.total, `${span}${same}`)
    for (const [row, { group }] of answer.rows.entries()) {
      // A model replaces the ones that are filtered by.
      const model = `&model=${group[0]?.value ?? ''}`
      const others = same.replaceAll(/&model=[^&]*/g, '')
      await compare(answer.rows[row], `${span}${others}${model}`)
      for (const [bucket, { start }] of answer.buckets.entries()) {
        const point = answer.series.find((each) => each.bucket === bucket && each.row === row)
        const hour = `from=${start}&to=${toMoment(Date.parse(start) + HOUR_MS)}`
        compared += await compare(point, `${hour}${others}${model}`)
      }
    }
  }
  assert.ok(compared > CALLS)
})
