import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findBudgetFaults,
  fromScope,
  NEW_BUDGET_DRAFT,
  toBudgetChange,
  toNewBudget,
  toScope,
} from './budget-draft.ts'
import type { BudgetDraft } from './budget-draft.ts'

const DRAFT: BudgetDraft = { ...NEW_BUDGET_DRAFT, name: ' All ', limit_usd: '$1,000.50' }

test('a scope that is taken apart is put together as it was', () => {
  for (const scope of [
    'global',
    'api_key=svc_k_abcdefgh',
    'provider=openai',
    'model=gateway:openai/*',
    'dim:team=search',
    'dim:query=a=b',
  ]) {
    assert.equal(toScope(fromScope(scope)), scope)
  }
})

test('a limit and thresholds are taken as people write them', () => {
  const body = toNewBudget({ ...DRAFT, thresholds: ['80 %', '100'] }, [])
  assert.deepEqual(body, {
    name: 'All',
    scope: 'global',
    period: 'month',
    limit_usd: '1000.50',
    thresholds: [80, 100],
    blocking: false,
  })
  const target = { kind: 'email', address: 'finance@example.com' } as const
  assert.deepEqual(toNewBudget(DRAFT, [target]).targets, [target])
})

test('what is missing is found before it is sent', () => {
  const scope = { ...DRAFT.scope, kind: 'dim', dimKey: 'team' } as const
  const cases: readonly (readonly [change: Partial<BudgetDraft>, fields: readonly string[]])[] = [
    [{}, []],
    [{ name: ' ' }, ['name']],
    [{ limit_usd: '' }, ['limit_usd']],
    [{ limit_usd: '-5' }, ['limit_usd']],
    [{ limit_usd: '1,5' }, ['limit_usd']],
    [{ thresholds: ['0'] }, ['thresholds']],
    [{ thresholds: ['-5'] }, ['thresholds']],
    [{ thresholds: ['half'] }, ['thresholds']],
    [{ scope }, ['scope']],
    [{ scope: { ...scope, dimValue: 'search' } }, []],
    [{ scope: { ...scope, kind: 'api_key' } }, ['scope']],
    [{ scope: { ...scope, kind: 'provider' } }, ['scope']],
    [{ scope: { ...scope, kind: 'model' } }, ['scope']],
  ]
  for (const [change, fields] of cases) {
    assert.deepEqual(Object.keys(findBudgetFaults({ ...DRAFT, ...change })), fields)
  }
})

test('only what was changed is sent, for a limit that is sent is judged', () => {
  assert.deepEqual(toBudgetChange(DRAFT, { ...DRAFT, limit_usd: '1000.50' }), {})
  assert.deepEqual(toBudgetChange(DRAFT, { ...DRAFT, name: 'Everything', blocking: true }), {
    name: 'Everything',
    blocking: true,
  })
})
