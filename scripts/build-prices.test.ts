import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createListTable } from '../src/pricing/tables/list-table.ts'
import { exactNames } from '../src/pricing/tables/model-match.ts'
import { createPriceTables } from '../src/pricing/tables/price-tables.ts'
import { toRuleRates } from '../src/pricing/tables/rate-text.ts'
import { BUNDLE } from '../src/pricing/data/bundle.ts'
import { toModelSources } from '../src/pricing/data/genai-versions.ts'
import type { GenaiModel } from '../src/pricing/data/model-price.ts'
import { CHOICES } from './prices/choices.ts'
import type { Choice } from './prices/choices.ts'
import { readLitellmMap } from './prices/litellm-map.ts'
import { findChoice, mergeSources } from './prices/merge-sources.ts'

const AT = Date.parse('2026-11-01T12:00:00Z')

const PLACES = [
  // name in the map, their provider, our provider, model and tier
  ['gpt-4o', 'openai', 'openai', 'gpt-4o', 'standard'],
  ['azure/gpt-4o', 'azure', 'azure', 'gpt-4o', 'standard'],
  ['azure/global/gpt-4o', 'azure', 'azure', 'gpt-4o', 'standard'],
  ['azure/eu/gpt-4o', 'azure', 'azure', 'gpt-4o', 'data-zone-eu'],
  ['azure_ai/deepseek-r1', 'azure_ai', 'azure', 'deepseek-r1', 'standard'],
  [
    'eu.amazon.nova-lite-v1:0',
    'bedrock_converse',
    'bedrock',
    'eu.amazon.nova-lite-v1:0',
    'standard',
  ],
  ['bedrock/eu-west-3/mistral.x', 'bedrock', 'bedrock', 'mistral.x', 'eu-west-3'],
  [
    'bedrock_mantle/us-gov-west-1/openai.x',
    'bedrock_mantle',
    'bedrock',
    'openai.x',
    'us-gov-west-1',
  ],
  [
    'vertex_ai/claude-opus-5@default',
    'vertex_ai-anthropic_models',
    'vertex',
    'claude-opus-5@default',
    'standard',
  ],
  // As our reader of Vertex has them, which leaves the maker out.
  [
    'vertex_ai/deepseek-ai/deepseek-x-maas',
    'vertex_ai-deepseek_models',
    'vertex',
    'deepseek-x-maas',
    'standard',
  ],
  ['vertex_ai/openai/gpt-x-maas', 'vertex_ai-openai_models', 'vertex', 'gpt-x-maas', 'standard'],
  // Elsewhere the maker is a part of the name that callers write.
  ['groq/openai/gpt-oss-120b', 'groq', 'groq', 'openai/gpt-oss-120b', 'standard'],
  ['together_ai/openai/gpt-x', 'together_ai', 'together', 'openai/gpt-x', 'standard'],
  ['perplexity/openai/gpt-x', 'perplexity', 'perplexity', 'openai/gpt-x', 'standard'],
  ['bedrock/invoke/anthropic.x', 'bedrock', 'bedrock', 'anthropic.x', 'standard'],
  [
    'fireworks_ai/accounts/fireworks/models/x',
    'fireworks_ai',
    'fireworks',
    'accounts/fireworks/models/x',
    'standard',
  ],
] as const

for (const [name, theirs, provider, model, tier] of PLACES) {
  test(`${name} of the map is ${model} of ${provider} (${tier})`, () => {
    const [mapped] = readLitellmMap({
      [name]: { litellm_provider: theirs, mode: 'chat', input_cost_per_token: 1e-6 },
    })
    assert.deepEqual([mapped?.provider, mapped?.model], [provider, model])
    assert.deepEqual([...(mapped?.tiers ?? [])], [[tier, { input_mtok: 1 }]])
  })
}

test('figures are for a million tokens, with their steps and tiers, and without filler', () => {
  const [mapped] = readLitellmMap({
    'sketch-1': {
      litellm_provider: 'openai',
      mode: 'chat',
      input_cost_per_token: 2.75e-6,
      input_cost_per_token_above_272k_tokens: 5.5e-6,
      input_cost_per_token_batches: 1.375e-6,
      input_cost_per_image_token: 2.75e-6,
      cache_creation_input_token_cost_above_1hr: 5.5e-6,
      cache_creation_input_token_cost: 0,
      output_cost_per_token: 1.65e-5,
      output_cost_per_token_batches: 8.25e-6,
      output_cost_per_reasoning_token: 1.65e-5,
      search_context_cost_per_query: { search_context_size_low: 0.01 },
    },
  })
  assert.deepEqual(
    [...(mapped?.tiers ?? [])],
    [
      [
        'standard',
        {
          input_mtok: { base: 2.75, tiers: [{ start: 272_000, price: 5.5 }] },
          cache_write_1h_mtok: 5.5,
          output_mtok: 16.5,
        },
      ],
      ['batch', { input_mtok: 1.375, output_mtok: 8.25 }],
    ],
  )
})

test('a tier with a figure for one side alone is left out', () => {
  const figures = { input_cost_per_token: 2e-6, output_cost_per_token: 8e-6 }
  const [text, image] = readLitellmMap({
    // As the map has gpt-5-nano, whose input would cost fifty times as much.
    'sketch-1': {
      ...figures,
      litellm_provider: 'openai',
      input_cost_per_token_priority: 1e-4,
    },
    'sketch-image': {
      ...figures,
      litellm_provider: 'gemini',
      output_cost_per_image_token: 1.2e-4,
      input_cost_per_token_flex: 1e-6,
      output_cost_per_token_flex: 4e-6,
    },
  })
  assert.deepEqual([...(text?.tiers.keys() ?? [])], ['standard'])
  assert.deepEqual([...(image?.tiers.keys() ?? [])], ['standard'])
})

test('a price of a thousand tokens as that of one is left out', () => {
  const [mapped, embedding] = readLitellmMap({
    'azure_ai/jais': {
      litellm_provider: 'azure_ai',
      mode: 'chat',
      input_cost_per_token: 0.0032,
      output_cost_per_token: 0.00971,
    },
    'embed-light': { litellm_provider: 'cohere', mode: 'embedding', input_cost_per_token: 1e-4 },
  })
  assert.equal(mapped?.tiers.size, 0)
  assert.equal(embedding?.tiers.size, 0)
})

test('what is not a model, is not ours or has no price is left out', () => {
  const figures = { input_cost_per_token: 1e-6, mode: 'chat' }
  const mapped = readLitellmMap({
    sample_spec: { mode: 'chat' },
    'together-ai-4.1b-8b': { ...figures, litellm_provider: 'together_ai' },
    'bedrock/eu-west-1/1-month-commitment/x': { ...figures, litellm_provider: 'bedrock' },
    'somebody/x': { ...figures, litellm_provider: 'somebody' },
    'gpt-free': { mode: 'chat', input_cost_per_token: 0, litellm_provider: 'openai' },
  })
  assert.deepEqual(
    mapped.map(({ name, tiers }) => [name, tiers.size]),
    [['gpt-free', 0]],
  )
})

/** Two names of one model, which got cheaper in October, and doubles next year. */
const SKETCH: GenaiModel = {
  id: 'sketch-1',
  source: 'genai-prices',
  match: { or: [{ equals: 'sketch-1' }, { equals: 'sketch-1-2026-01-01' }] },
  prices: [
    { prices: { input_mtok: 4, output_mtok: 16 } },
    { constraint: { start_date: '2026-10-01' }, prices: { input_mtok: 2, output_mtok: 8 } },
    { constraint: { start_date: '2027-01-01' }, prices: { input_mtok: 4, output_mtok: 16 } },
  ],
}

function merge(map: Record<string, object>, choices: readonly Choice[] = []) {
  const full = Object.entries(map).map(([name, figures]) => {
    return [name, { litellm_provider: 'cohere', mode: 'chat', ...figures }]
  })
  const second = readLitellmMap(Object.fromEntries(full))
  const lists = mergeSources({ first: new Map([['cohere', [SKETCH]]]), second, choices, atMs: AT })
  const priceTables = createPriceTables({
    tables: [createListTable('merged', toModelSources(lists))],
  })
  return (model: string, tier: string, at = '2026-11-01') => {
    const question = { provider: 'cohere', model, atMs: Date.parse(at) }
    const entry = priceTables.list(question).find((each) => each.tier === tier)?.entry
    return entry === undefined ? null : { rates: toRuleRates(entry.rates), origin: entry.origin }
  }
}

test('the second source adds models, units and tiers, for as long as the first price lasts', () => {
  const find = merge({
    'sketch-1': {
      input_cost_per_token: 2e-6,
      output_cost_per_token: 8e-6,
      cache_read_input_token_cost: 2e-7,
      input_cost_per_token_batches: 1e-6,
      output_cost_per_token_batches: 4e-6,
    },
    'sketch-2': { input_cost_per_token: 3e-6 },
  })
  assert.deepEqual(find('sketch-1', 'standard')?.rates, {
    input: '2',
    cache_read: '0.2',
    output: '8',
  })
  assert.equal(find('sketch-1', 'batch')?.rates['input'], '1')
  assert.equal(find('sketch-2', 'standard')?.rates['input'], '3')
  assert.equal(find('sketch-1', 'standard', '2026-09-01')?.rates['input'], '4')
  assert.equal(find('sketch-1', 'batch', '2026-09-01'), null)
  assert.equal(find('sketch-1', 'batch', '2027-02-01'), null)
})

const OTHER = {
  'sketch-1': { input_cost_per_token: 2.5e-6, output_cost_per_token: 8e-6 },
  'sketch-1-2026-01-01': { input_cost_per_token: 2e-6, output_cost_per_token: 8e-6 },
}
const FOLLOW = { provider: 'cohere', models: ['sketch-1'], why: 'the page has it' } as const

test('where both have a price, the first is followed unless a choice says otherwise', () => {
  const [first, second] = [merge(OTHER), merge(OTHER, [{ ...FOLLOW, follow: 'LiteLLM' }])]
  assert.equal(first('sketch-1', 'standard')?.rates['input'], '2')
  assert.equal(second('sketch-1', 'standard')?.rates['input'], '2.5')
  assert.equal(second('sketch-1-2026-01-01', 'standard')?.rates['input'], '2')
  assert.deepEqual(second('sketch-1', 'standard')?.rates['output'], '8')
})

test('what the other source says is kept beside it', () => {
  const find = merge(OTHER, [{ ...FOLLOW, follow: 'LiteLLM' }])
  assert.deepEqual(find('sketch-1', 'standard')?.origin?.others, [
    { source: 'genai-prices', rates: { input: '2' } },
  ])
  assert.deepEqual(merge(OTHER)('sketch-1', 'standard')?.origin?.others, [
    { source: 'LiteLLM', rates: { input: '2.5' } },
  ])
})

test('every difference in the bundle is decided upon, with a reason', () => {
  let differences = 0
  for (const [provider, models] of Object.entries(BUNDLE.providers)) {
    for (const { id, match, others = [] } of models) {
      for (const { tier } of others) {
        const names = [id, ...exactNames(match)]
        const choice = names.find((model) => findChoice(CHOICES, { provider, model }, tier))
        assert.ok(choice !== undefined, `${provider} ${id} (${tier})`)
        differences += 1
      }
    }
  }
  assert.ok(differences > 50, `${differences} differences`)
  for (const { why } of CHOICES) assert.ok(why.length > 20)
})
