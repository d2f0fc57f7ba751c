// Builds the bundled price list, src/pricing/data/bundle.json, from the data that genai-prices
// publishes and, for what that lacks, LiteLLM's price map, with our corrections of both:
//   node scripts/build-prices.ts --genai data.json --genai-version 0.2.3 --litellm map.json \
//     --litellm-version 1.109.1 --published 2026-11-17
// Without options only the corrections are taken in again.

import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { BUNDLE } from '../src/pricing/data/bundle.ts'
import type { Bundle } from '../src/pricing/data/bundle.ts'
import { readGenaiFile } from '../src/pricing/data/genai-file.ts'
import { toOwnModels } from '../src/pricing/data/genai-source.ts'
import { toConditions } from '../src/pricing/data/model-price.ts'
import type { GenaiModel } from '../src/pricing/data/model-price.ts'
import { CHOICES } from './prices/choices.ts'
import { readLitellmMap } from './prices/litellm-map.ts'
import { FIRST, mergeSources, SECOND } from './prices/merge-sources.ts'
import { nextCorrections } from './prices/read-corrections.ts'
import { toBundleText } from './prices/bundle-text.ts'

const { values } = parseArgs({
  options: {
    genai: { type: 'string' },
    'genai-version': { type: 'string' },
    litellm: { type: 'string' },
    'litellm-version': { type: 'string' },
    published: { type: 'string' },
    out: { type: 'string', default: 'src/pricing/data/bundle.json' },
  },
})
const lists = values.genai === undefined ? BUNDLE : mergeLists()
const bundle: Bundle = { ...lists, corrections: nextCorrections(BUNDLE.corrections) }
const text = toBundleText(bundle)
writeFileSync(values.out, text)
const count = Object.values(bundle.providers).flat().length
console.log(`${count} models, ${text.length} bytes, corrections@${bundle.corrections.version}`)
for (const [provider, { models = [] }] of Object.entries(bundle.corrections.providers)) {
  const older = models.filter(({ against }) => against < bundle.publishedAt).map(({ id }) => id)
  // Data that is newer than what they were compared with comes first, where it has other prices.
  if (older.length > 0) console.log(`${provider}: not compared with these: ${older.join(', ')}`)
}

function mergeLists(): Omit<Bundle, 'corrections'> {
  const { faults, providers, skipped } = readGenaiFile(readJson('genai'))
  if (faults.length > 0) throw new Error(faults.join('\n'))
  console.log(`left out ${JSON.stringify(skipped)}`)
  const publishedAt = required('published')
  const merged = mergeSources({
    first: new Map([...toOwnModels(providers)].map(([id, own]) => [id, own.map(withoutDearReads)])),
    second: readLitellmMap(readJson('litellm')),
    choices: CHOICES,
    atMs: Date.parse(publishedAt),
  })
  const sources = [
    { name: FIRST, version: required('genai-version') },
    { name: SECOND, version: required('litellm-version') },
  ]
  return { publishedAt, sources, providers: Object.fromEntries(merged) }
}

/** A rounded price of cached reads can be above that of the input: then it says nothing. */
function withoutDearReads(model: GenaiModel): GenaiModel {
  const prices = toConditions(model.prices).map((condition) => {
    const { cache_read_mtok: read, ...others } = condition.prices
    const isDear = typeof read === 'number' && read > Number(others['input_mtok'] ?? Infinity)
    return isDear ? { ...condition, prices: others } : condition
  })
  const [only, ...more] = prices
  const isPlain = only !== undefined && more.length === 0 && only.constraint === undefined
  return { ...model, prices: isPlain ? only.prices : prices }
}

function required(name: keyof typeof values): string {
  const value = values[name]
  if (value === undefined) throw new Error(`--${name} is missing; see the head of this file`)
  return value
}

function readJson(name: keyof typeof values): unknown {
  return JSON.parse(readFileSync(required(name), 'utf8'))
}
