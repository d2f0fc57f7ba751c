// Incidents over HTTP: what goes on, the largest first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { Alert } from '../../core/alert.ts'
import { toBody } from '../../core/alerts/budget-alert.ts'
import { toIncidentAlert } from '../../core/alerts/incident-alert.ts'
import type { Spender } from '../../core/alerts/incident.ts'
import { alertPageSchema, incidentChangeSchema, incidentListSchema } from '../contract.ts'
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
  const post = async (path: string, body?: object, authorization?: string) => {
    const response = await fetch(`${api.url}/v1/alerts/${path}`, {
      method: 'POST',
      headers: { authorization: authorization ?? (await api.authorize('write:budgets')) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return {
    api,
    post,
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

test('an incident that is known is no longer open, and who said so is shown and audited', async (t) => {
  const { api, listIncidents, post } = await openScene(t, [toAlert('msg_1', TEAM, { 0: 90n })])
  const { status, body } = await post('msg_1/acknowledge')
  const by = String(body['marked_by'])
  assert.equal(status, 200)
  assert.deepEqual(incidentChangeSchema.parse(body), {
    id: 'msg_1',
    state: 'acknowledged',
    marked_at: '2026-03-15T12:00:00.000Z',
    marked_by: by,
    snoozed_until: null,
  })
  const [row] = await listIncidents()
  assert.deepEqual([row?.incident?.state, row?.incident?.marked_by], ['acknowledged', by])
  const all = { noun: 'alert', actorId: null, subjectId: null }
  const { entries } = await api.settings.audit.list(all, { before: null, rowsMax: 10 })
  assert.deepEqual(
    entries.map(({ action, subjectId, subjectName, actor }) => [
      action,
      subjectId,
      subjectName,
      actor.name,
    ]),
    [['alert.acknowledge', 'msg_1', 'team=search', by]],
  )
  assert.equal((await post('msg_1/reopen')).body['state'], 'open')
  assert.equal((await listIncidents())[0]?.incident?.marked_at, null)
})

test('a snooze ends at its time, or when the excess is more than twice as large', async (t) => {
  const grown = (usd: bigint): Alert => toAlert('msg_1', TEAM, { 0: usd })
  const { api, listIncidents, post } = await openScene(t, [grown(90n)])
  const state = async () => (await listIncidents())[0]?.incident?.state
  const until = '2026-03-15T18:00:00.000Z'
  const { body } = await post('msg_1/snooze', { until })
  assert.deepEqual([body['state'], body['snoozed_until']], ['snoozed', until])
  // An excess of 70 became 140: not more than twice. One more dollar is.
  await api.settings.alerts.take([grown(160n)], 2)
  assert.equal(await state(), 'snoozed')
  await api.settings.alerts.take([grown(161n)], 3)
  assert.equal(await state(), 'open')
  assert.equal((await post('msg_1/snooze', { until })).body['state'], 'snoozed', 'as it is now')
  api.clock.nowMs = Date.parse(until)
  assert.equal(await state(), 'open')
})

test('what cannot be said is refused with the reason', async (t) => {
  const { api, post } = await openScene(t, [
    toAlert('msg_1', TEAM, { 0: 90n }),
    toAlert('msg_over', TEAM, { 2: 90n }),
    { ...toAlert('msg_other', TEAM, { 0: 90n }), kind: 'budget.forecast' },
  ])
  const day = { until: '2026-03-16T12:00:00Z' }
  const rows: readonly (readonly [path: string, body: object | undefined, number, RegExp])[] = [
    ['msg_0/acknowledge', undefined, 404, /no such alert/],
    ['msg_other/acknowledge', undefined, 409, /no incident/],
    ['msg_other/snooze', day, 409, /no incident/],
    ['msg_over/reopen', undefined, 409, /is over/],
    ['msg_1/snooze', { until: '2026-03-15T12:00:00Z' }, 400, /in the future/],
    ['msg_1/snooze', { until: '2026-04-14T12:00:00.001Z' }, 400, /at most 30 days/],
    ['msg_1/snooze', { until: 'tomorrow' }, 400, /until must be a moment in UTC/],
    ['msg_1/snooze', {}, 400, /until/],
    ['msg_1/snooze', { ...day, why: 'x' }, 400, /why/],
  ]
  for (const [path, body, status, text] of rows) {
    const answer = await post(path, body)
    assert.equal(answer.status, status, `${path} ${JSON.stringify(answer.body)}`)
    assert.match(String(answer.body['error']), text)
  }
  const reader = await api.authorize('read:usage')
  assert.equal((await post('msg_1/acknowledge', undefined, reader)).status, 403)
  const { body } = await post('msg_1/snooze', { until: '2026-04-14T12:00:00Z' })
  assert.equal(body['state'], 'snoozed')
  assert.doesNotMatch(JSON.stringify(body), /usd/, 'write:budgets reads no spend')
})
