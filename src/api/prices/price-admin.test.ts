import assert from 'node:assert/strict'
import { test } from 'node:test'
import { msAfterBundle } from '../../../test/fakes/bundle-days.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import { sampleCall, toBatch } from '../../../test/fakes/stored-calls.ts'
import { createPriceTables } from '../../pricing/tables/price-tables.ts'
import { pricePageSchema } from '../contract.ts'

const NOW = msAfterBundle(22.5)
const DAY_MS = 86_400_000

test('the list begins with what was used: without a price, by cost, then others by name', async (t) => {
  const api = await openApi(NOW)
  t.after(() => api.close())
  const reader = await api.authorize('read:usage')
  const list = async (search: string) =>
    pricePageSchema.parse(await (await api.get(`/v1/prices?${search}`, reader)).json())
  const about = { provider: 'openai', endedAt: NOW - DAY_MS, startedAt: NOW - DAY_MS }
  const calls = [
    sampleCall({ ...about, model: 'gpt-4o-mini' }),
    sampleCall({ ...about, model: 'gpt-4o-2024-08-06' }),
    sampleCall({ ...about, model: 'Unheard-of' }),
    sampleCall({ ...about, model: 'gpt-4', endedAt: NOW - 40 * DAY_MS }),
    // A name that somebody mistyped: the provider knows of none.
    sampleCall({ ...about, model: 'gpt-4p', status: 'refused', httpStatus: 404, tokens: null }),
  ]
  await api.store.writeBatch(toBatch(calls, createPriceTables()))
  const byName = await list('limit=1')
  const page = await list('order=used&limit=4')
  assert.deepEqual(
    page.rows.map(({ model, used }) => [model, used && [used.requests, used.wants]]),
    [
      ['Unheard-of', [1, 'price']],
      ['gpt-4o-2024-08-06', [1, null]],
      ['gpt-4o-mini', [1, null]],
      [byName.rows[0]?.model, null],
    ],
  )
  assert.deepEqual(
    page.rows.map(({ rates }) => rates.some(({ unit }) => unit === 'input')),
    [false, true, true, true],
  )
  assert.deepEqual([page.used_as_of, byName.used_as_of], [new Date(NOW).toISOString(), null])
  assert.equal((await list('order=used&search=UNHEARD')).total, 1)
  const rule = { provider: 'openai', model: 'unheard-of', tier: null, note: null }
  const price = { kind: 'rates', rates: { input: '1' } } as const
  await api.settings.prices.set({ ...rule, price, effectiveFrom: NOW })
  const [priced] = (await list('order=used&limit=1')).rows
  assert.deepEqual([priced?.is_override, priced?.used?.wants], [true, 'reprice'])
})
