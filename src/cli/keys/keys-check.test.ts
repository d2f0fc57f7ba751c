import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { withUsage } from '../../../test/fakes/stored-calls.ts'

interface Checked {
  readonly allowed: boolean
  readonly reason: string
  readonly slug: string
  readonly pattern: string | null
  readonly key: { readonly id: string; readonly name: string; readonly status: string }
}

const CAPPED = ['keys', 'create', '--name', 'capped', '--budget-usd', '2', '--budget-block']
const ANY = ['--provider', 'openai', '--model', 'gpt-x']

interface Row {
  readonly create?: readonly string[]
  readonly ask?: readonly string[]
  readonly expected: Omit<Checked, 'key' | 'reason'>
  readonly reason: RegExp
}

const ROWS: Readonly<Record<string, Row>> = {
  'a key without patterns': {
    expected: { allowed: true, slug: 'openai/gpt-x', pattern: null },
    reason: /may use every model/,
  },
  'a pattern that allows it': {
    create: ['--allow-model', 'acme/*', '--allow-model', 'openai:openai/gpt-*'],
    expected: { allowed: true, slug: 'openai/gpt-x', pattern: 'openai:openai/gpt-*' },
    reason: /The pattern openai:openai\/gpt-\* allows openai\/gpt-x\./,
  },
  'a pattern for another route': {
    create: ['--allow-model', 'gateway:openai/*'],
    expected: { allowed: false, slug: 'openai/gpt-x', pattern: null },
    reason: /No pattern of the key allows openai\/gpt-x; there are: gateway:openai\/\*\./,
  },
  'the gateway, where names have their maker': {
    create: ['--allow-model', 'gateway:openai/*'],
    ask: ['--provider', 'gateway', '--model', 'openai/gpt-x'],
    expected: { allowed: true, slug: 'openai/gpt-x', pattern: 'gateway:openai/*' },
    reason: /allows/,
  },
  'a virtual model behind a star': {
    create: ['--allow-model', '*'],
    ask: ['--provider', 'gateway', '--model', 'vmc/mine'],
    expected: { allowed: false, slug: 'vmc/mine', pattern: null },
    reason: /has to spell its prefix out/,
  },
  'a provider that is not allowed': {
    create: ['--allow-provider', 'gateway', '--allow-model', 'openai/*'],
    expected: { allowed: false, slug: 'openai/gpt-x', pattern: null },
    reason: /may not use the provider openai; it may use: gateway\./,
  },
}

describe('keys check explains', () => {
  for (const [name, { create = [], ask = ANY, expected, reason: wanted }] of Object.entries(ROWS)) {
    test(name, async (context) => {
      const { weir, json } = createCommandLine(context)
      const { id } = await json<{ id: string }>('keys', 'create', '--name', 'search', ...create)
      const { code, out } = await weir('keys', 'check', id, ...ask, '--json')
      const { key, reason, ...rest } = JSON.parse(out) as Checked
      assert.deepEqual(rest, { ...expected, budget_id: null, until: null })
      assert.match(reason, wanted)
      assert.deepEqual(key, { id, name: 'search', status: 'active' })
      assert.equal(code, expected.allowed ? 0 : 1)
      const shown = await weir('keys', 'check', id, ...ask)
      assert.equal(shown.code, code)
      assert.match(shown.out, expected.allowed ? /: allowed\n/ : /: not allowed\n/)
      assert.match(shown.out, wanted)
    })
  }

  test('a key that has expired, and one that was revoked', async (context) => {
    const { weir, json, clock } = createCommandLine(context)
    const create = ['keys', 'create', '--name', 'x', '--expires', '1h']
    const { id } = await json<{ id: string }>(...create)
    clock.nowMs += 3_600_000
    const expired = await weir('keys', 'check', id, ...ANY, '--json')
    assert.match(expired.out, /"The key has expired\. [^]*"status": "expired"/)
    await weir('keys', 'revoke', id)
    const revoked = await weir('keys', 'check', id, ...ANY, '--json')
    assert.match(revoked.out, /"The key was revoked, [^]*"status": "revoked"/)
    assert.deepEqual([expired.code, revoked.code], [1, 1])
  })
})

test('keys check refuses where a blocking budget is used up, and says when it resets', async (context) => {
  const { weir, json, clock, dataDir } = createCommandLine(context)
  const made = await json<{ id: string; budget_id: string }>(...CAPPED)
  const { id: keyId, budget_id: budgetId } = made
  const ask = ['keys', 'check', keyId, ...ANY]
  assert.equal((await weir(...ask)).code, 0)
  assert.match((await weir('keys', 'list')).out, / active .* 1 budget$/m)
  const about = { keyId, startedAt: clock.nowMs - 2, endedAt: clock.nowMs - 1 }
  const call = createRecord(about, { amount: 2n * 10n ** 12n })
  await withUsage(dataDir, (usage) => usage.writeBatch(batchOf(call)))
  const { code, out } = await weir(...ask)
  assert.equal(code, 1)
  assert.match(out, new RegExp(`"capped" \\(${budgetId}\\) is used up: \\$2\\.00 of \\$2\\.00`))
  assert.match(out, /resets at 2026-02-01T00:00:00Z; raise its limit/)
  const blocked = await weir('keys', 'list', '--status', 'blocked')
  assert.match(blocked.out, / blocked .* "capped" is used up until 2026-02-01 00:00Z; 1 budget$/m)
  assert.match((await weir('keys', 'list', '--status', 'paused')).out, /No key is paused/)
  assert.equal((await weir('keys', 'list', '--status', 'broken')).code, 2)
})

test('keys check takes a whole credential for its id, and repeats no secret', async (context) => {
  const { weir, json } = createCommandLine(context)
  const { key } = await json<{ key: string }>('keys', 'create', '--name', 'x')
  const { code, out } = await weir('keys', 'check', key, ...ANY)
  assert.equal(code, 0)
  assert.ok(!out.includes(key))
})

const REFUSED: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['an unknown key', ['svc_k_none', ...ANY], 1, /There is no key svc_k_none\./],
  [
    'a provider that is almost one',
    ['svc_k_none', '--provider', 'opnai', '--model', 'x'],
    1,
    /There is no provider "opnai"\.\nDid you mean openai\?/,
  ],
  [
    'a provider that is near to none',
    ['svc_k_none', '--provider', 'zzzzzzzz', '--model', 'x'],
    1,
    /There are: .*openai/,
  ],
  ['no model', ['svc_k_none', '--provider', 'openai'], 2, /--model M must be given/],
  [
    'a model with a blank',
    ['svc_k_none', '--provider', 'openai', '--model', 'a b'],
    2,
    /printable/,
  ],
]

describe('keys check refuses', () => {
  for (const [name, words, expected, message] of REFUSED) {
    test(name, async (context) => {
      const { weir } = createCommandLine(context)
      const { code, err } = await weir('keys', 'check', ...words)
      assert.equal(code, expected)
      assert.match(err, message)
    })
  }
})
