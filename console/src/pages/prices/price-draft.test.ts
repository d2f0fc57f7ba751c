import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPriceFaults, NEW_PRICE_DRAFT, toMissingDraft, toNewPrice } from './price-draft.ts'
import type { PriceDraft } from './price-draft.ts'

const DRAFT: PriceDraft = {
  ...NEW_PRICE_DRAFT,
  provider: 'openai',
  model: ' acme-9 ',
  rates: { input: '$2.50', output: ' ', request: '0' },
}

test('a rate that was left empty is not sent, one of zero is', () => {
  assert.deepEqual(toNewPrice(DRAFT), {
    provider: 'openai',
    model: 'acme-9',
    rates: { input: '2.50', request: '0' },
  })
})

test('a factor is sent without the rates that were typed before', () => {
  const draft: PriceDraft = { ...DRAFT, kind: 'multiplier', multiplier: ' 0.8 ', tier: 'batch' }
  assert.deepEqual(toNewPrice({ ...draft, note: ' contract 7 ' }), {
    provider: 'openai',
    model: 'acme-9',
    multiplier: '0.8',
    tier: 'batch',
    note: 'contract 7',
  })
})

test('the price of a model that lacks one is effective from its first call', () => {
  const draft = toMissingDraft({
    provider: 'acme',
    model: 'ACME-7B',
    requests: 3,
    tokens: 9,
    is_partial: false,
    first_month: '2026-09',
    last_month: '2026-11',
    wants: 'price',
    units: ['input', 'output', 'character'],
  })
  assert.deepEqual(draft.units, ['character'])
  const body = toNewPrice({ ...draft, rates: { input: '1', character: '0.000015' } })
  assert.deepEqual(body.rates, { input: '1', character: '0.000015' })
  assert.equal(body.effective_from, '2026-09-01T00:00:00Z')
  assert.equal(body.model, 'acme-7b')
})

test('what is missing is found before it is sent', () => {
  const cases: readonly (readonly [change: Partial<PriceDraft>, fields: readonly string[]])[] = [
    [{}, []],
    [{ provider: '' }, ['provider']],
    [{ model: ' ' }, ['model']],
    [{ rates: { input: ' ' } }, ['rates']],
    [{ rates: { input: '2,50' } }, ['rates']],
    [{ rates: { input: '-1' } }, ['rates']],
    [{ kind: 'multiplier' }, ['multiplier']],
    [{ kind: 'multiplier', multiplier: '0,8' }, ['multiplier']],
    [{ from: 'day' }, ['effective_from']],
    [{ from: 'day', day: '2026-11-01' }, []],
  ]
  for (const [change, fields] of cases) {
    assert.deepEqual(Object.keys(findPriceFaults({ ...DRAFT, ...change })), fields)
  }
})
