// Budgets that each key, person or team has for itself, as the API shows them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { createRequestId } from '../../core/ids.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'
import {
  budgetListSchema,
  budgetMemberListSchema,
  budgetPeriodListSchema,
  budgetSchema,
  keyBudgetListSchema,
  keyCheckSchema,
  keyRowSchema,
  nearestMemberListSchema,
} from '../contract.ts'
import type { BudgetRow } from '../contract.ts'

const NOW = Date.parse('2026-03-19T12:00:00.000Z')
const USD = 10n ** 12n

let api: OpenApi
let admin: string
let rule: BudgetRow
const keys: string[] = []

before(async () => {
  api = await openApi(NOW)
  admin = await api.authorize('admin')
  for (const name of ['one', 'two', 'three', 'four']) {
    keys.push((await api.settings.keys.create({ ...OPEN_KEY, name })).key.id)
  }
  const spent = [10n * USD, 85n * USD, 120n * USD]
  const records = spent.map((amount, index) => {
    const times = { id: createRequestId(NOW), startedAt: NOW - 1000, endedAt: NOW }
    return createRecord({ ...times, keyId: keys[index] ?? null, provider: 'north' }, { amount })
  })
  await api.store.writeBatch(batchOf(...records))
  const body = { name: 'each key', limit_usd: 100, period: 'month', scope: 'global' }
  const made = await fetch(`${api.url}/v1/budgets`, {
    method: 'POST',
    headers: { authorization: admin },
    body: JSON.stringify({ ...body, each: 'key', blocking: true }),
  })
  rule = budgetSchema.parse(await made.json())
})

after(() => api.close())

async function get(path: string, authorization = admin): Promise<unknown> {
  return (await fetch(api.url + path, { headers: { authorization } })).json()
}

test('a budget for each shows how many are near their limit and over it', async () => {
  assert.deepEqual(rule.members, { spending: 3, near: 1, over: 1 })
  assert.deepEqual(
    [rule.each, rule.spent_usd, rule.spent_percent, rule.is_exceeded, rule.forecast_usd],
    ['key', 215, 120, true, null],
  )
  const listed = budgetListSchema.parse(await get('/v1/budgets?min_percent=121'))
  assert.deepEqual(listed.rows, [])
  const periods = budgetPeriodListSchema.parse(await get(`/v1/budgets/${rule.id}/periods`))
  const [running] = periods.rows
  assert.deepEqual(
    [running?.spent_usd, running?.spent_percent, running?.is_exceeded],
    [215, null, null],
  )
})

test('who is near the limit is one list, who has used most first', async () => {
  const path = `/v1/budgets/${rule.id}/members`
  const list = async (query = '') => {
    const { rows, count } = budgetMemberListSchema.parse(await get(path + query))
    return [count, ...rows.map(({ name, spent_percent: percent }) => `${name} ${percent}`)]
  }
  assert.deepEqual(await list(), [3, 'three 120', 'two 85', 'one 10'])
  assert.deepEqual(await list('?status=near'), [1, 'two 85'])
  assert.deepEqual(await list('?status=over'), [1, 'three 120'])
  assert.deepEqual(await list('?limit=1'), [3, 'three 120'])
})

test('over all budgets, the nearest to their own limit are first', async () => {
  const body = { name: 'small', limit_usd: 12, period: 'day', scope: 'global', each: 'key' }
  const options = { method: 'POST', headers: { authorization: admin }, body: JSON.stringify(body) }
  const { id } = budgetSchema.parse(await (await fetch(`${api.url}/v1/budgets`, options)).json())
  const list = async (query = '', authorization = admin) => {
    const answer = await get(`/v1/budget-members${query}`, authorization)
    return nearestMemberListSchema.parse(answer)
  }
  const { rows, count } = await list('?limit=3')
  assert.equal(count, 6)
  assert.deepEqual(
    rows.map((row) => [row.budget_name, row.name, row.limit_usd, row.period]),
    [
      ['small', 'three', 12, 'day'],
      ['small', 'two', 12, 'day'],
      ['each key', 'three', 100, 'month'],
    ],
  )
  assert.equal((await list('?status=near')).count, 2)
  assert.equal((await list('', await api.authorize('read:usage'))).rows[0]?.name, '…')
  const gone = { method: 'DELETE', headers: { authorization: admin } }
  assert.equal((await fetch(`${api.url}/v1/budgets/${id}`, gone)).status, 200)
})

test('who may not know the keys does not learn of them from the members', async () => {
  const reader = await api.authorize('read:usage')
  const answer = await get(`/v1/budgets/${rule.id}/members`, reader)
  const { rows } = budgetMemberListSchema.parse(answer)
  assert.deepEqual(
    rows.map(({ id, name, spent_usd: spent }) => [id, name, spent]),
    [
      ['…', '…', 120],
      ['…', '…', 85],
      ['…', '…', 10],
    ],
  )
})

test('a key whose own limit is reached is blocked, and shows its own spend of it', async () => {
  const stateOf = async (id = '') => keyRowSchema.parse(await get(`/v1/keys/${id}`))
  const over = await stateOf(keys[2])
  assert.equal(over.state.status, 'blocked')
  assert.deepEqual(
    over.state.used_up.map(({ id }) => id),
    [rule.id],
  )
  assert.match(over.state.reason ?? '', /is used up for this key: \$120\.00 of \$100\.00/)
  for (const id of [keys[1], keys[3]]) assert.equal((await stateOf(id)).state.status, 'active')
  const spentBy = async (id = '') => {
    const { rows } = keyBudgetListSchema.parse(await get(`/v1/keys/${id}/budgets`))
    return rows.map((row) => [row.id, row.spent_usd, row.members])
  }
  assert.deepEqual(await spentBy(keys[1]), [[rule.id, 85, null]])
  assert.deepEqual(await spentBy(keys[3]), [[rule.id, 0, null]])
})

test('a check of a key says which limit of its own is reached', async () => {
  const check = async (id = '') => {
    const response = await fetch(`${api.url}/v1/keys/check`, {
      method: 'POST',
      headers: { authorization: admin },
      body: JSON.stringify({ key_id: id, provider: 'openai', model: 'gpt-4o' }),
    })
    return keyCheckSchema.parse(await response.json())
  }
  assert.equal((await check(keys[2])).budget_id, rule.id)
  assert.equal((await check(keys[1])).allowed, true)
})
