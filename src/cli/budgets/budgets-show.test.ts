import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { withUsage } from '../../../test/fakes/stored-calls.ts'
import type { BudgetPeriodRow, BudgetRow } from '../../api/contract.ts'
import { createRequestId } from '../../core/ids.ts'

const USD = 10n ** 12n

test('shows a budget with its periods, each against its own limit', async (context) => {
  const { weir, json, dataDir, clock } = createCommandLine(context)
  clock.nowMs = Date.parse('2025-12-10T12:00:00Z')
  const settings = '--name all --limit-usd 80 --period month --scope global'.split(' ')
  const { id } = await json<BudgetRow>('budgets', 'create', ...settings)
  const calls = (
    [
      ['2025-12-24T10:00:00Z', 80n],
      ['2026-01-02T10:00:00Z', 25n],
      ['2026-01-03T10:00:00Z', null],
    ] as const
  ).map(([end, usd]) => {
    const endedAt = Date.parse(end)
    const amount = usd === null ? null : usd * USD
    return createRecord({ id: createRequestId(endedAt), endedAt }, { amount })
  })
  await withUsage(dataDir, (store) => store.writeBatch(batchOf(...calls)))
  clock.nowMs = Date.parse('2026-01-31T12:00:00Z')
  await json('budgets', 'update', id, '--limit-usd', '100')
  const shown = await json<BudgetRow & { periods: BudgetPeriodRow[] }>('budgets', 'show', id)
  assert.equal(shown.name, 'all')
  assert.deepEqual(
    shown.periods.map(({ period_start: start, spent_usd: spent, limit_usd: limit }) => [
      start.slice(0, 7),
      spent,
      limit,
    ]),
    [
      ['2026-01', 25, 100],
      ['2025-12', 80, 80],
    ],
  )
  const { out } = await weir('budgets', 'show', id)
  const lines = out.split('\n').map((line) => line.replaceAll(/\s+/g, ' '))
  assert.ok(
    lines.some((line) =>
      /^2026-01-01 2026-01-31 25\S* 100\S* 25 % .*running, 1 call without a price$/.test(line),
    ),
    out,
  )
  assert.ok(
    lines.some((line) => /^2025-12-01 2025-12-31 80\S* 80\S* 100 % .*exceeded$/.test(line)),
    out,
  )
  const one = await json<{ periods: unknown[] }>('budgets', 'show', id, '--limit', '1')
  assert.equal(one.periods.length, 1)
  for (const limit of ['0', '61', 'x']) {
    const { code, err } = await weir('budgets', 'show', id, '--limit', limit)
    assert.equal(code, 2)
    assert.match(err, /--limit must be an integer from 1 to 60/)
  }
})
