import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import type { Alert } from '../../core/alert.ts'
import { toBody } from '../../core/alerts/budget-alert.ts'
import { formatAlertCursor, parseAlertCursor } from './alert-cursor.ts'
import { alertPageSchema } from '../contract.ts'
import type { AlertPageAnswer, AlertRow, ErrorBody } from '../contract.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const ADDRESS = 'https://hooks.example.com/secret'
const ALERTS = 7

let api: OpenApi
let reader: string
let budgetId: string
let targetId: string

function createAlert(index: number): Alert {
  const at = NOW + index
  const isOfBudget = index % 2 === 0
  return {
    id: `msg_${index}`,
    kind: isOfBudget ? 'budget.threshold' : 'spend.anomaly',
    budgetId: isOfBudget ? budgetId : null,
    at,
    body: toBody(isOfBudget ? 'budget.threshold' : 'spend.anomaly', at, { index }),
  }
}

before(async () => {
  api = await openApi(NOW)
  reader = await api.authorize('read:usage')
  const budget = await api.settings.budgets.create({
    name: 'a',
    scope: { kind: 'global' },
    period: 'day',
    limit: 1n,
    thresholds: [],
    each: 'none',
    isTargetsOnly: false,
    isBlocking: false,
  })
  budgetId = budget.id
  const { alerts, targets } = api.settings
  targetId = (await targets.create({ kind: 'slack', address: ADDRESS, budgetId })).id
  await alerts.take(
    Array.from({ length: ALERTS }, (_, index) => createAlert(index)),
    ALERTS,
  )
  const delivery = { alertId: 'msg_0', targetId }
  await alerts.noteAttempt(delivery, { at: NOW + 10, isDelivered: false, detail: '500' }, NOW + 99)
  await alerts.noteAttempt(delivery, { at: NOW + 99, isDelivered: true, detail: '200' }, null)
})

after(() => api.close())

async function read(search: string, authorization = reader): Promise<AlertPageAnswer> {
  const response = await api.get(`/v1/alerts?${search}`, authorization)
  assert.equal(response.status, 200)
  return alertPageSchema.parse(await response.json())
}

async function readAll(search: string): Promise<readonly AlertRow[]> {
  const rows: AlertRow[] = []
  for (let cursor = ''; ;) {
    const page = await read(search + cursor)
    rows.push(...page.rows)
    if (page.next_cursor === null) return rows
    cursor = `&cursor=${page.next_cursor}`
  }
}

test('the pages have every alert once, newest first', async () => {
  const all = ['msg_6', 'msg_5', 'msg_4', 'msg_3', 'msg_2', 'msg_1', 'msg_0']
  for (const limit of [1, 3, 7, 200]) {
    const rows = await readAll(`limit=${limit}`)
    assert.deepEqual(
      rows.map(({ id }) => id),
      all,
    )
  }
  const rows = await readAll(`limit=2&budget=${budgetId}`)
  assert.deepEqual(
    rows.map(({ id, budget_id: budget }) => [id, budget]),
    [6, 4, 2, 0].map((index) => [`msg_${index}`, budgetId]),
  )
  assert.deepEqual(await readAll('budget=bud_0'), [])
})

test('an alert is shown with its body and every attempt to deliver it', async () => {
  const rows = (await read('')).rows
  assert.deepEqual(rows.at(-1), {
    id: 'msg_0',
    type: 'budget.threshold',
    budget_id: budgetId,
    at: '2026-03-15T12:00:00.000Z',
    body: {
      type: 'budget.threshold',
      timestamp: '2026-03-15T12:00:00.000Z',
      data: { index: 0 },
    },
    incident: null,
    deliveries: [
      {
        target_id: targetId,
        kind: 'slack',
        address: 'https://hooks.example.com/…',
        state: 'delivered',
        next_at: null,
        attempts: [
          { at: '2026-03-15T12:00:00.010Z', delivered: false, detail: '500' },
          { at: '2026-03-15T12:00:00.099Z', delivered: true, detail: '200' },
        ],
      },
    ],
  })
  const [waiting] = rows[4]?.deliveries ?? []
  assert.deepEqual([waiting?.state, waiting?.next_at], ['pending', '2026-03-15T12:00:00.000Z'])
  assert.deepEqual([rows[1]?.type, rows[1]?.deliveries], ['spend.anomaly', []])
})

test('the whole address is shown to who may change it', async () => {
  const both = await api.authorize('read:usage', 'write:budgets')
  const [delivery] = (await read('', both)).rows[0]?.deliveries ?? []
  assert.equal(delivery?.address, ADDRESS)
})

test('a cursor belongs to its question, and one that is made up is refused', async () => {
  const { next_cursor: cursor } = await read('limit=1')
  for (const search of [
    `cursor=${cursor}&budget=${budgetId}`,
    `cursor=${'A'.repeat(27)}`,
    `cursor=${'_'.repeat(27)}`,
    'cursor=x',
  ]) {
    const response = await api.get(`/v1/alerts?${search}`, reader)
    const { error, code } = (await response.json()) as ErrorBody
    assert.deepEqual([response.status, code], [400, 'invalid_parameter'])
    assert.match(error, /cursor (?:belongs to another query|must be the next_cursor)/)
  }
})

test('a cursor comes back as it went, at the edges too', () => {
  for (const place of [0, 1, 42, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
    for (const budget of [null, 'bud_1']) {
      const cursor = formatAlertCursor(place, budget)
      assert.equal(cursor.length, 27)
      assert.equal(parseAlertCursor(cursor, budget), place)
    }
  }
})
