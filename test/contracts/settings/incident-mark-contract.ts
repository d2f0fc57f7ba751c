// The part of the settings store's contract that is about what people say of incidents.

import assert from 'node:assert/strict'
import type { Actor } from '../../../src/core/user.ts'
import { createAlert, MINUTE_MS, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

const EVE: Actor = { kind: 'token', id: 'svc_agt_0123456789abcdef', name: 'Eve' }
const ADA: Actor = { kind: 'user', id: 'user_1', name: 'ada@example.com' }
const UNTIL = START_MS + 60 * MINUTE_MS

export function incidentMarkContract(run: Run): void {
  run('the last word counts, with who said it and when', async ({ store, reopen, clock }) => {
    const incident = createAlert(1, { kind: 'spend.anomaly' })
    await store.alerts.take([incident, createAlert(2)], 1)
    const other = await reopen()
    const readMark = async () => (await other.alerts.find(incident.id))?.mark
    const subject = { id: incident.id, name: 'team=search' }
    assert.equal(await readMark(), null)
    const excess = 10n ** 25n + 1n
    await store.as(EVE).incidentMarks.set(subject, { kind: 'snoozed', until: UNTIL, excess })
    const snoozed = { kind: 'snoozed', at: START_MS, by: 'Eve', until: UNTIL, excess }
    assert.deepEqual(await readMark(), snoozed)
    clock.nowMs += MINUTE_MS
    await store.as(ADA).incidentMarks.set(subject, { kind: 'acknowledged' })
    const acknowledged = { kind: 'acknowledged', at: clock.nowMs, by: 'ada@example.com' }
    assert.deepEqual(await readMark(), acknowledged)
    const at = clock.nowMs
    clock.nowMs += MINUTE_MS
    await store.as(EVE).incidentMarks.set(subject, { kind: 'acknowledged' })
    assert.deepEqual(await readMark(), { ...acknowledged, at }, 'said already')
    const { alerts } = await other.alerts.list({ before: null, rowsMax: 10 })
    assert.deepEqual(
      alerts.map(({ mark }) => mark),
      [null, acknowledged],
    )
    const [recent] = await other.alerts.listRecent('spend.anomaly', 0)
    assert.deepEqual(recent?.mark, acknowledged)
    assert.equal(await store.incidentMarks.set(subject, null), null)
    assert.equal(await readMark(), null)
  })

  run('it stays when the figures grow', async ({ store }) => {
    const incident = createAlert(1, { kind: 'spend.anomaly' })
    await store.alerts.take([incident], 1)
    const { id } = incident
    const mark = await store.incidentMarks.set({ id, name: 'x' }, { kind: 'acknowledged' })
    await store.alerts.take([{ ...incident, body: '{"grown":1}' }], 2)
    const found = await store.alerts.find(id)
    assert.deepEqual([found?.mark, found?.body], [mark, '{"grown":1}'])
  })

  run('of an alert that is not there, nothing can be said', async ({ store }) => {
    assert.equal(await store.alerts.find('msg_0'), null)
    const subject = { id: 'msg_0', name: 'x' }
    assert.equal(await store.incidentMarks.set(subject, { kind: 'acknowledged' }), undefined)
  })
}
