// The history of a budget over HTTP: every period with its own limit, exact.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { BudgetSettings } from '../../core/budget.ts'
import { createRequestId } from '../../core/ids.ts'
import { budgetPeriodListSchema } from '../contract.ts'

/** A Thursday. */
const NOW = Date.parse('2026-03-19T12:00:00.000Z')
const USD = 10n ** 12n

const BUDGET: BudgetSettings = {
  name: 'Search team',
  scope: { kind: 'dim', key: 'team', value: 'search' },
  period: 'month',
  limit: 100n * USD,
  thresholds: [],
  each: 'none',
  isTargetsOnly: false,
  isBlocking: false,
}

async function openScene(t: TestContext) {
  const api = await openApi(NOW)
  t.after(() => api.close())
  const reader = await api.authorize('read:usage')
  return {
    api,
    spend: async (...calls: readonly (readonly [end: string, usd: bigint | null])[]) => {
      const records = calls.map(([end, usd]) => {
        const endedAt = Date.parse(end)
        const event = { id: createRequestId(endedAt), endedAt, dims: { team: 'search' } }
        const amount = usd === null ? null : usd * USD
        return createRecord(event, { amount, source: amount === null ? 'unpriced' : 'price-book' })
      })
      await api.store.writeBatch(batchOf(...records))
    },
    at: (iso: string): void => {
      api.clock.nowMs = Date.parse(iso)
    },
    read: async (id: string, search = '') => {
      const response = await api.get(`/v1/budgets/${id}/periods${search}`, reader)
      const body: unknown = await response.json()
      assert.equal(response.status, 200, JSON.stringify(body))
      return budgetPeriodListSchema.parse(body).rows
    },
    refusal: async (path: string, authorization = reader) => {
      const response = await api.get(`/v1/budgets/${path}`, authorization)
      return [response.status, ((await response.json()) as { code: string }).code]
    },
  }
}

test('every period since the budget was made, with the limit that it ended with', async (t) => {
  const { api, spend, at, read } = await openScene(t)
  at('2025-12-10T00:00:00Z')
  const { id } = await api.settings.budgets.create(BUDGET)
  await spend(
    ['2025-11-30T23:59:59.999Z', 7n],
    ['2025-12-01T00:00:00Z', 100n],
    ['2026-01-31T23:59:59.999Z', 99n],
    ['2026-02-01T00:00:00Z', 30n],
    ['2026-02-28T10:00:00Z', null],
    ['2026-03-10T10:00:00Z', 20n],
  )
  // The last moment of January, the first of March: each counts for the month that it is in.
  at('2026-01-31T23:59:59.999Z')
  await api.settings.budgets.update(id, { limit: 50n * USD, name: 'Search' })
  at('2026-03-01T00:00:00Z')
  await api.settings.budgets.update(id, { limit: 40n * USD })
  at('2026-03-19T12:00:00Z')
  await api.settings.budgets.update(id, { limit: 25n * USD })
  const rows = await read(id)
  const month = (start: string, end: string) => ({
    period_start: `${start}-01T00:00:00.000Z`,
    period_end: `${end}-01T00:00:00.000Z`,
  })
  const over = { is_running: false, unpriced_requests: 0 }
  assert.deepEqual(rows, [
    {
      ...month('2026-03', '2026-04'),
      is_running: true,
      limit_usd: 25,
      spent_usd: 20,
      spent_percent: 80,
      is_exceeded: false,
      unpriced_requests: 0,
    },
    {
      ...month('2026-02', '2026-03'),
      ...over,
      limit_usd: 50,
      spent_usd: 30,
      spent_percent: 60,
      is_exceeded: false,
      unpriced_requests: 1,
    },
    {
      ...month('2026-01', '2026-02'),
      ...over,
      limit_usd: 50,
      spent_usd: 99,
      spent_percent: 198,
      is_exceeded: true,
    },
    {
      ...month('2025-12', '2026-01'),
      ...over,
      limit_usd: 100,
      spent_usd: 100,
      spent_percent: 100,
      is_exceeded: true,
    },
  ])
  assert.deepEqual(await read(id, '?limit=2'), rows.slice(0, 2))
})

test('a budget of another scope or period begins its history with the change', async (t) => {
  const { api, spend, at, read } = await openScene(t)
  at('2026-01-05T00:00:00Z')
  const { id } = await api.settings.budgets.create(BUDGET)
  await spend(['2026-03-01T23:00:00Z', 1n], ['2026-03-10T10:00:00Z', 2n])
  at('2026-03-08T09:00:00Z')
  await api.settings.budgets.update(id, { period: 'week' })
  at('2026-03-19T12:00:00Z')
  const rows = await read(id)
  // Weeks begin on Mondays: the 2nd, in which it was changed, the 9th and the 16th.
  assert.deepEqual(
    rows.map(({ period_start, spent_usd }) => [period_start.slice(0, 10), spent_usd]),
    [
      ['2026-03-16', 0],
      ['2026-03-09', 2],
      ['2026-03-02', 0],
    ],
  )
  await api.settings.budgets.update(id, { scope: { kind: 'global' } })
  assert.equal((await read(id)).length, 1)
})

test('what is no longer on record is not known, and never zero', async (t) => {
  const { api, spend, at, read } = await openScene(t)
  at('2026-03-17T00:00:00Z')
  const { id } = await api.settings.budgets.create({ ...BUDGET, period: 'day' })
  await spend(['2026-03-17T10:00:00Z', 2n], ['2026-03-18T10:00:00Z', 3n])
  at('2026-03-19T12:00:00Z')
  await api.usage.upkeep.removeRecords(Date.parse('2026-03-18T00:00:00Z'), 100)
  const rows = await read(id)
  assert.deepEqual(
    rows.map(({ spent_usd, spent_percent, is_exceeded }) => [
      spent_usd,
      spent_percent,
      is_exceeded,
    ]),
    [
      [0, 0, false],
      [3, 3, false],
      [null, null, null],
    ],
  )
})

test('bad questions are refused', async (t) => {
  const { api, refusal } = await openScene(t)
  const { id } = await api.settings.budgets.create(BUDGET)
  assert.deepEqual(await refusal('bud_0/periods'), [404, 'not_found'])
  for (const search of ['limit=0', 'limit=61', 'limit=x', 'month=2026-03']) {
    assert.deepEqual(await refusal(`${id}/periods?${search}`), [400, 'invalid_parameter'])
  }
  const writer = await api.authorize('write:budgets')
  assert.deepEqual(await refusal(`${id}/periods`, writer), [403, 'scope_denied'])
})
