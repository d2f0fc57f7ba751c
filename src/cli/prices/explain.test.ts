import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { findDifferingPrice } from '../../../test/prices/differing-price.ts'
import { openJournalScene } from '../../../test/fakes/journal-scene.ts'
import { sampleCall, storeCalls } from '../../../test/fakes/stored-calls.ts'
import { sampleOpening } from '../../../test/fakes/usage-samples.ts'
import type { RequestDetail } from '../../api/contract.ts'
import { createTokenCounts } from '../../core/token-counts.ts'

const DAY_MS = 86_400_000

test('a call is explained line by line', async (context) => {
  const { weir, json, dataDir, clock } = createCommandLine(context)
  const call = sampleCall({
    provider: 'openai',
    model: 'gpt-4o-2024-08-06',
    requestedModel: 'gpt-4o',
    endedAt: clock.nowMs - DAY_MS,
    dims: { team: 'search' },
    tokens: createTokenCounts({ input: 1000, cacheRead: 200, output: 500 }),
    toolCalls: { web_search: 1 },
    violation: 'gpt-4o-2024-08-06',
    streamed: true,
    ownMicros: 153,
    region: 'eu',
  })
  await storeCalls(dataDir, [call])
  const { code, out } = await weir('explain', call.id.toUpperCase())
  assert.equal(code, 0)
  for (const line of [
    /^request +[0-9a-f-]{36}$/m,
    /^ended +2026-01-30T12:00:00\.000Z \(1000 ms\)$/m,
    /^in Weir +0\.153 ms before it was forwarded$/m,
    /^model +gpt-4o-2024-08-06$/m,
    /^asked for +gpt-4o$/m,
    /^policy +violated: gpt-4o-2024-08-06 ran$/m,
    /^status +delivered: 200, streamed$/m,
    /^dimensions +team=search$/m,
    /^region +eu$/m,
    /^input tokens +1000 \(200 read from cache\)$/m,
    /^per unit +web_search=1$/m,
    /^cache_read +200 +1\.25 USD \/ million +0\.00025 USD$/m,
    /^input +800 +2\.5 USD \/ million +0\.002 USD$/m,
    /^web_search +1 +0\.01 USD each +0\.01 USD$/m,
    /^total +0\.01725 USD$/m,
    /^Today's prices give the same cost\.$/m,
  ]) {
    assert.match(out, line)
  }
  const whole = await json<Record<string, unknown>>('explain', call.id)
  assert.equal(whole['cost_usd'], '0.01725')
  assert.equal(whole['cache_read_tokens'], 200)
  assert.equal((whole['explanation'] as { lines: unknown[] }).lines.length, 4)
})

test("a call that the provider refused says the provider's own code", async (context) => {
  const { weir, dataDir, clock } = createCommandLine(context)
  const refused = { status: 'refused', httpStatus: 429, providerError: 'slow_down' } as const
  const call = sampleCall({ ...refused, endedAt: clock.nowMs - DAY_MS })
  await storeCalls(dataDir, [call])
  assert.match(
    (await weir('explain', call.id)).out,
    /^status +error from the provider: 429 slow_down$/m,
  )
})

test('a later price does not change what was recorded, and is told', async (context) => {
  const { weir, json, dataDir, clock } = createCommandLine(context)
  const endedAt = clock.nowMs - DAY_MS
  const call = sampleCall({ provider: 'openai', model: 'gpt-4o', endedAt })
  await storeCalls(dataDir, [call])
  const words = ['--input', '1', '--output', '1', '--from', '2026-01-01']
  await weir('prices', 'set', 'openai', 'gpt-4o', ...words)
  const { out } = await weir('explain', call.id)
  assert.match(out, /^Cost: 0\.0075 USD \(price-book\)/m)
  assert.match(out, /By today's prices: 0\.0015 USD \(override, override price_/)
  const whole = await json<{ today: { is_same: boolean } }>('explain', call.id)
  assert.equal(whole.today.is_same, false)
})

test('where the sources of its price differ, a call says so until there is another', async (context) => {
  const { weir, json, dataDir, clock } = createCommandLine(context)
  const endedAt = clock.nowMs - DAY_MS
  const price = findDifferingPrice(endedAt)
  const { provider, model, other, unit, listedUsd, otherUsd } = price
  const call = sampleCall({ provider, model, endedAt })
  await storeCalls(dataDir, [call])
  const { out } = await weir('explain', call.id)
  const line = out.split('\n').find((each) => each.startsWith('Sources differ: ')) ?? out
  assert.ok(line.startsWith(`Sources differ: ${other} has `), line)
  assert.ok(line.includes(` ${unit} ${otherUsd} (listed ${listedUsd})`), line)
  const { explanation } = await json<RequestDetail>('explain', call.id)
  assert.deepEqual(
    explanation.differs.map((each) => [each.model, each.source]),
    [[model, other]],
  )

  const agreed = sampleCall({ provider: 'openai', model: 'gpt-4o', endedAt })
  await storeCalls(dataDir, [agreed])
  assert.doesNotMatch((await weir('explain', agreed.id)).out, /Sources differ/)

  // The call was priced by what is not the price any more.
  const words = ['--input', '1', '--output', '1', '--from', '2026-01-01']
  await weir('prices', 'set', provider, model, ...words)
  assert.doesNotMatch((await weir('explain', call.id)).out, /Sources differ/)
})

test('an unpriced call says why', async (context) => {
  const { weir, dataDir, clock } = createCommandLine(context)
  const endedAt = clock.nowMs - DAY_MS
  const call = sampleCall({ provider: 'openai', model: 'odd\u001b[2J', endedAt })
  await storeCalls(dataDir, [call])
  const { out } = await weir('explain', call.id)
  assert.doesNotMatch(out, /^region/m)
  assert.match(out, /^Cost: not known \(unpriced\)\. The cost is not known\. When it was recorded/m)
  assert.ok(!out.includes('\u001b'), 'a name from outside cannot rewrite the terminal')
})

test('an unknown call is told with how long calls are kept', async (context) => {
  const { weir } = createCommandLine(context)
  const { code, err } = await weir('explain', '0197f2f0-0000-7000-8000-000000000000')
  assert.equal(code, 1)
  assert.match(err, /There is no call 0197f2f0.*By its id, it started at 2025-07-10 06:05Z\./)
  assert.match(err, /kept for 400 days \(retention\.events\)/)
})

test('a call that is not stored yet is found in the journal', async (context) => {
  const { weir, dataDir, clock } = createCommandLine(context)
  await weir('prices', 'missing')
  const call = sampleCall({ provider: 'openai', model: 'gpt-4o', endedAt: clock.nowMs })
  const running = sampleCall({ provider: 'openai', model: 'gpt-4o', endedAt: clock.nowMs })
  const journal = openJournalScene(context).open({ dir: join(dataDir, 'journal') })
  journal.append({ kind: 'open', opening: sampleOpening({ id: call.id }) })
  journal.append({ kind: 'close', event: call })
  await new Promise<void>((resolve) => {
    journal.append({ kind: 'open', opening: sampleOpening({ id: running.id }) }, () => resolve())
  })
  assert.match((await weir('explain', call.id)).err, /has ended and is waiting in the journal\./)
  assert.match((await weir('explain', running.id)).err, /forwarded, and its end is not known yet/)
  await journal.close()
})

test('what is no id is refused', async (context) => {
  const { code, err } = await createCommandLine(context).weir('explain', 'svc_k_1')
  assert.equal(code, 2)
  assert.match(err, /REQUEST_ID is not the id of a request/)
})
