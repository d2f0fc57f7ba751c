import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine, MAIL_SETTINGS } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { withUsage } from '../../../test/fakes/stored-calls.ts'
import type { BudgetRow } from '../../api/contract.ts'

const WEBHOOK = 'https://8.8.8.8/weir'

function createBudget({ json }: CommandLine): Promise<BudgetRow> {
  return json<BudgetRow>(
    ...[
      ['budgets', 'create', '--name', 'search', '--limit-usd', '10', '--period', 'day'],
      ['--scope', 'dim:team=search', '--block', '--webhook', WEBHOOK],
    ].flat(),
  )
}

test('an update replaces what it names and keeps the rest', async (context) => {
  const line = createCommandLine(context)
  const lastMonth = createRecord({ endedAt: Date.UTC(2025, 11, 31) })
  await withUsage(line.dataDir, (usage) => usage.writeBatch(batchOf(lastMonth)))
  const { webhook_secret: _secret, ...made } = await createBudget(line)
  const targets = made.targets.map(({ secret: _each, ...target }) => target)
  const words = ['budgets', 'update', made.id]
  const named = await line.json<BudgetRow>(...words, '--name', 'ads')
  assert.deepEqual(named, { ...made, targets, name: 'ads', version: 2 })
  const changed = await line.json<BudgetRow>(
    ...[
      [...words, '--limit-usd', '20.5', '--period', 'week', '--scope', 'provider=openai'],
      ['--at', '90', '--no-block'],
    ].flat(),
  )
  assert.deepEqual(changed, {
    ...named,
    version: 3,
    limit_usd: 20.5,
    period: 'week',
    period_start: '2026-01-26T00:00:00.000Z',
    period_end: '2026-02-02T00:00:00.000Z',
    scope: 'provider=openai',
    thresholds: [90],
    blocking: false,
    unknown_cost_usd: null,
    // Five days of the week are over, and nothing was spent.
    forecast_usd: 0,
    forecast_from: '2026-01-26T00:00:00.000Z',
  })
  const { budgets } = await line.json<{ budgets: readonly BudgetRow[] }>('budgets', 'list')
  assert.deepEqual(budgets, [changed])
})

test('targets are added with their secret shown once, and removed', async (context) => {
  const line = createCommandLine(context, { settings: MAIL_SETTINGS })
  const { id, targets } = await createBudget(line)
  const old = targets[0]?.id ?? ''
  const words = ['budgets', 'update', id, '--remove-target', old]
  const row = await line.json<BudgetRow>(
    ...words,
    '--webhook',
    `${WEBHOOK}/2`,
    '--email',
    'a@b.example',
  )
  assert.deepEqual(
    row.targets.map(({ kind, address, secret }) => [kind, address, secret === row.webhook_secret]),
    [
      ['webhook', `${WEBHOOK}/2`, true],
      ['email', 'a@b.example', false],
    ],
  )
  assert.match(row.webhook_secret ?? '', /^whsec_/)
  const again = await line.weir(...words)
  assert.equal(again.code, 1)
  assert.match(again.err, /^weir budgets update failed \(not_found\)\nbud_\w+ has no target tgt_/)
})

test('a webhook gets a new secret by being removed and added in one call', async (context) => {
  const line = createCommandLine(context)
  const { id, targets, webhook_secret: old } = await createBudget(line)
  const words = ['budgets', 'update', id, '--remove-target', targets[0]?.id ?? '']
  const row = await line.json<BudgetRow>(...words, '--webhook', WEBHOOK)
  assert.equal(row.targets.length, 1)
  assert.ok(row.webhook_secret !== undefined && row.webhook_secret !== old)
})

test('an update that says nothing, contradicts itself or cannot be done changes nothing', async (context) => {
  const line = createCommandLine(context)
  const { id } = await createBudget(line)
  const before = await line.json('budgets', 'list')
  for (const [words, code, message] of [
    [[id], 2, /No change was given/],
    [[id, '--block', '--no-block'], 2, /contradict each other/],
    [[id, '--name', 'ads', '--scope', 'provider=opnai'], 1, /Did you mean openai\?/],
    [[id, '--name', 'ads', '--webhook', 'http://10.0.0.1/'], 1, /10\.0\.0\.1/],
    [[id, '--name', 'ads', '--remove-target', 'tgt_x'], 1, /has no target tgt_x/],
    [[id, '--name', 'ads', '--webhook', WEBHOOK], 1, /is a target already\.\nLeave it out/],
    [['bud_0000000000000000', '--name', 'ads'], 1, /There is no budget bud_0000000000000000\./],
    [[`${id}0`, '--name', 'ads'], 1, new RegExp(`Did you mean ${id}\\?`)],
  ] as const) {
    const result = await line.weir('budgets', 'update', ...words)
    assert.equal(result.code, code, result.err)
    assert.match(result.err, message)
  }
  assert.deepEqual(await line.json('budgets', 'list'), before)
})

test('a deleted budget is gone with its targets', async (context) => {
  const line = createCommandLine(context)
  const { id, targets } = await createBudget(line)
  const { code, out } = await line.weir('budgets', 'delete', id)
  assert.equal(code, 0)
  assert.match(
    out,
    /\(search\) was deleted\. .*Calls that it blocked are allowed again within two seconds/,
  )
  assert.deepEqual(await line.json('budgets', 'list'), { budgets: [] })
  const again = await line.weir('budgets', 'delete', id)
  assert.equal(again.code, 1)
  assert.match(again.err, /There is no budget bud_\w+\.\nRun weir budgets list/)
  const other = await createBudget(line)
  assert.notEqual(other.targets[0]?.id, targets[0]?.id)
  const deleted = await line.json<BudgetRow>('budgets', 'delete', other.id)
  assert.equal(deleted.id, other.id)
  assert.ok(!JSON.stringify(deleted).includes('whsec_'))
})
