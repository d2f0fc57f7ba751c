import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine, MAIL_SETTINGS } from '../../../test/fakes/command-line.ts'
import { openSettingsStore } from '../../store/open-store.ts'
import type { SettingsStore } from '../../store/open-store.ts'
import { alertRowSchema } from '../../api/contract.ts'
import type { AlertRow, BudgetRow } from '../../api/contract.ts'
import { createAlertId } from '../../core/alert.ts'
import { spanOf } from '../../core/budget.ts'
import { toBody, toThresholdAlert } from '../../core/alerts/budget-alert.ts'

const MINUTE_MS = 60_000
const USD = 10n ** 12n

async function withLog(
  dataDir: string,
  nowMs: number,
  use: (settings: SettingsStore) => Promise<void>,
): Promise<void> {
  const clock = { now: () => nowMs, monotonic: () => nowMs }
  const settings = await openSettingsStore({ dataDir, clock })
  try {
    await use(settings)
  } finally {
    await settings.close()
  }
}

test('the log shows each alert in words, to whom it went, and what came of it', async (context) => {
  const { weir, json, dataDir, clock } = createCommandLine(context, { settings: MAIL_SETTINGS })
  const at = clock.nowMs
  const { id } = await json<BudgetRow>(
    ...[
      ['budgets', 'create', '--name', 'search', '--limit-usd', '10', '--period', 'day'],
      ['--scope', 'global', '--webhook', 'https://8.8.8.8/weir', '--email', 'a@b.example'],
    ].flat(),
  )
  await withLog(dataDir, at, async ({ budgets, alerts, targets }) => {
    const budget = await budgets.find(id)
    assert.ok(budget !== null)
    const crossing = { span: spanOf('day', at), percent: 80, spent: 8n * USD, at }
    const threshold = toThresholdAlert(budget, crossing)
    const body = toBody('spend.anomaly', at - MINUTE_MS, {})
    const anomaly = { id: createAlertId('x'), budgetId: null, at: at - MINUTE_MS, body }
    await alerts.take([{ ...anomaly, kind: 'spend.anomaly' }, threshold], 2)
    const [webhook, mail] = await targets.list()
    const toWebhook = { alertId: threshold.id, targetId: webhook?.id ?? '' }
    for (const n of [1, 2, 3]) {
      const attempt = { at: at + n * MINUTE_MS, isDelivered: false, detail: `50${n}\u001b` }
      await alerts.noteAttempt(toWebhook, attempt, at + 9 * MINUTE_MS)
    }
    const last = { at: at + 4 * MINUTE_MS, isDelivered: true, detail: '204' }
    await alerts.noteAttempt(toWebhook, last, null)
    const failed = { at: at + MINUTE_MS, isDelivered: false, detail: 'no SMTP server' }
    const toMail = { alertId: threshold.id, targetId: mail?.id ?? '' }
    await alerts.noteAttempt(toMail, failed, at + 2 * MINUTE_MS)
  })

  const { code, out } = await weir('alerts', 'list')
  assert.equal(code, 0)
  assert.equal(
    out.replaceAll(/msg_[0-9a-f]{32}/g, 'msg_ID'),
    [
      '2026-01-31 12:00Z  msg_ID',
      '  The budget "search" has reached 80 % of its limit: $8.00 of $10.00 spent this day. It resets at 2026-02-01 00:00 UTC.',
      '  webhook https://8.8.8.8/weir: delivered',
      '    … 1 earlier',
      '    2026-01-31 12:02Z  502�',
      '    2026-01-31 12:03Z  503�',
      '    2026-01-31 12:04Z  204',
      '  email a@b.example: pending, next attempt 2026-01-31 12:02Z',
      '    2026-01-31 12:01Z  no SMTP server',
      '',
      '2026-01-31 11:59Z  msg_ID',
      '  The spender ? spent $? on ?, far more than usual: half of the 0 days it is compared with were at or below $?, and the most expensive was $?.',
      '  Not sent: it had no target.',
    ].join('\n'),
  )

  const { alerts } = await json<{ alerts: readonly AlertRow[] }>('alerts', 'list', '--budget', id)
  assert.equal(alerts.length, 1)
  const row = alertRowSchema.parse(alerts[0])
  assert.equal(row.type, 'budget.threshold')
  assert.deepEqual(
    row.deliveries.map(({ state, attempts }) => [state, attempts.length]),
    [
      ['delivered', 4],
      ['pending', 1],
    ],
  )
  assert.match(
    (await weir('alerts', 'list', '--limit', '1')).out,
    /\n\nThere are older ones: --limit/,
  )
})

test('an empty log says so, and a limit that is none is refused', async (context) => {
  const { weir, json } = createCommandLine(context)
  assert.match((await weir('alerts', 'list')).out, /^There are no alerts\. weir budgets list/)
  assert.deepEqual(await json('alerts', 'list'), { alerts: [] })
  for (const limit of ['0', '201', 'all']) {
    const { code, err } = await weir('alerts', 'list', '--limit', limit)
    assert.equal(code, 2)
    assert.match(err, /--limit must be an integer from 1 to 200/)
  }
})
