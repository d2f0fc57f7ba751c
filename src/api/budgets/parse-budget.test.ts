import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLimit } from '../../core/budget.ts'
import { newBudgetSchema } from '../contract.ts'
import { parseBody } from '../parse-body.ts'

const RIGHT = { name: 'a', limit_usd: 100, period: 'month', scope: 'global' }
const WEBHOOK = { kind: 'webhook', address: 'https://hooks.example.com/' }

const REFUSED: readonly (readonly [string, unknown, RegExp])[] = [
  ['no body', '', /must be one JSON object\. Its members: name, limit_usd, period, scope,/],
  ['no JSON', '{"name"', /must be one JSON object/],
  ['a list', [RIGHT], /must be one JSON object/],
  [
    'nothing in it',
    {},
    /missing: name must .*; missing: limit_usd .*; missing: period .*; missing: scope/,
  ],
  [
    'an unknown member',
    { ...RIGHT, limit: 1 },
    /unknown member limit \(there are: name, limit_usd/,
  ],
  ['an odd member', '{"__proto__":{"a":1},"name":"a"}', /unknown member __proto__/],
  ['a secret as a name', { ...RIGHT, 'svc_agt_a.b': 1 }, /unknown member \(there are/],
  ['a blank name', { ...RIGHT, name: ' ' }, /refused: name must have 1 to 100 characters/],
  ['a long name', { ...RIGHT, name: 'a'.repeat(101) }, /name must/],
  ['a bell in the name', { ...RIGHT, name: 'a\u0007b' }, /no control characters/],
  ['half a character', '{"name":"\\ud800"}', /name must/],
  ['a limit of nothing', { ...RIGHT, limit_usd: 0 }, /limit_usd must be a number, .* above 0/],
  ['a limit below zero', { ...RIGHT, limit_usd: '-1' }, /limit_usd must/],
  ['a limit too high', { ...RIGHT, limit_usd: 1_000_000_000.01 }, /at most 1000000000/],
  ['a limit too fine', { ...RIGHT, limit_usd: '0.0000000000001' }, /at most 12 decimals/],
  ['a limit too small', { ...RIGHT, limit_usd: 1e-13 }, /limit_usd must/],
  ['a limit in words', { ...RIGHT, limit_usd: 'much' }, /limit_usd must/],
  ['a limit in thousands', { ...RIGHT, limit_usd: '1e3' }, /limit_usd must/],
  ['a year', { ...RIGHT, period: 'year' }, /period must be one of day, week, month/],
  ['an odd scope', { ...RIGHT, scope: 'tribe=a' }, /scope is wrong: it must be global, api_key=ID/],
  ['a fact as a dimension', { ...RIGHT, scope: 'dim:@team=a' }, /the key must begin with a letter/],
  ['a team with blanks', { ...RIGHT, scope: 'team=a b' }, /takes the id or the short name/],
  ['a person by name', { ...RIGHT, scope: 'person=Ada' }, /takes the id or the address/],
  ['a key with its secret', { ...RIGHT, scope: 'api_key=svc_k_a.b' }, /without its secret/],
  ['a threshold of none', { ...RIGHT, thresholds: [0] }, /thresholds must be at most 20 whole/],
  ['a broken threshold', { ...RIGHT, thresholds: [50, 99.5] }, /from 1 to 1000/],
  ['a threshold too high', { ...RIGHT, thresholds: [1001] }, /from 1 to 1000/],
  ['too many thresholds', { ...RIGHT, thresholds: Array(21).fill(1) }, /at most 20/],
  ['a word for blocking', { ...RIGHT, blocking: 'yes' }, /blocking must be true or false/],
  ['too many targets', { ...RIGHT, targets: Array(21).fill(WEBHOOK) }, /at most 20 targets/],
  ['a target that is none', { ...RIGHT, targets: ['x'] }, /targets\[0\]: a target must be/],
  [
    'targets that are wrong',
    { ...RIGHT, targets: [WEBHOOK, { kind: 'fax', address: '', to: 1 }] },
    /targets\[1\]: kind must be one of webhook, slack, email; targets\[1\]: address must .*; targets\[1\]: unknown member to/,
  ],
  [
    'several faults',
    { ...RIGHT, period: 'x', thresholds: [0, 0, 'x'], blocking: 1, scope: 'x' },
    /period must .*; scope is wrong: .*; thresholds must [^;]*; blocking must/,
  ],
]

for (const [name, body, message] of REFUSED) {
  test(`a body is refused for ${name}, in words`, () => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    assert.throws(() => parseBody(text, newBudgetSchema), { code: 'invalid_parameter', message })
  })
}

test('no value is repeated: it may be a secret put there by mistake', () => {
  const secret = 'svc_agt_a.b'
  const wrong = { name: 1, limit_usd: secret, period: secret, scope: secret, thresholds: secret }
  const text = JSON.stringify({ ...wrong, blocking: secret, targets: secret, [secret]: 1 })
  assert.throws(
    () => parseBody(text, newBudgetSchema),
    ({ message }: Error) => !message.includes('svc_agt_a') && message.includes('targets must'),
  )
})

test('what is at the edge of a limit is taken', () => {
  const edges = {
    name: '😀'.repeat(100),
    thresholds: Array.from({ length: 20 }, () => 1000),
    targets: Array.from({ length: 20 }, () => ({ ...WEBHOOK, address: 'a'.repeat(2048) })),
  }
  for (const body of [RIGHT, { ...RIGHT, ...edges }, { ...RIGHT, thresholds: [], targets: [] }]) {
    assert.deepEqual(parseBody(JSON.stringify(body), newBudgetSchema), body)
  }
})

test('a limit is read exactly, or not at all', () => {
  for (const [value, limit] of [
    [1, 10n ** 12n],
    [0.1, 10n ** 11n],
    [1e-12, 1n],
    ['0.000000000001', 1n],
    ['100', 10n ** 14n],
    [1_000_000_000, 10n ** 21n],
    ['1000000000.000000000000', 10n ** 21n],
    ['1000000000.000000000001', null],
    [-1, null],
    [NaN, null],
    [Infinity, null],
    ['', null],
    [' 1', null],
    ['+1', null],
    ['1.', null],
    ['.5', null],
    ['0', null],
  ] as const) {
    assert.equal(parseLimit(value), limit, String(value))
  }
})
