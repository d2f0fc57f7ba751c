import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCallCost } from './call-cost-words.ts'

const CALL = {
  status: 'delivered',
  source: 'price-book',
  cost_usd: '0.00120765',
  market_cost_usd: null,
  usage: 'reported',
} as const

test('what a call cost is shown by what is known of it', () => {
  const cases = [
    [CALL, 'exact', '$0.00120765'],
    [{ ...CALL, usage: 'estimated' }, 'estimated', '≈ $0.00120765'],
    [{ ...CALL, usage: 'partial' }, 'estimated', '≈ $0.00120765'],
    // What came with the response is what was charged, whatever is known of the tokens.
    [{ ...CALL, source: 'gateway', usage: 'partial' }, 'exact', '$0.00120765'],
    [{ ...CALL, source: 'unpriced', cost_usd: null }, 'unpriced', 'unpriced'],
    [{ ...CALL, source: 'byok-zero', cost_usd: '0' }, 'elsewhere', 'own key'],
    [{ ...CALL, source: 'free', cost_usd: '0' }, 'free', 'free'],
    [{ ...CALL, source: 'free', cost_usd: '0', status: 'denied' }, 'denied', 'no cost'],
  ] as const
  for (const [call, kind, text] of cases) {
    const cost = toCallCost(call)
    assert.deepEqual([cost.kind, cost.text], [kind, text])
  }
})

test('an estimate says why it is one, and an own key what the call is worth', () => {
  assert.match(toCallCost({ ...CALL, usage: 'estimated' }).reason ?? '', /counted from the text/)
  assert.match(toCallCost({ ...CALL, usage: 'partial' }).reason ?? '', /ended early/)
  const own = toCallCost({ ...CALL, source: 'byok-zero', market_cost_usd: '0.012416' })
  assert.match(own.reason ?? '', /list price is \$0\.012416\./)
})
