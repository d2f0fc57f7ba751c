// Builds the bundled price list, src/pricing/data/bundle.json, from the data that genai-prices
// publishes and, for what that lacks, LiteLLM's price map:
//   node scripts/build-prices.ts --genai data.json --genai-version 0.2.3 --litellm map.json \
//     --litellm-version 1.109.1 --published 2026-11-17

import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { readGenaiFile } from '../src/pricing/data/genai-file.ts'
import { toOwnModels } from '../src/pricing/data/genai-source.ts'
import { toConditions } from '../src/pricing/data/model-price.ts'
import type { GenaiModel } from '../src/pricing/data/model-price.ts'
import { CHOICES } from './prices/choices.ts'
import { readLitellmMap } from './prices/litellm-map.ts'
import { FIRST, mergeSources, SECOND } from './prices/merge-sources.ts'

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
const { faults, providers, skipped } = readGenaiFile(readJson('genai'))
if (faults.length > 0) throw new Error(faults.join('\n'))
const published = required('published')
const merged = mergeSources({
  first: new Map([...toOwnModels(providers)].map(([id, own]) => [id, own.map(withoutDearReads)])),
  second: readLitellmMap(readJson('litellm')),
  choices: CHOICES,
  atMs: Date.parse(published),
})
const lines = [...merged].map(([provider, models]) => {
  // One model per line: the file is long, and gets compared with the one before.
  const list = models.map((model) => `      ${JSON.stringify(model)}`).join(',\n')
  return `    ${JSON.stringify(provider)}: [\n${list}\n    ]`
})
const sources = [
  { name: FIRST, version: required('genai-version') },
  { name: SECOND, version: required('litellm-version') },
]
const head = [
  `  "publishedAt": ${JSON.stringify(published)}`,
  `  "sources": ${JSON.stringify(sources)}`,
  `  "providers": {\n${lines.join(',\n')}\n  }`,
]
const text = `{\n${head.join(',\n')}\n}\n`
writeFileSync(values.out, text)
const count = [...merged.values()].reduce((sum, models) => sum + models.length, 0)
console.log(`${count} models, ${text.length} bytes; left out ${JSON.stringify(skipped)}`)

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
