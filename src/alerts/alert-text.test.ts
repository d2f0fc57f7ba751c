import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Alert, AlertKind, AlertTarget } from '../core/alert.ts'
import type { Budget } from '../core/budget.ts'
import { spanOf } from '../core/budget.ts'
import { toBody, toForecastAlert, toThresholdAlert } from '../core/alerts/budget-alert.ts'
import { toFailingAlert, toRecoveredAlert } from './journal-alert.ts'
import { toAlertText } from './alert-text.ts'
import { toTestAlert } from './test-alert.ts'

const AT = Date.UTC(2026, 10, 17, 9, 30)
const USD = 10n ** 12n

function budgetOf(change: Partial<Budget> = {}): Budget {
  return {
    id: 'bud_0123456789abcdef',
    name: 'Search',
    scope: { kind: 'dim', key: 'team', value: 'search' },
    period: 'month',
    limit: 100n * USD,
    thresholds: [80],
    each: 'none',
    isTargetsOnly: false,
    isBlocking: false,
    createdAt: 0,
    version: 1,
    ...change,
  }
}

function crossing(budget: Budget, percent: number): Alert {
  const span = spanOf(budget.period, AT)
  const spent = (budget.limit * BigInt(percent)) / 100n
  return toThresholdAlert(budget, { span, percent, spent, at: AT })
}

function anomaly(subject: { kind: string; name: string }, more: object = {}): Alert {
  const figures = { spent_usd: 120, usual_usd: 9.5, largest_usd: 14.25, days: 28 }
  const body = toBody('spend.anomaly', AT, { subject, day: '2026-11-17', ...figures, ...more })
  return { id: 'msg_1', kind: 'spend.anomaly', budgetId: null, at: AT, body }
}

const KEY = { kind: 'api_key', name: 'svc_k_1' }
const TEAM = { kind: 'dim', name: 'team=search' }
const MODEL = { kind: 'model', name: 'openai/gpt-5' }

const TARGET: AlertTarget = {
  id: 'tgt_1',
  kind: 'email',
  address: 'team@example.com',
  budgetId: null,
  secret: null,
  createdAt: 0,
}

const JOURNAL_SITE = { host: 'mill-1', directory: 'weir-data', onFull: 'go-on' } as const
const REFUSAL = { since: AT - 60_000, reason: 'ENOSPC' }

function recovered(lost: number | null): Alert {
  const outage = { since: AT - 60_000, endedAt: AT, lost }
  return toRecoveredAlert(JOURNAL_SITE, outage, AT)
}

const ROWS: readonly (readonly [alert: Alert, title: string, paragraph: string])[] = [
  [
    crossing(budgetOf(), 80),
    'Weir: the budget "Search" has reached 80 %',
    'The budget "Search" has reached 80 % of its limit: $80.00 of $100.00 spent this month. It resets at 2026-12-01 00:00 UTC.',
  ],
  [
    crossing(budgetOf({ isBlocking: true, period: 'day' }), 100),
    'Weir: the budget "Search" has reached 100 %',
    'The budget "Search" has reached 100 % of its limit: $100.00 of $100.00 spent this day. Calls in its scope are refused until 2026-11-18 00:00 UTC.',
  ],
  [
    crossing(budgetOf({ isBlocking: true, period: 'week', limit: USD / 200n }), 50),
    'Weir: the budget "Search" has reached 50 %',
    'The budget "Search" has reached 50 % of its limit: $0.0025 of $0.005 spent this week. It resets at 2026-11-23 00:00 UTC.',
  ],
  [
    toForecastAlert(budgetOf(), {
      span: spanOf('month', AT),
      spent: 60n * USD,
      forecast: 109n * USD,
      at: AT,
    }),
    'Weir: the budget "Search" is expected to be exceeded',
    'The budget "Search" is expected to reach $109.00 when its month ends at 2026-12-01 00:00 UTC, above its limit of $100.00. So far, $60.00 has been spent.',
  ],
  [
    anomaly({ kind: 'model', name: 'openai/gpt-5' }),
    'Weir: unusual spend by the model openai/gpt-5',
    'The model openai/gpt-5 spent $120.00 on 2026-11-17, far more than usual: half of the 28 days it is compared with were at or below $9.50, and the most expensive was $14.25.',
  ],
  [
    anomaly({ kind: 'dim', name: 'team=search' }),
    'Weir: unusual spend by the dimension value team=search',
    'The dimension value team=search spent $120.00 on 2026-11-17, far more than usual: half of the 28 days it is compared with were at or below $9.50, and the most expensive was $14.25.',
  ],
  [
    anomaly(KEY, { subjects: [KEY, TEAM, MODEL], first_day: '2026-11-15', excess_usd: 301.5 }),
    'Weir: unusual spend by the key svc_k_1',
    'The key svc_k_1 spent $120.00 on 2026-11-17, far more than usual: half of the 28 days it is compared with were at or below $9.50, and the most expensive was $14.25. Since 2026-11-15 that is $301.50 above the usual. Its calls are also why more than usual was spent on the dimension value team=search, the model openai/gpt-5.',
  ],
  [
    anomaly(KEY, { subjects: [KEY, ...Array.from({ length: 7 }, () => TEAM)] }),
    'Weir: unusual spend by the key svc_k_1',
    `The key svc_k_1 spent $120.00 on 2026-11-17, far more than usual: half of the 28 days it is compared with were at or below $9.50, and the most expensive was $14.25. Its calls are also why more than usual was spent on ${Array.from({ length: 5 }, () => 'the dimension value team=search').join(', ')} and 2 more.`,
  ],
  [
    toTestAlert(TARGET, AT),
    'Weir: test alert',
    'This is a test from Weir. Alerts will reach you here.',
  ],
  [
    toFailingAlert(JOURNAL_SITE, REFUSAL, AT),
    'Weir: the disk of mill-1 does not take the journal',
    "The disk of mill-1 has not taken Weir's journal since 2026-11-17 09:29 UTC (ENOSPC). Calls go on, but what does not fit into memory will not be recorded. Free space on the disk of the data directory, weir-data.",
  ],
  [
    toFailingAlert({ ...JOURNAL_SITE, onFull: 'refuse' }, REFUSAL, AT),
    'Weir: the disk of mill-1 does not take the journal',
    "The disk of mill-1 has not taken Weir's journal since 2026-11-17 09:29 UTC (ENOSPC). Calls are refused until it does. Free space on the disk of the data directory, weir-data.",
  ],
  [
    recovered(0),
    'Weir: the disk of mill-1 takes the journal again',
    "The disk of mill-1 takes Weir's journal again. It did not from 2026-11-17 09:29 UTC to 2026-11-17 09:30 UTC. No call was lost.",
  ],
  [
    recovered(12),
    'Weir: the disk of mill-1 takes the journal again',
    "The disk of mill-1 takes Weir's journal again. It did not from 2026-11-17 09:29 UTC to 2026-11-17 09:30 UTC. Since this Weir was set up, 12 calls are on no record: compare the month with the provider's bill.",
  ],
  [
    recovered(null),
    'Weir: the disk of mill-1 takes the journal again',
    "The disk of mill-1 takes Weir's journal again. It did not from 2026-11-17 09:29 UTC to 2026-11-17 09:30 UTC. Whether calls were lost could not be read: weir doctor shows it.",
  ],
]

for (const [alert, title, paragraph] of ROWS) {
  test(`says: ${paragraph}`, () => {
    const text = toAlertText(alert)
    assert.equal(text.title, title)
    assert.equal(text.paragraph, paragraph)
  })
}

test('the details tell which budget it is and what it covers', () => {
  assert.deepEqual(toAlertText(crossing(budgetOf({ isBlocking: true }), 80)).details, [
    'Budget: bud_0123456789abcdef',
    'Scope: dim:team=search',
    'At the limit: calls are refused',
  ])
})

const HOSTILE = 'a\r\nBcc: x@example.com\u0000\u001b[31m\u2028\u2029\u202e\u0085\ud800 end'

test('a name that holds anything makes no new line, no header and no escape', () => {
  const scope = { kind: 'dim', key: 'team', value: HOSTILE } as const
  const alerts = [
    crossing(budgetOf({ name: HOSTILE, scope }), 80),
    anomaly(
      { kind: 'api_key', name: HOSTILE },
      { subjects: [KEY, { kind: HOSTILE, name: HOSTILE }] },
    ),
  ]
  for (const alert of alerts) {
    const { title, paragraph, details } = toAlertText(alert)
    for (const line of [title, paragraph, ...details]) {
      assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      assert.ok(line.isWellFormed())
    }
    assert.match(title, /a Bcc: x@example\.com \[31m .? ?end/u)
  }
})

test('a name that is very long is cut', () => {
  for (const name of ['x'.repeat(10_000), `x${'😀'.repeat(10_000)}`]) {
    const { title } = toAlertText(crossing(budgetOf({ name }), 80))
    assert.ok(title.length < 300)
    assert.ok(title.isWellFormed())
  }
})

test('a body of another version is told as far as it goes', () => {
  for (const kind of ['budget.threshold', 'budget.forecast', 'spend.anomaly'] as AlertKind[]) {
    const text = toAlertText({ id: 'msg_1', kind, budgetId: null, at: AT, body: '{"type":"x"}' })
    assert.match(text.title, /^Weir: /)
  }
})
