import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertRow } from '../../../../src/api/contract.ts'
import { toAlertWords, toDeliveryWords, toIncidentWords } from './alert-words.ts'

const AT = '2026-11-17T14:03:27.512Z'
const BUDGET = { id: 'bud_1', name: 'Search team', period: 'month', limit_usd: 100 }

function createAlert(type: AlertRow['type'], data: Record<string, unknown>): AlertRow {
  const body = { type, timestamp: AT, data }
  return { id: 'msg_1', type, budget_id: null, at: AT, body, incident: null, deliveries: [] }
}

test('an alert is shown with its figures, an incident with all its days and subjects', () => {
  const names = new Map([['svc_k_abcdefgh', 'Batch jobs']])
  const anomaly = {
    day: '2026-11-17',
    spent_usd: 61.4,
    usual_usd: 3.2,
    largest_usd: 5.75,
    days: 28,
  }
  const cases: readonly (readonly [AlertRow, title: string, text: string])[] = [
    [
      createAlert('budget.threshold', { budget: BUDGET, threshold_percent: 80, spent_usd: 80.01 }),
      'Search team reached 80 %',
      '$80.01 of $100.00 spent in the month.',
    ],
    [
      createAlert('budget.threshold', {
        budget: BUDGET,
        threshold_percent: 100,
        spent_usd: 101,
        blocking: true,
      }),
      'Search team reached 100 %',
      '$101.00 of $100.00 spent in the month. Its calls are now refused.',
    ],
    [
      createAlert('budget.forecast', { budget: BUDGET, spent_usd: 30, forecast_usd: 112.5 }),
      'Search team is forecast to exceed its limit',
      '$30.00 spent by then. At that pace the month will cost $112.50; the limit is $100.00.',
    ],
    [
      createAlert('spend.anomaly', {
        ...anomaly,
        subject: { kind: 'api_key', name: 'svc_k_abcdefgh' },
      }),
      'Key Batch jobs spent far more than usual',
      '$61.40 on 17 Nov, 19 × the usual day. In the 28 days before: typically $3.20, at most $5.75.',
    ],
    [
      createAlert('spend.anomaly', {
        ...anomaly,
        subject: { kind: 'api_key', name: 'svc_k_abcdefgh' },
        subjects: [
          { kind: 'api_key', name: 'svc_k_abcdefgh' },
          { kind: 'dim', name: 'team=search' },
          { kind: 'model', name: 'openai/o3' },
        ],
        first_day: '2026-11-15',
        excess_usd: 120.6,
      }),
      'Key Batch jobs spent far more than usual',
      '$61.40 on 17 Nov, 19 × the usual day. In the 28 days before: typically $3.20, at most $5.75. Since 15 Nov: $120.60 above the usual. Same calls: team=search, openai/o3.',
    ],
    [
      createAlert('spend.anomaly', {
        ...anomaly,
        usual_usd: 0,
        subject: { kind: 'dim', name: 'team=search' },
      }),
      'team=search spent far more than usual',
      '$61.40 on 17 Nov. In the 28 days before: typically $0.00, at most $5.75.',
    ],
  ]
  for (const [alert, title, text] of cases) {
    const words = toAlertWords(alert, names)
    assert.deepEqual([words.title, words.text], [title, text])
  }
})

test('an incident leads to its calls within this console, and nowhere else', () => {
  const path = '/requests?api_key=svc_k_1&from=2026-11-15&to=2026-11-18&sort=cost'
  const cases: readonly (readonly [url: unknown, href: string | undefined])[] = [
    [path, path],
    [`https://weir.example.com${path}`, path],
    ['https://elsewhere.example/sign-in', undefined],
    ['javascript:alert(1)', undefined],
    [null, undefined],
    [undefined, undefined],
  ]
  for (const [calls_url, href] of cases) {
    const alert = createAlert('spend.anomaly', { calls_url, day: '2026-11-17' })
    assert.equal(toAlertWords(alert, new Map()).callsHref, href)
  }
})

test('how an incident stands, and who said so', () => {
  const marked = { marked_at: AT, marked_by: 'ada@example.com' }
  const none = { marked_at: null, marked_by: null, snoozed_until: null }
  const until = '2026-11-18T09:00:00.000Z'
  const by = 'by ada@example.com, 17 Nov 2026, 14:03:27 UTC'
  const cases: readonly (readonly [Partial<AlertRow['incident']>, string, string | null])[] = [
    [{ state: 'open' }, 'Open', null],
    [{ state: 'open', ...marked, snoozed_until: until }, 'Open', `Snoozed ${by}; it is back`],
    [{ state: 'acknowledged', ...marked }, 'Acknowledged', `Acknowledged ${by}`],
    [
      { state: 'snoozed', ...marked, snoozed_until: until },
      'Snoozed until 18 Nov 2026, 09:00:00 UTC',
      `Snoozed ${by}`,
    ],
    [{ state: 'over', ...marked }, 'Over', null],
  ]
  for (const [change, state, mark] of cases) {
    const incident = { excess_usd: 1, ...none, ...change } as AlertRow['incident']
    const words = toIncidentWords({ ...createAlert('spend.anomaly', {}), incident })
    assert.deepEqual([words?.state, words?.mark], [state, mark])
  }
  assert.equal(toIncidentWords(createAlert('budget.threshold', {})), null)
})

test('one target that was not reached outweighs those that were', () => {
  const deliveries = (...states: readonly AlertRow['deliveries'][number]['state'][]) =>
    states.map((state, place) => ({
      target_id: `tgt_${place}`,
      kind: 'webhook' as const,
      address: 'https://example.com/…',
      state,
      next_at: null,
      attempts: [],
    }))
  const cases = [
    [deliveries(), 'Not sent: no target'],
    [deliveries('delivered', 'delivered'), 'Delivered to 2 targets'],
    [deliveries('delivered', 'pending'), 'On its way to 1 target'],
    [deliveries('delivered', 'pending', 'given_up'), '1 target not reached'],
  ] as const
  for (const [given, text] of cases) assert.equal(toDeliveryWords(given).text, text)
})
