import assert from 'node:assert/strict'
import { test } from 'node:test'

import { stateOf } from './incident-mark.ts'
import type { IncidentMark, IncidentState } from './incident-mark.ts'
import type { Incident } from './incident.ts'

const NOON = Date.parse('2026-11-17T12:00:00Z')
const HOUR_MS = 3_600_000

/** On the day of noon and the one before, with an excess of 100. */
const INCIDENT: Incident = {
  id: 'msg_1',
  at: NOON - 24 * HOUR_MS,
  subjects: [{ kind: 'dim', name: 'team=search' }],
  jumps: [
    { day: '2026-11-16', spent: 60n, usual: 10n },
    { day: '2026-11-17', spent: 60n, usual: 10n },
  ],
  largest: 12n,
  days: 28,
}
const said = { at: NOON, by: 'ada' }
const known: IncidentMark = { kind: 'acknowledged', ...said }
const later = (hours: number, excess: bigint): IncidentMark => {
  return { kind: 'snoozed', ...said, until: NOON + hours * HOUR_MS, excess }
}

const ROWS: readonly (readonly [
  title: string,
  mark: IncidentMark | null,
  hours: number,
  IncidentState,
])[] = [
  ['nobody has said anything', null, 0, 'open'],
  ['it is known', known, 0, 'acknowledged'],
  ['it is known, and the next day without a jump goes on', known, 35.9, 'acknowledged'],
  ['a full day without a jump has passed', known, 36, 'over'],
  ['the same without a word', null, 36, 'over'],
  ['not now', later(2, 100n), 1.9, 'snoozed'],
  ['the time has come', later(2, 100n), 2, 'open'],
  ['it has doubled', later(2, 50n), 0, 'snoozed'],
  ['it has more than doubled', later(2, 49n), 0, 'open'],
  ['snoozed for longer than it goes on', later(99, 100n), 36, 'over'],
]

for (const [title, mark, hours, state] of ROWS) {
  test(`${title}: ${state}`, () => {
    assert.equal(stateOf(INCIDENT, mark, NOON + hours * HOUR_MS), state)
  })
}
