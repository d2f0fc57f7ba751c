import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCounts } from '../../core/token-counts.ts'
import { isFault, toCharges } from './charges.ts'
import { formatRate, fromRuleRates } from './rate-text.ts'

/** What is charged at which rate, or the unit without one. */
function chargesOf(toolCalls: Record<string, number>, texts: Record<string, string>): unknown {
  const rates = fromRuleRates(texts)
  assert.ok(rates !== null)
  const charges = toCharges({ tokens: createTokenCounts({}), toolCalls }, rates)
  if (isFault(charges)) return charges.kind === 'no-rate' ? charges.unit : charges.kind
  return charges.map(({ unit, count, rate }) => [unit, count, formatRate(rate)])
}

const CASES: readonly [string, Record<string, number>, Record<string, string>, unknown][] = [
  [
    'an image of a size at its own rate',
    { image_hd_1024x1792: 2 },
    { image: '0.04', image_hd_1024x1792: '0.12' },
    [['image_hd_1024x1792', 2, '0.12']],
  ],
  [
    'an image of a size without one as any image',
    { image_1024x1024: 2 },
    { image: '0.04' },
    [['image_1024x1024', 2, '0.04']],
  ],
  [
    'a film of a size without one as any film',
    { video_1280x720_ms: 8 },
    { video_ms: '0.0003' },
    [['video_1280x720_ms', 8, '0.0003']],
  ],
  [
    'a film without sound not as one with it',
    { video_silent_ms: 8 },
    { video_ms: '0.0003' },
    'video_silent_ms',
  ],
  ['a sharper film not as another', { video_4k_ms: 8 }, { video_ms: '0.0003' }, 'video_4k_ms'],
  [
    'a film not as an image',
    { video_1280x720_ms: 8 },
    { image: '1', video: '1' },
    'video_1280x720_ms',
  ],
  ['an annotated page not as a page', { annotated_page: 1 }, { page: '0.004' }, 'annotated_page'],
]

for (const [title, toolCalls, texts, expected] of CASES) {
  test(`charges ${title}`, () => assert.deepEqual(chargesOf(toolCalls, texts), expected))
}
