import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isKnownPrice, toRates } from './genai-rates.ts'
import { BUNDLE } from './bundle.ts'
import { toConditions } from './model-price.ts'
import { toRuleRates } from '../tables/rate-text.ts'

test('every unit in the bundle was decided upon', () => {
  const models = Object.values(BUNDLE.providers).flat()
  const units = models.flatMap(({ prices, variants = [] }) =>
    [...toConditions(prices), ...variants].flatMap((each) => Object.keys(each.prices)),
  )
  assert.deepEqual(
    [...new Set(units)].filter((unit) => !isKnownPrice(unit)),
    [],
  )
})

const UNIT_CASES = [
  // unit of the bundle, price, unit of ours, its rate
  ['input_mtok', 2.5, 'input', '2.5'],
  ['cache_audio_read_mtok', 0.1, 'cache_read_audio', '0.1'],
  ['cache_image_read_mtok', 2.5, 'cache_read_image', '2.5'],
  ['cache_write_mtok', 3.75, 'cache_write_5m', '3.75'],
  ['cache_write_1h_mtok', 6, 'cache_write_1h', '6'],
  ['output_reasoning_mtok', 3, 'reasoning', '3'],
  ['web_searches_kcount', 10, 'web_search', '0.01'],
  ['storage_searches_kcount', 2.5, 'file_search', '0.0025'],
  ['requests_kcount', 12, 'request', '0.012'],
  ['input_document_kpages', 2, 'page', '0.002'],
  ['input_annotated_document_kpages', 5, 'annotated_page', '0.005'],
  ['input_mchars', 15, 'character', '0.000015'],
  ['input_audio_hours', 0.36, 'audio_ms', '0.0000001'],
] as const

for (const [unit, price, ours, expected] of UNIT_CASES) {
  test(`${unit} becomes ${ours} at ${expected}`, () => {
    assert.deepEqual(toRuleRates(toRates({ [unit]: price })), { [ours]: expected })
  })
}

const UNTOLD = [
  'audio_hours',
  'input_text_messages_kcount',
  'input_video_mtok',
  'output_citation_mtok',
  'output_video_mtok',
  'constructor',
]

for (const unit of UNTOLD) {
  test(`${unit}, which no event counts, is taken for nothing else`, () => {
    assert.deepEqual(toRuleRates(toRates({ [unit]: 1 })), {})
  })
}

test('what is billed apiece is quoted for one or for many', () => {
  const rates = toRates({}, { image: 0.04, video_ms: { usd: 0.1, per: 1000 } })
  assert.deepEqual(toRuleRates(rates), { image: '0.04', video_ms: '0.0001' })
})
