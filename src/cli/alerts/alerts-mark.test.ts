import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { IncidentChange } from '../../api/contract.ts'
import { toIncidentAlert } from '../../core/alerts/incident-alert.ts'
import { openSettingsStore } from '../../store/open-store.ts'

const USD = 10n ** 12n
const HOUR_MS = 3_600_000

/** An incident of today, 2026-01-31. */
async function openScene(context: TestContext) {
  const line = createCommandLine(context)
  const { dataDir, clock, json } = line
  await json('alerts', 'list')
  const now = (): number => clock.nowMs
  const settings = await openSettingsStore({ dataDir, clock: { now, monotonic: now } })
  const jump = { day: '2026-01-31', spent: 90n * USD, usual: 20n * USD }
  const subjects = [{ kind: 'dim', name: 'team=search' }] as const
  const figures = { largest: 25n * USD, days: 28 }
  const alert = toIncidentAlert({ id: 'msg_1', at: now(), subjects, jumps: [jump], ...figures })
  await settings.alerts.take([alert], 1)
  await settings.close()
  return line
}

test('an incident is snoozed, acknowledged and reopened, and the list shows by whom', async (context) => {
  const { weir, json, clock } = await openScene(context)
  const showList = async (): Promise<string> => (await weir('alerts', 'list')).out
  assert.match(await showList(), /^ {2}Open\.$/m)
  assert.match(await showList(), /^ {2}Its calls in the console: \/requests\?dim_key=team&/m)
  const snoozed = await json<IncidentChange>('alerts', 'snooze', 'msg_1', '--until', '4h')
  const until = new Date(clock.nowMs + 4 * HOUR_MS).toISOString()
  assert.deepEqual([snoozed.state, snoozed.snoozed_until], ['snoozed', until])
  assert.match(await showList(), /^ {2}Snoozed by .+ until 2026-01-31 16:00Z\.$/m)
  const { out } = await weir('alerts', 'acknowledge', 'msg_1')
  assert.equal(out, 'The incident is acknowledged.')
  assert.match(await showList(), /^ {2}Acknowledged by .+, 2026-01-31 12:00Z\.$/m)
  assert.equal((await weir('alerts', 'reopen', 'msg_1')).out, 'The incident is open.')
  clock.nowMs += 36 * HOUR_MS
  assert.match(await showList(), /^ {2}Over\.$/m)
})

test('what cannot be done is refused with the reason, and what cannot be meant too', async (context) => {
  const { weir, clock } = await openScene(context)
  const rows: readonly (readonly [words: string, code: number, RegExp])[] = [
    ['alerts snooze msg_1', 2, /--until is missing/],
    ['alerts snooze msg_1 --until yesterday', 2, /not a date or time/],
    ['alerts snooze msg_1 --until 31d', 2, /at most 30 days away/],
    ['alerts snooze msg_1 --until 2026-01-31', 2, /not in the future/],
  ]
  for (const [words, code, text] of rows) {
    const outcome = await weir(...words.split(' '))
    assert.deepEqual([outcome.code, outcome.out], [code, ''], words)
    assert.match(outcome.err, text)
  }
  clock.nowMs += 36 * HOUR_MS
  const late = await weir('alerts', 'acknowledge', 'msg_1')
  assert.equal(late.code, 1)
  assert.match(late.err, /This incident is over/)
})
