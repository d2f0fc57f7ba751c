// The request log of a day has the calls that the day's figures are the sum of.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  requestPageSchema,
  requestSummarySchema,
  usageEnvelopeSchema,
} from '../../src/api/contract.ts'
import type { RequestRow } from '../../src/api/contract.ts'
import { createRequestId } from '../../src/core/ids.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { openApi } from '../fakes/open-api.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const MIDNIGHT = Date.parse('2026-03-14T00:00:00.000Z')
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** 0.01 USD, in 1e-12 USD. Call n costs 2^n of them, so that a sum says which calls are in it. */
const CENT = 10_000_000_000n

/** Minutes from that midnight on at which calls began and ended. */
const TIMES: readonly (readonly [started: number, ended: number])[] = [
  [-3, -1],
  [-2, 0],
  [-1, 1],
  // Two that took long, one of them for days.
  [-11, 2],
  [-5 * 1440, 3],
  [0, 4],
  [1438, 1439],
  [1439, 1440],
  // The clock was set back meanwhile.
  [1445, 1430],
  [1445, 1441],
]

function createCalls(): readonly UsageRecord[] {
  return TIMES.map(([started, ended], place) => {
    const startedAt = MIDNIGHT + started * MINUTE_MS
    const endedAt = MIDNIGHT + ended * MINUTE_MS
    return createRecord(
      { id: createRequestId(startedAt), startedAt, endedAt },
      { amount: 2n ** BigInt(place) * CENT },
    )
  })
}

const toDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10)

function sumUp(rows: readonly RequestRow[]): number {
  const cents = rows.reduce((sum, row) => sum + Math.round(Number(row.cost_usd) * 100), 0)
  return cents / 100
}

test('the calls listed for a day are those in its figures, whenever they began', async (t) => {
  const api = await openApi(NOW)
  t.after(() => api.close())
  const denied = createRecord({
    id: createRequestId(MIDNIGHT),
    endedAt: MIDNIGHT,
    status: 'denied',
  })
  await api.store.writeBatch(batchOf(...createCalls(), denied))
  const reader = await api.authorize('read:usage', 'read:requests')
  const path = '/v1/usage?metric=cost_usd&dimension=day&window=last_7_days'
  const envelope = usageEnvelopeSchema.parse(await (await api.get(path, reader)).json())
  const spent = envelope.rows.map(({ label, value }) => [label, value] as const)
  // By their ends: call 0 before that midnight, 1 to 6 and 8 in its day, 7 and 9 after it.
  assert.deepEqual(
    spent.filter(([, value]) => value > 0),
    [
      ['2026-03-13', 0.01],
      ['2026-03-14', 3.82],
      ['2026-03-15', 6.4],
    ],
  )
  for (const [day, value] of spent) {
    const to = toDay(Date.parse(day) + DAY_MS)
    const response = await api.get(`/v1/requests?from=${day}&to=${to}`, reader)
    const { rows } = requestPageSchema.parse(await response.json())
    assert.equal(sumUp(rows.filter(({ status }) => status !== 'denied')), value, day)
    const summary = await api.get(`/v1/requests/summary?from=${day}&to=${to}`, reader)
    const { cost_usd: cost, calls } = requestSummarySchema.parse(await summary.json())
    assert.deepEqual([Number(cost), calls], [value, rows.length], day)
  }
  // An hour, to the minute: the calls that ended at 00:00 to 00:03.
  const hour = 'from=2026-03-14T00:00Z&to=2026-03-14T00:04Z&status=delivered'
  const answer = await (await api.get(`/v1/requests?${hour}`, reader)).json()
  assert.equal(requestPageSchema.parse(answer).rows.length, 4)
})
