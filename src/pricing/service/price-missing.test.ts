import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { sampleCall, storeCalls, withUsage } from '../../../test/fakes/stored-calls.ts'
import { createPriceTables } from '../tables/price-tables.ts'
import { listMissingPrices } from './price-missing.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 0, 31)

// Each call has 1,000 input and 500 output tokens.
test('tokens of calls that are no longer on record are marked as incomplete', async (context) => {
  const { dataDir } = createCommandLine(context)
  const none = createPriceTables({ tables: [] })
  const call = (day: number) =>
    sampleCall({ provider: 'openai', model: 'gpt-4o', endedAt: Date.UTC(2025, 11, day, 12) })
  await storeCalls(dataDir, [call(20)])
  await storeCalls(dataDir, [call(3), call(21)], none)
  await withUsage(dataDir, async ({ usage }) => {
    const list = () =>
      listMissingPrices({ usage, priceTables: none, config: { providers: {} }, nowMs: NOW })
    const figures = async () =>
      (await list()).map(({ requests, tokens, isPartial }) => [requests, tokens, isPartial])
    assert.deepEqual(await figures(), [[2, 3000, false]])
    await usage.upkeep.removeRecords(Date.UTC(2025, 11, 3) + DAY_MS, 10)
    assert.deepEqual(await figures(), [[2, 1500, true]])
  })
})
