// The operator's file of prices as its author meets it: rules out, or every fault with its line.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import type { PriceRule } from '../core/price-rule.ts'
import { WeirError } from '../core/weir-error.ts'
import { loadConfig } from './config.ts'
import { parseRulesFile, readConfiguredRules } from './price-rules-file.ts'

const root = mkdtempSync(path.join(tmpdir(), 'weir-rules-'))
after(() => rmSync(root, { recursive: true }))

function parse(text: string): readonly PriceRule[] {
  return parseRulesFile(text, { file: 'prices.yaml', providers: ['acme', 'north'] })
}

/** The lines of the error, without its heading. */
function faultsOf(work: () => unknown): string[] {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof WeirError)
    assert.equal(error.code, 'invalid_config')
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }
  return []
}

const GOOD = `
# what we agreed on
- provider: acme
  model: Big-1
  from: 2026-11-01
  rates:
    input: 2.50
    output: 10
    cache_read: 0.0000001
    web_search: 0.01
    request: 0
  note: contract 7
- provider: acme
  model: 'big-*'
  tier: batch
  from: 2026-11-01T12:00+01:00
  rates: { input: { base: 1.25, steps: [{ above: 200000, rate: 2.5 }] }, output: 5 }
- provider: north
  model: '*'
  multiplier: 0.80
`

describe('a file of prices', () => {
  test('gives its rules, with every figure as it was written', () => {
    const [first, second, third] = parse(GOOD).map(({ id, ...rule }) => {
      assert.match(id, /^price_[0-9a-f]{16}$/)
      return rule
    })
    assert.deepEqual(first, {
      provider: 'acme',
      model: 'big-1',
      tier: null,
      effectiveFrom: Date.UTC(2026, 10, 1),
      price: {
        kind: 'rates',
        rates: {
          input: '2.50',
          output: '10',
          cache_read: '0.0000001',
          web_search: '0.01',
          request: '0',
        },
      },
      note: 'contract 7',
      createdAt: 0,
    })
    assert.deepEqual(second?.price, {
      kind: 'rates',
      rates: { input: { base: '1.25', steps: [{ above: 200_000, rate: '2.5' }] }, output: '5' },
    })
    assert.equal(second?.effectiveFrom, Date.UTC(2026, 10, 1, 11))
    assert.equal(second?.tier, 'batch')
    assert.deepEqual(third?.price, { kind: 'multiplier', factor: '0.80' })
    assert.equal(third?.effectiveFrom, 0)
  })

  test('may as well be JSON', () => {
    const rule = { provider: 'acme', model: 'big', tier: null, rates: { input: 1.5 }, note: null }
    const [parsed] = parse(JSON.stringify([rule]))
    assert.deepEqual(parsed?.price, { kind: 'rates', rates: { input: '1.5' } })
    assert.deepEqual([parsed?.tier, parsed?.note], [null, null])
  })

  for (const text of ['', '# nothing yet\n', '[]']) {
    test(`may be empty: ${JSON.stringify(text)}`, () => assert.deepEqual(parse(text), []))
  }

  test('keeps the id of a rule that did not change, wherever it stands', () => {
    const ids = parse(GOOD).map(({ id }) => id)
    const added = '- { provider: north, model: x, rates: { output: 1, input: 2 } }\n'
    assert.deepEqual(
      parse(added + GOOD.replace('contract 7', 'contract 8')).map(({ id }) => id),
      [...parse(added).map(({ id }) => id), ...ids],
    )
    assert.deepEqual(
      parse(added.replace('output: 1, input: 2', 'input: 2, output: 1')),
      parse(added),
    )
    const changed = parse(GOOD.replace('output: 10', 'output: 11')).map(({ id }) => id)
    assert.notEqual(changed[0], ids[0])
    assert.deepEqual(changed.slice(1), ids.slice(1))
  })
})

const RATES = 'rates: { input: 1 }'
const FAULTS: readonly (readonly [string, string, RegExp])[] = [
  ['no YAML', '- provider: [', /prices\.file \(prices\.yaml:1\): is neither YAML nor JSON/],
  ['a star without quotes', `- {provider: acme, model: *, ${RATES}}`, /neither YAML nor JSON/],
  ['no list', 'provider: acme', /prices\.file \(prices\.yaml\): is not a list; write one rule/],
  ['no rule', '- acme', /\(prices\.yaml:1\): rule 1: is not a rule; write provider, model/],
  ['no provider', `- {model: x, ${RATES}}`, /rule 1: has no provider; write its id/],
  ['a provider that is none', `- {provider: acne, model: x, ${RATES}}`, /did you mean acme\?/],
  ['no model', `- {provider: acme, ${RATES}}`, /rule 1: has no model; write a name/],
  ['no price', '- {provider: acme, model: x}', /has neither rates nor a multiplier/],
  [
    'two prices',
    `- {provider: acme, model: x, multiplier: 2, ${RATES}}`,
    /has rates and a multiplier; write one of them/,
  ],
  ['rates that are none', '- {provider: acme, model: x, rates: 5}', /rates that are not a section/],
  [
    'a rate that is none',
    '- {provider: acme, model: x, rates: {input: [1]}}',
    /a rate for input that is not a price; write 2\.5/,
  ],
  [
    'a step that is none',
    '- {provider: acme, model: x, rates: {input: {base: 1, steps: [{above: 1.5, rate: 2}]}}}',
    /a rate for input that is not a price/,
  ],
  [
    'no moment',
    `- {provider: acme, model: x, from: soon, ${RATES}}`,
    /"soon" is not a date or time/,
  ],
  [
    'an unknown member',
    `- {provider: acme, modle: x, ${RATES}}`,
    /modle is not a field of a rule; did you mean model\?/,
  ],
  ['a price below zero', '- {provider: acme, model: x, rates: {input: -1}}', /rule 1: .*input/],
  ['a unit that cannot be', '- {provider: acme, model: x, rates: {In Put: 1}}', /rule 1: .*In Put/],
  ['a factor that is none', '- {provider: acme, model: x, multiplier: much}', /rule 1: .*much/],
]

describe('a file of prices is refused for', () => {
  for (const [name, text, message] of FAULTS) {
    test(name, () => {
      const [fault] = faultsOf(() => parse(text))
      assert.match(fault ?? '', message)
    })
  }

  test('two rules about the same', () => {
    const rule = `- { provider: acme, model: x, ${RATES} }\n`
    assert.match(
      faultsOf(() => parse(rule + rule))[0] ?? '',
      /rule 2: has the same provider, model, tier and date as rule 1/,
    )
  })

  test('all of its faults at once, each with its line', () => {
    const text = `- provider: acme\n  model: x\n  from: soon\n  rates: {}\n- provider: nobody\n  ${RATES}\n`
    const faults = faultsOf(() => parse(text))
    assert.match(faults.join('\n'), /prices\.yaml:3\): rule 1: from/)
    assert.match(faults.join('\n'), /prices\.yaml:5\): rule 2: there is no provider/)
    assert.match(faults.join('\n'), /prices\.yaml:5\): rule 2: has no model/)
  })

  test('more faults than anybody reads, of which the first are told', () => {
    const faults = faultsOf(() => parse('- acme\n'.repeat(60)))
    assert.equal(faults.length, 51)
    assert.match(faults.at(-1) ?? '', /10 more faults/)
  })

  test('more rules than are read', () => {
    const rule = `- {provider: acme, model: x, ${RATES}}\n`
    assert.match(faultsOf(() => parse(rule.repeat(10_001)))[0] ?? '', /at most 10000 are read/)
  })
})

describe('the file that is set', () => {
  const settings = (file: string) => ({ prices: { file }, providers: { acme: {} } })

  test('is read with the configuration, and by no process that is given it later', () => {
    const file = path.join(root, 'once.yaml')
    writeFileSync(file, `- { provider: openai, model: x, ${RATES} }\n`)
    const env = { WEIR_PRICES_FILE: file }
    const config = loadConfig({ env, cwd: root })
    writeFileSync(file, 'nonsense')
    const handed = structuredClone(config)
    assert.equal(readConfiguredRules(handed)[0]?.model, 'x')
    assert.deepEqual(readConfiguredRules(handed), config.prices.rules)
    assert.match(faultsOf(() => loadConfig({ env, cwd: root }))[0] ?? '', /is not a list/)
  })

  test('is none where none is set', () => {
    assert.deepEqual(readConfiguredRules({ prices: {}, providers: {} }), [])
  })

  test('must be there, be a file, and not be too large', () => {
    const missing = settings(path.join(root, 'missing.yaml'))
    assert.match(faultsOf(() => readConfiguredRules(missing))[0] ?? '', /does not exist/)
    assert.match(faultsOf(() => readConfiguredRules(settings(root)))[0] ?? '', /EISDIR/)
    const large = path.join(root, 'large.yaml')
    writeFileSync(large, '#'.repeat(4_194_305))
    assert.match(faultsOf(() => readConfiguredRules(settings(large)))[0] ?? '', /at most 4194304/)
  })
})
