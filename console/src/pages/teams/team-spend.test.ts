import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSpend, toSpendQuestion } from './team-spend.ts'

const NOW_MS = Date.parse('2026-03-01T12:30:00Z')

test('a team’s figures and its last thirty days are of one answer', () => {
  const { from, to, filter } = toSpendQuestion('team_1', NOW_MS)
  assert.deepEqual([from, to, filter], ['2026-01-31', '2026-03-01T13:00Z', ['team=team_1']])
  const starts = Array.from({ length: 30 }, (_, day) =>
    new Date(Date.parse(from) + day * 86_400_000).toISOString(),
  )
  const { days, ...figures } = toSpend({
    asOf: '2026-03-01T12:29:00Z',
    buckets: starts.map((start) => ({ start })),
    series: [
      { row: 0, bucket: 0, cost_usd: 1 },
      { row: 0, bucket: 1, cost_usd: 2 },
      { row: 0, bucket: 28, cost_usd: 4 },
      { row: 0, bucket: 29, cost_usd: 8 },
    ],
  } as unknown as Parameters<typeof toSpend>[0])
  assert.deepEqual(figures, {
    asOf: '2026-03-01T12:29:00Z',
    today_usd: 8,
    yesterday_usd: 4,
    month_to_date_usd: 8,
    last_month_usd: 6,
  })
  assert.equal(days.length, 30)
  assert.deepEqual(days.at(-1), { label: '2026-03-01', value: 8 })
})
