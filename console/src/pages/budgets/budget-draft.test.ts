import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromScope, toScope } from '../../data/forms/scope-draft.ts'
import { BUDGET_FORM, NEW_BUDGET } from './budget-draft.ts'
import type { BudgetDraft } from './budget-draft.ts'

const DRAFT: BudgetDraft = { ...NEW_BUDGET, name: ' All ', limit_usd: '$1,000.50' }

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
  const body = BUDGET_FORM.toBody({ ...DRAFT, thresholds: ['80 %', '100'] }, 0)
  assert.deepEqual(body, {
    name: 'All',
    scope: 'global',
    period: 'month',
    limit_usd: '1000.50',
    each: 'none',
    targets_only: false,
    thresholds: [80, 100],
    blocking: false,
  })
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
    assert.deepEqual(Object.keys(BUDGET_FORM.findFaults({ ...DRAFT, ...change })), fields)
  }
})

const toChange = (draft: BudgetDraft) => BUDGET_FORM.toChange({ stored: DRAFT, draft }, 0)

test('only what was changed is sent, for a limit that is sent is judged', () => {
  assert.deepEqual(toChange({ ...DRAFT, limit_usd: '1000.50' }), {})
  assert.deepEqual(toChange({ ...DRAFT, name: 'Everything', blocking: true }), {
    name: 'Everything',
    blocking: true,
  })
})
