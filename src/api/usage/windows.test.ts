import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WINDOWS } from '../contract.ts'
import type { UsageWindow } from '../contract.ts'
import { endOfDay, listDays, listMonths, toMonth, toPeriod } from './windows.ts'

interface Case {
  readonly window: UsageWindow
  readonly now: string
  readonly period: string
  readonly month?: string
  readonly months?: number
}

const CASES: readonly Case[] = [
  { window: 'today', now: '2026-03-15T12:00:00.000Z', period: 'day 2026-03-15..2026-03-15' },
  { window: 'today', now: '2026-03-15T00:00:00.000Z', period: 'day 2026-03-15..2026-03-15' },
  { window: 'today', now: '2026-03-15T23:59:59.999Z', period: 'day 2026-03-15..2026-03-15' },
  { window: 'today', now: '2028-02-29T23:59:59.999Z', period: 'day 2028-02-29..2028-02-29' },
  { window: 'yesterday', now: '2026-03-01T00:00:00.000Z', period: 'day 2026-02-28..2026-02-28' },
  { window: 'yesterday', now: '2028-03-01T00:00:00.000Z', period: 'day 2028-02-29..2028-02-29' },
  { window: 'yesterday', now: '2026-01-01T00:00:00.000Z', period: 'day 2025-12-31..2025-12-31' },
  { window: 'yesterday', now: '2026-01-01T23:59:59.999Z', period: 'day 2025-12-31..2025-12-31' },
  { window: 'last_7_days', now: '2026-03-03T08:00:00.000Z', period: 'day 2026-02-25..2026-03-03' },
  { window: 'last_7_days', now: '2028-03-03T08:00:00.000Z', period: 'day 2028-02-26..2028-03-03' },
  { window: 'last_30_days', now: '2026-01-15T00:00:00.000Z', period: 'day 2025-12-17..2026-01-15' },
  { window: 'month_to_date', now: '2026-03-01T00:00:00.000Z', period: 'month 2026-03..2026-03' },
  { window: 'month_to_date', now: '2026-03-31T23:59:59.999Z', period: 'month 2026-03..2026-03' },
  { window: 'last_month', now: '2026-03-31T23:59:59.999Z', period: 'month 2026-02..2026-02' },
  { window: 'last_month', now: '2028-03-30T10:00:00.000Z', period: 'month 2028-02..2028-02' },
  { window: 'last_month', now: '2026-01-31T10:00:00.000Z', period: 'month 2025-12..2025-12' },
  { window: 'last_month', now: '2025-12-31T23:59:59.999Z', period: 'month 2025-11..2025-11' },
  {
    window: 'month',
    month: '2024-02',
    now: '2026-03-15T12:00:00.000Z',
    period: 'month 2024-02..2024-02',
  },
  {
    window: 'monthly_series',
    months: 1,
    now: '2026-03-31T12:00:00.000Z',
    period: 'month 2026-03..2026-03',
  },
  {
    window: 'monthly_series',
    months: 12,
    now: '2026-03-31T12:00:00.000Z',
    period: 'month 2025-04..2026-03',
  },
  {
    window: 'monthly_series',
    months: 24,
    now: '2026-01-01T00:00:00.000Z',
    period: 'month 2024-02..2026-01',
  },
]

for (const { window, now, period, month = null, months = null } of CASES) {
  test(`${window} at ${now} is ${period}`, () => {
    const { grain, from, to } = toPeriod({ window, month, months }, Date.parse(now))
    assert.equal(`${grain} ${from}..${to}`, period)
  })
}

test('every window of the contract has a case', () => {
  assert.deepEqual(new Set(CASES.map((row) => row.window)), new Set(WINDOWS))
})

test('a month ends with its last millisecond', () => {
  assert.equal(toMonth(Date.parse('2026-02-28T23:59:59.999Z')), '2026-02')
  assert.equal(toMonth(Date.parse('2026-03-01T00:00:00.000Z')), '2026-03')
})

test('refuses a window without the argument it needs', () => {
  assert.throws(() => toPeriod({ window: 'month', month: null, months: null }, 0), /Weir defect/)
})

const LISTED: readonly (readonly [from: string, to: string, listed: readonly string[]])[] = [
  ['2026-03-15', '2026-03-15', ['2026-03-15']],
  ['2028-02-28', '2028-03-01', ['2028-02-28', '2028-02-29', '2028-03-01']],
  ['2027-02-28', '2027-03-01', ['2027-02-28', '2027-03-01']],
  ['2026-12-31', '2027-01-01', ['2026-12-31', '2027-01-01']],
  ['2026-03', '2026-03', ['2026-03']],
  ['2025-11', '2026-02', ['2025-11', '2025-12', '2026-01', '2026-02']],
]

for (const [from, to, listed] of LISTED) {
  test(`${from} to ${to} is listed whole`, () => {
    const isDays = from.length === 10
    const period = { grain: isDays ? 'day' : 'month', from, to } as const
    assert.deepEqual(isDays ? listDays(period) : listMonths(period), listed)
  })
}

test('every window lists as many days or months as it says, the current one last', () => {
  for (const now of ['2026-01-31T00:00:00.000Z', '2028-02-29T23:59:59.999Z']) {
    const nowMs = Date.parse(now)
    for (const [window, count] of [
      ['last_7_days', 7],
      ['last_30_days', 30],
    ] as const) {
      const listed = listDays(toPeriod({ window, month: null, months: null }, nowMs))
      assert.deepEqual([listed.length, listed.at(-1)], [count, now.slice(0, 10)])
    }
    for (let months = 1; months <= 24; months += 1) {
      const listed = listMonths(toPeriod({ window: 'monthly_series', month: null, months }, nowMs))
      assert.deepEqual([listed.length, listed.at(-1)], [months, now.slice(0, 7)])
      assert.deepEqual(listed, [...new Set(listed)].toSorted())
    }
  }
})

for (const [moment, end] of [
  ['2026-03-15T00:00:00.000Z', '2026-03-16T00:00:00.000Z'],
  ['2026-03-15T12:00:00.000Z', '2026-03-16T00:00:00.000Z'],
  ['2028-02-28T23:59:59.999Z', '2028-02-29T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
] as const) {
  test(`the day of ${moment} ends with ${end}`, () => {
    assert.equal(new Date(endOfDay(Date.parse(moment))).toISOString(), end)
  })
}
