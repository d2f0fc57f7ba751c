// Incidents over HTTP: what goes on, the largest first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { Alert } from '../../core/alert.ts'
import { toBody } from '../../core/budget-alert.ts'
import { toIncidentAlert } from '../../core/alerts/incident-alert.ts'
import type { Spender } from '../../core/alerts/incident.ts'
import { alertPageSchema, incidentListSchema } from '../contract.ts'
import type { AlertRow } from '../contract.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const DAY_MS = 86_400_000
const USD = 10n ** 12n
const KEY: Spender = { kind: 'api_key', name: 'svc_k_aaaaaaaaaaaaaaaa' }
const TEAM: Spender = { kind: 'dim', name: 'team=search' }

interface Jumps {
  /** What was spent so many days ago, where 20 USD are usual. */
  readonly [daysAgo: number]: bigint
}

function toAlert(id: string, subject: Spender, jumps: Jumps): Alert {
  const days = Object.entries(jumps)
    .toReversed()
    .map(([daysAgo, usd]: [string, bigint]) => {
      const day = new Date(NOW - Number(daysAgo) * DAY_MS).toISOString().slice(0, 10)
      return { day, spent: usd * USD, usual: 20n * USD }
    })
  const [first, ...others] = days
  assert.ok(first !== undefined)
  const at = Date.parse(first.day)
  const figures = { largest: 25n * USD, days: 28 }
  return toIncidentAlert({ id, at, subjects: [subject], jumps: [first, ...others], ...figures })
}

async function openScene(t: TestContext, alerts: readonly Alert[]) {
  const api = await openApi(NOW)
  t.after(() => api.close())
  await api.settings.alerts.take(alerts, alerts.length)
  const reader = await api.authorize('read:usage', 'read:keys')
  const ask = async (path: string, authorization = reader): Promise<unknown> => {
    const response = await api.get(path, authorization)
    assert.equal(response.status, 200)
    return response.json()
  }
  return {
    api,
    listIncidents: async (authorization?: string): Promise<readonly AlertRow[]> =>
      incidentListSchema.parse(await ask('/v1/incidents', authorization)).rows,
    readLog: async (): Promise<readonly AlertRow[]> =>
      alertPageSchema.parse(await ask('/v1/alerts')).rows,
  }
}

test('what goes on is listed, the largest excess first, until a full day without a jump', async (t) => {
  const { api, listIncidents, readLog } = await openScene(t, [
    toAlert('msg_small', KEY, { 1: 90n }),
    toAlert('msg_large', TEAM, { 2: 60n, 0: 100n }),
    toAlert('msg_over', TEAM, { 3: 900n, 2: 900n }),
    { ...toAlert('msg_odd', KEY, { 0: 1n }), body: toBody('spend.anomaly', NOW, {}) },
  ])
  // (60 − 20) + (100 − 20), and 90 − 20.
  const figures = (rows: readonly AlertRow[]) =>
    rows.map(({ id, incident }) => [id, incident?.state, incident?.excess_usd])
  assert.deepEqual(figures(await listIncidents()), [
    ['msg_large', 'open', 120],
    ['msg_small', 'open', 70],
  ])
  assert.deepEqual(figures(await readLog()), [
    ['msg_odd', undefined, undefined],
    ['msg_over', 'over', 1760],
    ['msg_large', 'open', 120],
    ['msg_small', 'open', 70],
  ])
  api.clock.nowMs = Date.parse('2026-03-16T00:00:00Z')
  assert.deepEqual(figures(await listIncidents()), [['msg_large', 'open', 120]])
  api.clock.nowMs = Date.parse('2026-03-17T00:00:00Z')
  assert.deepEqual(await listIncidents(), [])
})

test('a key is named to those who may read keys', async (t) => {
  const { api, listIncidents } = await openScene(t, [toAlert('msg_1', KEY, { 0: 90n })])
  const [shown] = await listIncidents()
  assert.match(String(shown?.body.data['calls_url']), /api_key=svc_k_a/)
  const [hidden] = await listIncidents(await api.authorize('read:usage'))
  assert.doesNotMatch(JSON.stringify(hidden), /svc_k_a/)
})
