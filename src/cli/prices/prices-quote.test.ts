import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'

interface Quote {
  readonly cost_usd: string | null
  readonly lines: readonly {
    readonly unit: string
    readonly count: number
    readonly rate_usd: string
    readonly cost_usd: string
  }[]
  readonly price_version: string | null
}

test('a quote has exactly the members of the contract', async (context) => {
  const { json } = createCommandLine(context)
  const words = ['--input', '1000', '--output', '500', '--cache-read', '200']
  const quote = await json<Quote>('prices', 'quote', 'openai', 'gpt-4o', ...words)
  const { price_version: version, ...rest } = quote
  assert.match(version ?? '', /gpt-4o/)
  assert.deepEqual(rest, {
    cost_usd: '0.00725',
    lines: [
      { unit: 'cache_read', count: 200, rate_usd: '0.00000125', cost_usd: '0.00025' },
      { unit: 'input', count: 800, rate_usd: '0.0000025', cost_usd: '0.002' },
      { unit: 'output', count: 500, rate_usd: '0.00001', cost_usd: '0.005' },
    ],
  })
  assert.deepEqual(Object.keys(quote), ['cost_usd', 'lines', 'price_version'])
})

const COSTS: readonly (readonly [string, readonly string[], string | null])[] = [
  ['half for a batch', ['--input', '1000', '--output', '500', '--tier', 'batch'], '0.00375'],
  ['a search', ['--input', '1000', '--web-searches', '2'], '0.0225'],
  ['the same search by its kind', ['--input', '1000', '--per', 'web-search=2'], '0.0225'],
  // Of gpt-4o, no price by region is known.
  ['the same in a region', ['--input', '1000', '--output', '500', '--region', 'EU'], '0.0075'],
  ['nothing for nothing', [], '0'],
  ['nobody knows for a tier without a price', ['--input', '1', '--tier', 'scale'], null],
  ['nobody knows for a kind without a price', ['--input', '1', '--per', 'odd=1'], null],
]

describe('a quote costs', () => {
  for (const [name, words, expected] of COSTS) {
    test(name, async (context) => {
      const { json } = createCommandLine(context)
      const quote = await json<Quote>('prices', 'quote', 'openai', 'gpt-4o', ...words)
      assert.equal(quote.cost_usd, expected)
    })
  }
})

test('a quote goes by the price of its moment, of one long past too', async (context) => {
  const { weir, json } = createCommandLine(context)
  await weir('prices', 'set', 'openai', 'acme-9', '--input', '1', '--from', '2025-03-01')
  await weir('prices', 'set', 'openai', 'acme-9', '--input', '3', '--from', '2025-06-01T12:00Z')
  const at = async (when: string): Promise<string | null> => {
    const words = ['--input', '1000000', '--at', when]
    return (await json<Quote>('prices', 'quote', 'openai', 'ACME-9', ...words)).cost_usd
  }
  assert.equal(await at('2025-02-28'), null)
  assert.equal(await at('2025-03-01'), '1')
  assert.equal(await at('2025-06-01T11:59:59Z'), '1')
  assert.equal(await at('2025-06-01T14:00+02:00'), '3')
})

test('for people it is a table with a total', async (context) => {
  const { weir } = createCommandLine(context)
  const words = ['prices', 'quote', 'openai', 'gpt-4o', '--input', '1000']
  assert.match(
    (await weir(...words)).out,
    /^input +1000 +2\.5 USD \/ million +0\.0025 USD\ntotal +0\.0025 USD/m,
  )
  const unpriced = await weir('prices', 'quote', 'openai', 'odd-1', '--input', '1000')
  assert.equal(unpriced.code, 0)
  assert.match(unpriced.out, /openai odd-1: unpriced\. .*No price is known for odd-1\./)
})

const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
  [
    'cached parts beyond the whole',
    ['--input', '100', '--cache-read', '60', '--cache-write-1h', '41'],
    /--cache-read 60 \+ --cache-write-1h 41 is more than the whole, --input 100\.\n.*--input 101/,
  ],
  ['a part without the whole', ['--reasoning', '5'], /--reasoning 5 is more than .*--output 0/],
  ['sound beyond the whole', ['--input', '1', '--input-audio', '2'], /--input-audio 2 is more/],
  ['half a token', ['--input', '1.5'], /--input "1\.5" is not a count/],
  ['too many tokens', ['--input', '1000000000001'], /is not a count/],
  ['no pair', ['--per', 'web_search'], /--per "web_search" is not a pair/],
  ['a kind twice', ['--per', 'a=1', '--per', 'a=2'], /--per a was given twice/],
  ['a tier that there is not', ['--tier', 'ultra'], /--tier "ultra" is not .*\nWrite it as weir/],
  ['a tier with a slip', ['--tier', 'batsh'], /is not a service tier\.\nDid you mean batch\?/],
  ['a known tier with an unknown mark', ['--tier', 'batch+ultra'], /is not a service tier/],
  ['no tier', ['--tier', 'a b'], /--tier "a b" is not a service tier/],
  ['no region', ['--region', 'us east'], /--region "us east" is not a region\.\nWrite it as weir/],
  ['too long a region', ['--region', 'a'.repeat(41)], /is not a region/],
  ['no moment', ['--at', '30d'], /--at "30d" is not a date or time/],
]

test('a tier that only a rule names is known where it has a price', async (context) => {
  const { json, dataDir } = createCommandLine(context)
  const file = path.join(path.dirname(dataDir), 'prices.yaml')
  writeFileSync(file, '[{ provider: openai, model: acme-9, tier: ultra, rates: { input: 3 } }]\n')
  writeFileSync(
    `${dataDir}.yaml`,
    `dataDir: ${JSON.stringify(dataDir)}\nprices: { file: ${JSON.stringify(file)} }\n`,
  )
  const words = ['prices', 'quote', 'openai', 'acme-9', '--input', '1000000', '--tier', 'ultra']
  assert.equal((await json<{ cost_usd: string }>(...words)).cost_usd, '3')
})

describe('a quote refuses', () => {
  for (const [name, words, message] of REFUSED) {
    test(name, async (context) => {
      const { weir } = createCommandLine(context)
      const { code, err } = await weir('prices', 'quote', 'openai', 'gpt-4o', ...words)
      assert.equal(code, 2)
      assert.match(err, message)
    })
  }

  test('a provider that there is not', async (context) => {
    const { code, err } = await createCommandLine(context).weir('prices', 'quote', 'opnai', 'x')
    assert.equal(code, 1)
    assert.match(err, /There is no provider "opnai"\.\nDid you mean openai\?/)
  })
})
