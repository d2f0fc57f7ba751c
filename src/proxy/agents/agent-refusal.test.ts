import assert from 'node:assert/strict'
import { test } from 'node:test'

import { refuse, writeRefusal } from '../../policy/refusal.ts'
import type { RefusedBudget } from '../../policy/refusal.ts'
import { toAgentRefusal } from './agent-refusal.ts'

const NOW = Date.UTC(2026, 10, 30, 23)
const BUDGET: RefusedBudget = {
  id: 'bud_1',
  name: 'Search',
  scope: 'team=team_1',
  period: 'month',
  limit_usd: 500,
  spent_usd: 500.2,
  resets_at: '2026-12-01T00:00:00.000Z',
}
const CONTEXT = { requestId: 'r', shape: 'openai', isHead: false, isClosing: false } as const

function write(refusal: ReturnType<typeof refuse>): readonly [string[], Record<string, unknown>] {
  const [head = '', body = ''] = writeRefusal(toAgentRefusal(refusal, NOW), CONTEXT).split(
    '\r\n\r\n',
  )
  return [head.split('\r\n'), JSON.parse(body) as Record<string, unknown>]
}

const ROWS = [
  ['invalid_api_key', 401, 'authentication_error', true],
  ['revoked_api_key', 401, 'authentication_error', true],
  ['key_paused', 401, 'authentication_error', true],
  ['model_not_allowed', 400, 'invalid_request_error', true],
  ['rate_limited', 429, 'rate_limit_error', false],
  ['overloaded', 529, 'overloaded_error', false],
  ['upstream_unreachable', 502, 'api_error', false],
  ['body_too_large', 413, 'request_too_large', true],
] as const

for (const [code, status, type, isFinal] of ROWS) {
  test(`${code} is ${status} ${type}`, () => {
    const [[line = '', ...lines], body] = write(refuse(code, 'why'))
    assert.ok(line.startsWith(`HTTP/1.1 ${status} `), line)
    assert.equal((body['error'] as { type: string }).type, type)
    assert.equal(body['code'], code)
    assert.equal(lines.includes('x-should-retry: false'), isFinal)
    assert.ok(lines.includes(`X-SVC-Error: ${code}`))
  })
}

const SPENT = refuse('budget_exceeded', 'in other words')

test('a shared budget that is used up says so, and until when', () => {
  const [[line, ...lines], body] = write({ ...SPENT, budget: BUDGET })
  assert.equal(line, 'HTTP/1.1 429 Too Many Requests')
  assert.deepEqual(body['error'], {
    type: 'billing_error',
    code: 'budget_exceeded',
    message:
      'The budget "Search" of $500.00 this month, which you share with others, is used up. It resets on 1 December, 00:00 UTC. To go on before, ask your team’s lead or an administrator of Weir to raise it.',
    param: null,
  })
  const own = lines.filter((each) => /^(?:anthropic|x-should|retry)/i.test(each))
  assert.deepEqual(own, [
    'x-should-retry: false',
    'Retry-After: 3600',
    'anthropic-ratelimit-unified-status: rejected',
    'anthropic-ratelimit-unified-reset: 1796083200',
    'anthropic-ratelimit-unified-overage-reset: 1796083200',
    'anthropic-ratelimit-unified-overage-utilization: 1',
    'anthropic-ratelimit-unified-overage-surpassed-threshold: 1',
    'anthropic-ratelimit-unified-overage-period: monthly',
    'anthropic-ratelimit-unified-overage-disabled-reason: org_spend_cap_reached',
    'anthropic-ratelimit-unified-overage-scope: group_pool',
  ])
})

test('a budget of one’s own is no pool', () => {
  const day = { ...BUDGET, period: 'day', limit_usd: 5 }
  for (const own of [{ each: 'person' }, { each: 'key' }, { scope: 'person=user_1' }]) {
    const { message, shown } = toAgentRefusal({ ...SPENT, budget: { ...day, ...own } }, NOW)
    assert.match(message, /^Your budget of \$5\.00 today is used up\./)
    assert.ok(shown?.headers?.some((line) => line.endsWith('overage-period: daily')))
    assert.ok(!shown?.headers?.some((line) => line.includes('overage-scope')))
  }
})
