import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UsageBreakdown } from '../../../client/weir-client.js'
import type { UsageRow } from '../../api/contract.ts'
import type { UsageQuestion } from './usage-question.ts'
import { formatAnswer } from './usage-table.ts'
import type { UsageAnswer } from './usage-table.ts'
import { describeQuestion } from './usage-words.ts'

const PLAIN = { columns: 60, isPlain: true }
const AS_OF = '2026-01-31T12:00:00.000Z'

const row = (label: string, value: number, more: Partial<UsageRow> = {}): UsageRow => ({
  label,
  value,
  bucket: null,
  model: null,
  requests: null,
  tokens: null,
  ...more,
})

function answer(
  question: UsageQuestion,
  rows: readonly UsageRow[],
  more: Partial<UsageBreakdown & Pick<UsageAnswer, 'keyNames'>> = {},
): UsageAnswer {
  const asked = { metric: 'cost_usd', window: 'month_to_date', ...question }
  const sum = rows.reduce((total, { value }) => total + value, 0)
  const { keyNames = new Map(), total = sum, untagged = null } = more
  const envelope = { asOf: AS_OF, rows, total, untagged, repriced: [] }
  return { question: asked, envelope, keyNames }
}

const lines = (...text: readonly string[]): string => text.join('\n')

test('a breakdown has shares of all that was spent, and says what is not shown', () => {
  const asked = answer({ dimension: 'model' }, [row('large', 6), row('small', 1.5)], { total: 12 })
  assert.equal(
    formatAnswer(asked, PLAIN),
    lines(
      'MODEL    USD  SHARE',
      'large   6.00   50 %  #######################################',
      'small   1.50   13 %  ##########',
      'Other   4.50   38 %',
      'total  12.00  100 %',
    ),
  )
  const eighths = formatAnswer(asked, { columns: 60, isPlain: false })
  assert.match(eighths, /13 % {2}█████████▊$/m)
})

test('bars are left out where the terminal has no room for them, and labels are cut', () => {
  const label = 'a-model-with-a-very-long-name-of-its-own'
  const asked = answer({ dimension: 'model' }, [row(label, 1)])
  const narrow = formatAnswer(asked, { columns: 30, isPlain: true })
  assert.match(narrow, /^a-model-with-a…  1\.00/m)
  assert.doesNotMatch(narrow, /#/)
})

test('what callers wrote cannot rewrite the terminal', () => {
  const asked = answer({ dimension: 'dim', dim_key: 'team' }, [row('a\u001b[2J\nb', 1)])
  const text = formatAnswer(asked, PLAIN)
  assert.equal(text.split('\n').length, 3)
  assert.ok(!text.includes('\u001b'))
})

test('pairs of a dimension and a model have their counts', () => {
  const pair = row('search', 0.25, { model: 'large', requests: 1200, tokens: 1_234_567 })
  const question = { dimension: 'dim_model', dim_key: 'team' }
  const text = formatAnswer(answer(question, [pair], { total: 1, untagged: 0.5 }), PLAIN)
  assert.equal(
    text,
    lines(
      'TEAM          MODEL   USD  SHARE  REQUESTS     TOKENS',
      'search        large  0.25   25 %     1,200  1,234,567',
      'Other                0.25   25 %',
      'Without team         0.50   50 %',
      'total                1.00  100 %',
    ),
  )
})

test('keys are told by id, with their names where these are known', () => {
  const rows = [row('svc_k_a', 2), row('svc_k_b', 1)]
  const keyNames = new Map([['svc_k_a', 'search team']])
  const named = formatAnswer(answer({ dimension: 'api_key' }, rows, { keyNames }), PLAIN)
  assert.match(named, /^API KEY {2}NAME +USD/)
  assert.match(named, /^svc_k_a {2}search team +2\.00/m)
  const unnamed = formatAnswer(answer({ dimension: 'api_key' }, rows), PLAIN)
  assert.match(unnamed, /^API KEY {2} *USD/)
})

test('days are a line and a table', () => {
  const days = [row('2026-01-29', 0), row('2026-01-30', 2), row('2026-01-31', 1)]
  const question = { window: 'last_7_days', dimension: 'day' }
  assert.equal(
    formatAnswer(answer(question, days), { columns: 30, isPlain: true }),
    lines(
      '_#=  3.00 USD in total, most on 2026-01-30: 2.00',
      '',
      'DAY          USD',
      '2026-01-29  0.00',
      '2026-01-30  2.00  ############',
      '2026-01-31  1.00  ######',
    ),
  )
})

test('months are a line for each provider and a table', () => {
  const rows = [
    row('north', 2, { bucket: '2025-12-01' }),
    row('south', 0, { bucket: '2025-12-01' }),
    row('south', 8, { bucket: '2026-01-01' }),
    row('north', 4, { bucket: '2026-01-01' }),
  ]
  const question = { window: 'monthly_series', dimension: 'provider' }
  assert.equal(
    formatAnswer(answer(question, rows), { columns: 34, isPlain: true }),
    lines(
      'south  _#  8.00 USD in total',
      'north  =#  6.00 USD in total',
      '',
      'MONTH    PROVIDER   USD',
      '2025-12  north     2.00  ##',
      '         south     0.00',
      '2026-01  south     8.00  #########',
      '         north     4.00  #####',
    ),
  )
})

test('totals are a number with its unit', () => {
  assert.equal(formatAnswer(answer({}, [row('total', 0.0042)]), PLAIN), '0.0042 USD')
  const tokens = answer({ metric: 'tokens' }, [row('total', 1234567)])
  assert.equal(formatAnswer(tokens, PLAIN), '1,234,567')
})

test('nothing is told as such, with what to do', () => {
  const none = 'No calls with a cost are on record.\nSend calls through the proxy with a key: '
  const day = { window: 'last_7_days', dimension: 'day' }
  for (const [question, rows] of [
    [{}, [row('total', 0)]],
    [{ dimension: 'model' }, []],
    [day, [row('2026-01-31', 0)]],
  ] as const) {
    assert.ok(formatAnswer(answer(question, rows), PLAIN).startsWith(none))
  }
  const team = { dimension: 'dim', dim_key: 'team' }
  const untagged = formatAnswer(answer(team, []), PLAIN)
  assert.match(untagged, /^No call has the dimension team\.\n.*X-SVC-Dims: team=VALUE/)
  const free = formatAnswer(answer(team, [row('search', 0)], { total: 0 }), PLAIN)
  assert.match(free, /^search +0\.00$/m)
})

test('a question has a name', () => {
  for (const [question, name] of [
    [{ metric: 'cost_usd', window: 'month_to_date' }, 'Cost, month to date (2026-01)'],
    [{ metric: 'requests', window: 'today' }, 'Requests, today (2026-01-31)'],
    [
      { metric: 'cost_usd', window: 'month', month: '2025-12', dimension: 'dim', dim_key: 'team' },
      'Cost by team, 2025-12',
    ],
    [
      { metric: 'cost_usd', window: 'last_30_days', dimension: 'day', api_key: 'svc_k_a' },
      'Cost by day, last 30 days, key svc_k_a',
    ],
    [
      { metric: 'cost_usd', window: 'monthly_series', dimension: 'provider' },
      'Cost by provider, the last 12 months',
    ],
  ] as const) {
    assert.equal(describeQuestion(question, AS_OF), name)
  }
})
