import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { sampleCall, storeCalls, withUsage } from '../../../test/fakes/stored-calls.ts'
import { loadConfig } from '../../config/config.ts'
import { checkImport } from './price-import.ts'
import { measureImpact } from './price-impact.ts'

const NOW = Date.UTC(2026, 10, 15, 18)
const SETTINGS = { revision: 1, rules: [], imported: null }

function toFile(prices: readonly unknown[]): string {
  return JSON.stringify({
    format: 'weir-prices/1',
    version: 'acme-2026-11',
    published_at: '2026-11-01T00:00:00Z',
    models: [{ provider: 'openai', names: ['acme-9'], prices }],
  })
}

function check(prices: readonly unknown[]) {
  const question = { source: 'a test', publishedAt: undefined, changedAt: NOW, nowMs: NOW }
  return checkImport(SETTINGS, { text: toFile(prices), ...question })
}

// Each call has 1,000 input and 500 output tokens.
test('a day with more calls than are read is projected from those', async (context) => {
  const { dataDir } = createCommandLine(context)
  const call = (day: number, minute: number) =>
    sampleCall({
      provider: 'openai',
      model: 'acme-9',
      endedAt: Date.UTC(2026, 10, day, 10, minute),
    })
  const calls = [call(12, 1), call(12, 2), call(12, 3), call(12, 4), call(12, 5), call(13, 1)]
  await storeCalls(dataDir, calls)
  const checked = check([{ rates: { input: '1', output: '2' } }])
  const options = {
    settings: SETTINGS,
    config: loadConfig({ env: {}, cwd: '/nonexistent' }),
    nowMs: NOW,
  }
  await withUsage(dataDir, async ({ usage }) => {
    const all = await measureImpact(checked, { ...options, usage })
    // 6 × (1,000 × 1 + 500 × 2) USD per million = 0.012 USD, in units of 10^-12 USD.
    assert.deepEqual([all.isEstimate, all.calls, all.after], [false, 6, 12_000_000_000n])
    const part = await measureImpact(checked, { ...options, usage, dayCallsMax: 2 })
    assert.deepEqual([part.isEstimate, part.calls, part.after], [true, 6, 12_000_000_000n])
    assert.deepEqual(part.models[0]?.unpricedBefore, 6)
  })
})

test('calls are priced as if they came now, at their hour of the day', async (context) => {
  const { dataDir } = createCommandLine(context)
  const call = (hour: number) =>
    sampleCall({ provider: 'openai', model: 'acme-9', endedAt: Date.UTC(2026, 9, 20, hour) })
  await storeCalls(dataDir, [call(3), call(12)])
  const checked = check([
    { rates: { input: '1', output: '2' } },
    { from: '2026-11-10', rates: { input: '2', output: '2' } },
    { from: '2026-11-10', hours: { start: '02:00', end: '04:00' }, rates: { input: '3' } },
  ])
  await withUsage(dataDir, async ({ usage }) => {
    const options = {
      settings: SETTINGS,
      config: loadConfig({ env: {}, cwd: '/nonexistent' }),
      nowMs: NOW,
      usage,
    }
    const { models, after } = await measureImpact(checked, options)
    // At noon 1,000 × 2 + 500 × 2 USD per million; at three output has no rate, so it is unpriced.
    assert.equal(after, 3_000_000_000n)
    assert.deepEqual(
      models.map(({ calls, unpricedBefore, unpricedAfter }) => [
        calls,
        unpricedBefore,
        unpricedAfter,
      ]),
      [[2, 2, 1]],
    )
  })
})
