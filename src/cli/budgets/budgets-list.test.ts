import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine, MAIL_SETTINGS } from '../../../test/fakes/command-line.ts'
import { withUsage } from '../../../test/fakes/stored-calls.ts'
import type { BudgetRow } from '../../api/contract.ts'
import { formatBudgets } from './budget-view.ts'
import { formatMembers } from './member-view.ts'

const USD = 10n ** 12n

// Whoever runs the tests may have set them.
beforeEach(() => {
  for (const name of ['LC_ALL', 'TERM']) delete process.env[name]
  process.env['NO_COLOR'] = '1'
})

test('the list is a table with bars, forecasts and warnings', async (context) => {
  const { weir, json, dataDir, clock } = createCommandLine(context, { settings: MAIL_SETTINGS })
  clock.nowMs = Date.UTC(2026, 0, 16)
  await withUsage(dataDir, (usage) =>
    usage.writeBatch(
      batchOf(
        createRecord({ endedAt: Date.UTC(2025, 11, 31) }, { amount: 0n }),
        createRecord({ endedAt: clock.nowMs - 1, dims: { team: 'search' } }, { amount: 60n * USD }),
        createRecord({ endedAt: clock.nowMs }, { amount: USD / 100n }),
        createRecord({ endedAt: clock.nowMs, provider: 'openai' }, { amount: 0n }),
        createRecord({ endedAt: clock.nowMs }, { amount: null, source: 'unpriced' }),
      ),
    ),
  )
  const made: BudgetRow[] = []
  for (const words of [
    '--name all --limit-usd 1000 --period month --scope global',
    '--name search --limit-usd 59.99 --period week --scope dim:team=search --block ' +
      '--email a@b.example --email c@b.example --webhook https://8.8.8.8/',
    '--name day --limit-usd 0.01 --period day --scope global',
    '--name none --limit-usd 5 --period day --scope provider=openai',
  ]) {
    made.push(await json<BudgetRow>('budgets', 'create', ...words.split(' ')))
  }
  const [all, search, day, none] = made.map(({ id }) => id)
  const { code, out } = await weir('budgets', 'list')
  assert.equal(code, 0)
  assert.equal(
    out,
    [
      'ID                    NAME    SCOPE            PERIOD  SPENT    OF USD   USED              FORECAST  AT 100 %      TARGETS',
      `${all}  all     global           month   60.01  1,000.00  6.0 %  #             124.02  alert         none`,
      `${search}  search  dim:team=search  week    60.00     59.99  100 %  ##########    105.00  block (now)   1 webhook, 2 email`,
      `${day}  day     global           day      0.01      0.01  100 %  ##########            alert (over)  none`,
      `${none}  none    provider=openai  day      0.00      5.00    0 %                        alert         none`,
      '',
      `Warning: ${all} (all) spent more than shown: 1 call has no price.`,
      `Warning: ${day} (day) spent more than shown: 1 call has no price.`,
      'weir prices missing shows which models they used.',
      '',
      'As of 2026-01-16 00:00Z. Days, weeks and months are UTC.',
    ].join('\n'),
  )
  const { budgets } = await json<{ budgets: readonly BudgetRow[] }>('budgets', 'list')
  assert.deepEqual(
    budgets.map(({ id, unpriced_requests: unpriced }) => [id, unpriced]),
    [
      [all, 1],
      [search, 0],
      [day, 1],
      [none, 0],
    ],
  )
})

test('an empty list says how to make the first budget', async (context) => {
  const { weir, json } = createCommandLine(context)
  assert.match((await weir('budgets', 'list')).out, /weir budgets create --name NAME --limit-usd/)
  assert.deepEqual(await json('budgets', 'list'), { budgets: [] })
})

const ROW: BudgetRow = {
  id: 'bud_0123456789abcdef',
  name: 'search',
  scope: 'global',
  scope_name: null,
  default_of: null,
  period: 'month',
  limit_usd: 100,
  each: 'none',
  targets_only: false,
  thresholds: [100],
  blocking: true,
  created_at: '2026-01-01T00:00:00.000Z',
  version: 1,
  period_start: '2026-01-01T00:00:00.000Z',
  period_end: '2026-02-01T00:00:00.000Z',
  spent_usd: 0,
  spent_percent: 0,
  is_exceeded: false,
  members: null,
  forecast_usd: null,
  forecast_from: null,
  unpriced_requests: 0,
  unknown_cost_usd: 0,
  running_calls: null,
  reserved_usd: null,
  overshoot_max_usd: null,
  targets: [],
}

test('what is nothing is not shown as nothing, and 100 % not before it is reached', () => {
  const show = (percent: number): string | undefined =>
    /(<?[\d.,]+ %) {2}/.exec(
      formatBudgets([{ ...ROW, spent_percent: percent }], true).split('\n')[1] ?? '',
    )?.[1]
  assert.equal(show(0), '0 %')
  assert.equal(show(0.01), '0.010 %')
  assert.equal(show(99.99), '99.99 %')
  assert.equal(show(100), '100 %')
  assert.equal(show(1234.56), '1,235 %')
})

test('a dimension value cannot rewrite the terminal', () => {
  const text = formatBudgets([{ ...ROW, scope: 'dim:team=a\u202eb', name: '\u200b' }], true)
  assert.ok(!/[\p{Cf}]/u.test(text))
})

test('a terminal that can is given bars of blocks', () => {
  assert.match(formatBudgets([{ ...ROW, spent_percent: 25 }], false), /25 % {2}██▌ /)
})

test('members of a budget for each are listed, who has used most first', () => {
  const each: BudgetRow = { ...ROW, each: 'key', members: { spending: 2, near: 1, over: 1 } }
  assert.match(formatBudgets([each], true), /each key, global .* block \(1 over, 1 near\)/)
  const member = {
    kind: 'key',
    id: 'svc_k_1',
    name: 'ci-bot',
    spent_usd: 120,
    limit_usd: 100,
  } as const
  const figures = { spent_percent: 120, is_exceeded: true, unpriced_requests: 1 }
  const table = formatMembers([{ ...member, ...figures, unknown_cost_usd: 0 }], each, true)
  assert.match(table, /^KEY +ID +SPENT +OF USD +USED/)
  assert.match(table, /ci-bot +svc_k_1 +120(?:\.00)? .*blocked, 1 call without a price/)
})
