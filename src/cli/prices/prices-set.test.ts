// Prices of the operator's own, from the command that sets one to the command that takes it away.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { createCommandLine, runMain } from '../../../test/fakes/command-line.ts'
import { BUNDLE_PUBLISHED_AT } from '../../pricing/data/bundle.ts'

interface Listed {
  readonly rules: readonly Record<string, unknown>[]
  readonly price_data: Record<string, unknown>
}

const ALL = [
  '--input 2.50 --output 10 --cache-read 0.25 --cache-write-5m 3 --cache-write-1h 5',
  '--input-audio 40 --input-image 6 --reasoning 11 --output-audio 80 --output-image 30',
  '--per-request 0.001 --per web_search=0.01 --per image=0.04',
  '--above 200000:input=5 --above 400000:input=7.5 --above 200000:cache-read=1',
  '--tier Batch --from 2026-03-01T00:00+01:00 --note contract-7',
].flatMap((line) => line.split(' '))

test('a price with everything is kept, listed, shown and taken away', async (context) => {
  const { weir, json } = createCommandLine(context)
  const rule = await json<Record<string, unknown>>('prices', 'set', 'openai', 'Acme-*', ...ALL)
  const { id, ...rest } = rule
  assert.deepEqual(rest, {
    provider: 'openai',
    model: 'acme-*',
    tier: 'batch',
    effective_from: '2026-02-28T23:00:00.000Z',
    rates: {
      input: {
        base: '2.50',
        steps: [
          { above: 200_000, rate: '5' },
          { above: 400_000, rate: '7.5' },
        ],
      },
      output: '10',
      cache_read: { base: '0.25', steps: [{ above: 200_000, rate: '1' }] },
      cache_write_5m: '3',
      cache_write_1h: '5',
      input_audio: '40',
      input_image: '6',
      reasoning: '11',
      output_audio: '80',
      output_image: '30',
      request: '0.001',
      web_search: '0.01',
      image: '0.04',
    },
    multiplier: null,
    note: 'contract-7',
    origin: 'command',
    created_at: '2026-01-31T12:00:00.000Z',
  })
  assert.deepEqual((await json<Listed>('prices', 'list')).rules, [rule])
  const shown = await weir('prices', 'show', 'openai', 'acme-1', '--at', '2026-03-01')
  assert.match(shown.out, /Tier batch: override, since 2026-02-28 23:00Z; matched by acme-\*/)
  assert.match(shown.out, /input +2\.5 \(5 above 200000 input tokens, 7\.5 above 400000/)
  assert.match(shown.out, /contract-7/)
  const before = await weir('prices', 'show', 'openai', 'acme-1')
  assert.match(before.out, /has no price: its calls are recorded as unpriced/)
  assert.deepEqual(await json('prices', 'unset', String(id)), { removed: rule })
  assert.deepEqual((await json<Listed>('prices', 'list')).rules, [])
})

test('a factor is one on all tiers of the list', async (context) => {
  const { weir, json } = createCommandLine(context)
  const { out } = await weir('prices', 'set', 'openai', 'gpt-4o*', '--multiplier', '0.8')
  assert.match(out, /openai gpt-4o\*, tier all, from 2026-01-31 12:00Z\.\n {2}× 0\.8/)
  assert.match(out, /recorded already keep their cost\.$/)
  const shown = await json<{ prices: { tier: string; rates: { rate_usd: string }[] }[] }>(
    'prices',
    'show',
    'openai',
    'gpt-4o',
  )
  const input = shown.prices.map(({ tier, rates }) => [tier, rates[0]?.rate_usd])
  assert.deepEqual(input.slice(0, 2), [
    ['standard', '2'],
    ['batch', '1'],
  ])
  assert.match(
    (await weir('prices', 'list')).out,
    /gpt-4o\* +all +2026-01-31 12:00Z +command +× 0\.8/,
  )
})

test('a price in the past says how the recorded calls get it', async (context) => {
  const { weir } = createCommandLine(context)
  const words = ['prices', 'set', 'openai', 'acme-9', '--input', '1', '--from', '2026-01-01']
  const { out } = await weir(...words)
  assert.match(
    out,
    /weir reprice --provider openai --model acme-9 --from 2026-01-01T00:00:00\.000Z/,
  )
})

const DAY_MS = 86_400_000

test('without prices of one’s own, the list says so and how old the data is', async (context) => {
  const { weir, json, clock } = createCommandLine(context)
  clock.nowMs = BUNDLE_PUBLISHED_AT + 30 * DAY_MS
  const young = await weir('prices', 'list')
  assert.match(young.out, /^You have set no prices\./)
  assert.match(young.out, /Price data: Weir's list of \S+, 30 days old\.$/)
  clock.nowMs = BUNDLE_PUBLISHED_AT + 31 * DAY_MS
  assert.match((await weir('prices', 'list')).out, /31 days old\.\nThat is old\./)
  const { price_data: data } = await json<Listed>('prices', 'list')
  assert.deepEqual([data['age_days'], data['is_old']], [31, true])
})

const SET = ['prices', 'set', 'openai', 'acme-9']
const REFUSED: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['no price', [...SET], 2, /No price was given\.\nGive rates/],
  ['two kinds of price', [...SET, '--input', '1', '--multiplier', '2'], 2, /together with rates/],
  ['no tier', [...SET, '--input', '1', '--tier', 'ultra'], 2, /"ultra" is not a service tier/],
  ['a price that is none', [...SET, '--input', 'much'], 2, /rate for input that is not a decimal/],
  ['a factor of nothing', [...SET, '--multiplier', '0'], 2, /multiplier that is not a decimal/],
  [
    'a step without its base',
    [...SET, '--output', '1', '--above', '5:input=2'],
    2,
    /has no base rate/,
  ],
  ['no step', [...SET, '--input', '1', '--above', 'input=2'], 2, /is not a price step/],
  [
    'a kind of token per unit',
    [...SET, '--per', 'cache_read=1'],
    2,
    /Write --cache-read 1 instead/,
  ],
  ['a misspelt unit', [...SET, '--per', 'inputs=1'], 2, /did you mean \\?"input\\?"/],
  ['no moment', [...SET, '--input', '1', '--from', 'tomorrow'], 2, /not a date or time/],
  ['a model with a blank', ['prices', 'set', 'openai', 'a b', '--input', '1'], 2, /without spaces/],
  [
    'an unknown provider',
    ['prices', 'set', 'opnai', 'x', '--input', '1'],
    1,
    /Did you mean openai/,
  ],
  ['an unknown rule', ['prices', 'unset', 'price_0'], 1, /There is no price rule price_0\./],
  ['an import that is none', ['prices', 'unset', 'imported'], 1, /No prices were imported\./],
]

describe('refused, with nothing changed:', () => {
  for (const [name, words, expected, message] of REFUSED) {
    test(name, async (context) => {
      const { weir, json } = createCommandLine(context)
      const { code, err } = await weir(...words)
      assert.equal(code, expected)
      assert.match(err, message)
      assert.deepEqual((await json<Listed>('prices', 'list')).rules, [])
    })
  }

  test('all faults of a price are told at once', async (context) => {
    const { weir } = createCommandLine(context)
    const { err } = await weir(...SET, '--input', 'much', '--output', '1x')
    assert.match(err, /input that is not a decimal.*; it has a rate for output/)
  })
})

describe('a file of prices', () => {
  function writeConfig(dataDir: string, rules: string): string {
    const folder = path.dirname(dataDir)
    const config = path.join(folder, 'with-prices.yaml')
    const file = path.join(folder, 'prices.yaml')
    writeFileSync(file, rules)
    writeFileSync(config, `dataDir: ${JSON.stringify(dataDir)}\nprices:\n  file: ${file}\n`)
    return config
  }

  test('prices what the command line does not, and is not changed by it', async (context) => {
    const { dataDir } = createCommandLine(context)
    const rules = [
      '- { provider: openai, model: acme-9, rates: { input: 1 } }',
      '- { provider: openai, model: acme-10, rates: { input: 2 } }',
    ]
    const config = writeConfig(dataDir, rules.join('\n'))
    const run = (...words: string[]) => runMain([...words, '--config', config])
    await run('prices', 'set', 'openai', 'acme-9', '--input', '7')
    const quote = async (model: string): Promise<string> => {
      const words = ['prices', 'quote', 'openai', model, '--input', '1000000', '--json']
      return (JSON.parse((await run(...words)).out) as { cost_usd: string }).cost_usd
    }
    assert.equal(await quote('acme-9'), '7')
    assert.equal(await quote('acme-10'), '2')
    const listed = JSON.parse((await run('prices', 'list', '--json')).out) as Listed
    const filed = listed.rules.find(({ model }) => model === 'acme-10')
    assert.deepEqual([filed?.['origin'], filed?.['created_at']], ['file', null])
    const { code, err } = await run('prices', 'unset', String(filed?.['id']))
    assert.equal(code, 1)
    assert.match(err, /comes from the configuration\.\nTake it out of .*prices\.yaml/)
  })

  test('with a fault is a fault of the configuration, for every command', async (context) => {
    const { dataDir } = createCommandLine(context)
    const config = writeConfig(dataDir, '- { provider: openai, rates: { input: 1 } }\n')
    for (const words of [
      ['keys', 'list'],
      ['prices', 'list'],
    ]) {
      const { code, err } = await runMain([...words, '--config', config])
      assert.equal(code, 1)
      assert.match(
        err,
        /\(invalid_config\)\nThe configuration has 1 error:\n.*rule 1: has no model/,
      )
    }
    const doctor = await runMain(['doctor', '--config', config])
    assert.equal(doctor.code, 1)
    assert.match(doctor.out, /FAULT {2}configuration/)
  })
})

test('a price that changes nothing is told so, by what comes before it', async (context) => {
  const { weir } = createCommandLine(context)
  const set = async (...words: readonly string[]) => {
    const { code, out } = await weir('prices', 'set', 'openai', ...words)
    assert.equal(code, 0)
    return out
  }
  assert.doesNotMatch(await set('gpt-4o', '--input', '1', '--output', '1'), /Warning/)
  const factor = await set('gpt-4o', '--multiplier', '0.8', '--from', '2027-01-01')
  assert.match(
    factor,
    /^Warning: .* another price takes precedence:\n {2}override price_[0-9a-f]+@/m,
  )
  const odd = await set('acme-9', '--multiplier', '0.8')
  assert.match(odd, /^Warning: no price is listed for this model/m)
  assert.doesNotMatch(await set('gpt-4o*', '--multiplier', '0.8'), /Warning/)
  assert.doesNotMatch(await set('gpt-4.1', '--multiplier', '0.8', '--tier', 'batch'), /Warning/)
  const old = await set('gpt-4o', '--input', '2', '--output', '2', '--from', '2025-01-01')
  assert.doesNotMatch(old, /Warning/, 'a newer one does not void it')
})

test('rates for a model are quoted and shown for its tiers and regions, by the list', async (context) => {
  const { weir, json } = createCommandLine(context)
  const gpt = ['openai', 'gpt-5.4'] as const
  const set = await weir('prices', 'set', ...gpt, '--input', '2', '--output', '12')
  assert.match(set.out, /^Its other tiers and regions follow, by the ratio/m)
  // Listed at 2.5/15, in batches at half, in a region at a tenth more.
  const quoted = async (tier: string): Promise<unknown> => {
    const words = [...gpt, '--input', '1000000', '--output', '1000000', '--tier', tier]
    return (await json<{ cost_usd: string }>('prices', 'quote', ...words)).cost_usd
  }
  assert.equal(await quoted('standard'), '14')
  assert.equal(await quoted('batch'), '7')
  assert.equal(await quoted('regional'), '15.4')
  assert.equal(await quoted('batch+regional'), '7.7')
  const { prices } = await json<{
    prices: { tier: string; rule: string; rates: { rate_usd: string }[] }[]
  }>('prices', 'show', ...gpt)
  const inputs = new Map(prices.map(({ tier, rates }) => [tier, rates[0]?.rate_usd]))
  assert.deepEqual(
    ['standard', 'batch', 'regional'].map((tier) => inputs.get(tier)),
    ['2', '1', '2.2'],
  )
  assert.ok(prices.every(({ rule }) => rule.startsWith('price_')))
  const given = await weir('prices', 'set', ...gpt, '--input', '3', '--tier', 'regional')
  assert.doesNotMatch(given.out, /Its other tiers|Warning/)
  assert.equal(await quoted('standard'), '14')
})
