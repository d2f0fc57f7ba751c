import assert from 'node:assert/strict'
import { test } from 'node:test'

import { PLAIN_BUDGET, PLAIN_KEY } from '../../test/contracts/settings-scene.ts'
import type { Alert } from '../core/alert.ts'
import { toThresholdAlert } from '../core/alerts/budget-alert.ts'
import { spanOf } from '../core/budget.ts'
import type { Budget } from '../core/budget.ts'
import { toCounter } from '../core/budgets/each-budget.ts'
import { openSettingsStore } from '../store/open-store.ts'
import { createMemberNames } from './member-names.ts'
import { toAlertText } from './alert-text.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '../core/clock.ts'

const AT = Date.UTC(2026, 10, 17, 9, 30)
const USD = 10n ** 12n

function crossing(change: Partial<Budget>, member: string | null): Alert {
  const own = { ...PLAIN_BUDGET, id: 'bud_0123456789abcdef', createdAt: 0, version: 0 }
  const budget = { ...own, name: 'Search', limit: 50n * USD, ...change }
  const crossed = { span: spanOf('month', AT), percent: 100, spent: 50n * USD, at: AT }
  return toThresholdAlert(member === null ? budget : toCounter(budget, member), crossed)
}

test('an alert names the key whose own limit was reached, and others stay as they are', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-names-'))
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  t.after(async () => {
    await settings.close()
    rmSync(dataDir, { recursive: true })
  })
  const { key } = await settings.keys.create({ ...PLAIN_KEY, name: 'ci-bot' })
  const alerts = [
    crossing({ each: 'key', isBlocking: true }, key.id),
    crossing({ each: 'person' }, 'user_0000000000000000'),
    crossing({}, null),
    { id: 'msg_1', kind: 'alert.test', budgetId: null, at: AT, body: '{}' } as const,
  ]
  const [named, unknown, ...others] = await createMemberNames(settings)(alerts)
  assert.deepEqual(others, alerts.slice(2))
  assert.ok(named !== undefined && unknown !== undefined)
  const { data } = JSON.parse(named.body)
  assert.deepEqual(data.member, { kind: 'key', id: key.id, name: 'ci-bot' })
  assert.deepEqual([data.budget.id, data.budget.each], ['bud_0123456789abcdef', 'key'])
  assert.deepEqual([named.id, named.budgetId], [alerts[0]?.id, 'bud_0123456789abcdef'])
  const text = toAlertText(named)
  assert.equal(text.title, 'Weir: the key "ci-bot" has reached 100 % of the budget "Search"')
  assert.equal(
    text.paragraph,
    'The key "ci-bot" has reached 100 % of its limit under the budget "Search": $50.00 of $50.00 spent this month. Its calls are refused until 2026-12-01 00:00 UTC.',
  )
  assert.equal(text.details[0], `Whose limit: ${key.id}`)
  assert.match(toAlertText(unknown).title, /the person "user_0000000000000000" has reached/)
})
