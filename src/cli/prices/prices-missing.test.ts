import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { sampleCall, storeCalls } from '../../../test/fakes/stored-calls.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import { createPriceTables } from '../../pricing/tables/price-tables.ts'

const NO_PRICES = createPriceTables({ tables: [] })

test('no missing price is good news', async (context) => {
  const { weir, json } = createCommandLine(context)
  assert.equal((await weir('prices', 'missing')).out, 'Every recorded call has a cost.')
  assert.deepEqual(await json('prices', 'missing'), { models: [] })
})

test('each model is told with what would give it a cost', async (context) => {
  const { weir, json, dataDir } = createCommandLine(context)
  const call = (model: string | null, month: number) =>
    sampleCall({ provider: 'openai', model, endedAt: Date.UTC(2025, month, 3) })
  const calls = [
    call('odd one', 9),
    call('odd one', 11),
    call('odd one', 11),
    call('gpt-4o', 11),
    call('gpt-4o', 11),
    call(null, 11),
  ]
  await storeCalls(dataDir, calls, NO_PRICES)
  const { models } = await json<{ models: Record<string, unknown>[] }>('prices', 'missing')
  assert.deepEqual(models, [
    {
      provider: 'openai',
      model: 'odd one',
      requests: 3,
      tokens: 4500,
      is_partial: false,
      first_month: '2025-10',
      last_month: '2025-12',
      command: "weir prices set openai 'odd*one' --input USD --output USD --from 2025-10-01",
    },
    {
      provider: 'openai',
      model: 'gpt-4o',
      requests: 2,
      tokens: 3000,
      is_partial: false,
      first_month: '2025-12',
      last_month: '2025-12',
      command: 'weir reprice --provider openai --model gpt-4o',
    },
    {
      provider: 'openai',
      model: null,
      requests: 1,
      tokens: 1500,
      is_partial: false,
      first_month: '2025-12',
      last_month: '2025-12',
      command: null,
    },
  ])
  const { out } = await weir('prices', 'missing')
  assert.match(out, /openai +odd one +3 +4500 +2025-10 to 2025-12/)
  assert.match(out, /To set a price .*:\n {2}weir prices set openai 'odd\*one'/)
  assert.match(out, /These have a price now.*:\n {2}weir reprice --provider openai/)
  assert.match(out, /Calls that named no model cannot be priced\.$/)
})

test('a price from the month after the last call on is none for it', async (context) => {
  const { weir, json, dataDir } = createCommandLine(context)
  const endedAt = Date.UTC(2025, 10, 30, 23)
  await storeCalls(
    dataDir,
    [sampleCall({ provider: 'openai', model: 'acme-9', endedAt })],
    NO_PRICES,
  )
  const set = ['prices', 'set', 'openai', 'acme-9', '--input', '1', '--output', '1', '--from']
  await weir(...set, '2025-12-01')
  const read = () => json<{ models: { command: string }[] }>('prices', 'missing')
  assert.match((await read()).models[0]?.command ?? '', /^weir prices set openai acme-9 /)
  await weir(...set, '2025-11-30')
  assert.match((await read()).models[0]?.command ?? '', /^weir reprice /)
})

interface Missing {
  readonly models: readonly { model: string; tokens: number; command: string | null }[]
}

test('only the tokens of calls without a cost are counted', async (context) => {
  const { json, dataDir } = createCommandLine(context)
  const call = (endedAt: number) => sampleCall({ provider: 'openai', model: 'gpt-4o', endedAt })
  await storeCalls(dataDir, [call(Date.UTC(2025, 11, 3)), call(Date.UTC(2025, 11, 4))])
  await storeCalls(dataDir, [call(Date.UTC(2025, 11, 5))], NO_PRICES)
  const { models } = await json<Missing>('prices', 'missing')
  // One call of 1,000 and 500 tokens; the other two have a price.
  assert.deepEqual(
    models.map(({ tokens }) => tokens),
    [1500],
  )
})

const UNIT_CASES: readonly (readonly [string, Partial<UsageEvent>, string])[] = [
  ['images', { tokens: null, toolCalls: { image: 2 } }, '--per image=USD'],
  ['sound', { tokens: null, toolCalls: { audio_ms: 9000 } }, '--per audio_ms=USD'],
  ['pages', { tokens: null, toolCalls: { page: 3 } }, '--per page=USD'],
  ['speech', { tokens: null, toolCalls: { character: 32 } }, '--per character=USD'],
  ['films', { tokens: null, toolCalls: { video_ms: 8000 } }, '--per video_ms=USD'],
  ['input alone', { tokens: createTokenCounts({ input: 7 }) }, '--input USD'],
  [
    'searches beside tokens',
    { toolCalls: { web_search: 1 } },
    '--input USD --output USD --per web_search=USD',
  ],
  ['nothing that is known', { tokens: null }, '--input USD --output USD'],
]

for (const [name, changes, options] of UNIT_CASES) {
  test(`the proposed price is for what the model was used for: ${name}`, async (context) => {
    const { json, dataDir } = createCommandLine(context)
    const endedAt = Date.UTC(2025, 11, 3)
    const call = sampleCall({ provider: 'openai', model: 'acme-9', endedAt, ...changes })
    await storeCalls(dataDir, [call], NO_PRICES)
    const { models } = await json<Missing>('prices', 'missing')
    const expected = `weir prices set openai acme-9 ${options} --from 2025-12-01`
    assert.deepEqual(
      models.map(({ command }) => command),
      [expected],
    )
  })
}

test('nothing is proposed where the response states the cost', async (context) => {
  const { weir, json, dataDir } = createCommandLine(context)
  const endedAt = Date.UTC(2025, 11, 3)
  const call = sampleCall({ provider: 'gateway', model: 'openai/acme-9', endedAt })
  await storeCalls(dataDir, [call], NO_PRICES)
  const { models } = await json<Missing>('prices', 'missing')
  assert.deepEqual(
    models.map(({ model, command }) => [model, command]),
    [['openai/acme-9', null]],
  )
  const { out } = await weir('prices', 'missing')
  assert.doesNotMatch(out, /prices set/)
  assert.match(out, /Where responses state the cost.*no price list applies\.$/)
})
