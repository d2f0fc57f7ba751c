// From a call that nobody could price to one that finance can rely on, by the commands alone.

import { findFaults } from '../../../test/contracts/usage-scene.ts'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { sampleCall, storeCalls, withUsage } from '../../../test/fakes/stored-calls.ts'
import type { UsageEvent } from '../../core/usage-event.ts'

const DAY_MS = 86_400_000

async function costOf(dataDir: string): Promise<readonly [bigint | undefined, number | undefined]> {
  const period = { grain: 'month', from: '2025-01', to: '2026-12' } as const
  const sums = await withUsage(dataDir, (store) =>
    store.usage.sum({ period, grouping: { by: 'total' }, keyId: null }),
  )
  return [sums[0]?.cost, sums[0]?.unpriced]
}

async function storeUnpriced(line: CommandLine): Promise<UsageEvent> {
  const endedAt = line.clock.nowMs - 2 * DAY_MS
  const event = sampleCall({
    provider: 'openai',
    model: 'Acme-9',
    endedAt,
    dims: { team: 'search' },
    keyId: 'svc_k_0123456789abcdef',
  })
  await storeCalls(line.dataDir, [event])
  return event
}

test('an unpriced call is found, priced, repriced and explained', async (context) => {
  const line = createCommandLine(context)
  const { weir, json, dataDir } = line
  const event = await storeUnpriced(line)

  const missing = await json<{ models: { command: string; requests: number }[] }>(
    'prices',
    'missing',
  )
  assert.equal(missing.models[0]?.requests, 1)
  assert.equal(
    missing.models[0]?.command,
    'weir prices set openai acme-9 --input USD --output USD --from 2026-01-01',
  )

  const words = (missing.models[0]?.command ?? '').replaceAll('USD', '2').split(' ').slice(1)
  const { id } = await json<{ id: string }>(...words)
  assert.deepEqual(await costOf(dataDir), [0n, 1])

  const dry = await weir('reprice')
  assert.equal(dry.code, 0)
  assert.match(dry.out, /svc_k_0123456789abcdef {2}1 {6}0 {7}0\.003 {2}\+0\.003/)
  assert.match(dry.out, /openai Acme-9/)
  assert.match(dry.out, /Nothing was changed\. To change it:\n {2}weir reprice .*--apply/)
  assert.deepEqual(await costOf(dataDir), [0n, 1])

  const applied = await weir('reprice', '--apply')
  assert.match(applied.out, /Done\. Repricing 1, 2026-01-31 12:00Z, by .+: 1 call, 0 → 0\.003 USD/)
  assert.deepEqual(await costOf(dataDir), [3_000_000_000n, 0])

  const explained = await json<Record<string, unknown>>('explain', event.id)
  assert.equal(explained['source'], 'override')
  assert.equal(explained['cost_usd'], '0.003')
  assert.equal(explained['price_version'], `override ${id}@2026-01-01`)
  assert.deepEqual(explained['today'], {
    cost_usd: '0.003',
    source: 'override',
    price_version: `override ${id}@2026-01-01`,
    is_same: true,
  })

  assert.match((await weir('prices', 'missing')).out, /Every recorded call has a cost\./)
  assert.match((await weir('reprice', '--apply')).out, /No cost would change/)
  const log = await json<{ repricings: Record<string, unknown>[] }>('reprice', '--log')
  assert.equal(log.repricings.length, 1)
  const { who, ...rest } = log.repricings[0] ?? {}
  assert.equal(typeof who, 'string')
  assert.deepEqual(rest, {
    id: 1,
    at: '2026-01-31T12:00:00.000Z',
    what: 'unpriced calls',
    calls: 1,
    before_usd: '0',
    after_usd: '0.003',
    difference_usd: '0.003',
    months: [
      {
        month: '2026-01',
        calls: 1,
        before_usd: '0',
        after_usd: '0.003',
        difference_usd: '0.003',
      },
    ],
  })
  const faults = await withUsage(dataDir, (store) => findFaults(store))
  assert.deepEqual(faults, [])
})

test('what stays without a cost is shown with its reason', async (context) => {
  const line = createCommandLine(context)
  await storeUnpriced(line)
  const { out } = await line.weir('reprice')
  assert.match(out, /No cost would change; 1 call checked\./)
  assert.match(out, /Still without a cost:\n {2}openai Acme-9 {2}1 {2}no price is known/)
  const none = await line.weir('reprice', '--provider', 'groq')
  assert.match(none.out, /; 0 calls checked\.$/)
  const { unpriced } = await line.json<{ unpriced: unknown }>('reprice')
  assert.deepEqual(unpriced, [
    { provider: 'openai', model: 'Acme-9', reason: 'no price is known for Acme-9', calls: 1 },
  ])
})

test('a call with a cost is repriced when all are asked for', async (context) => {
  const { weir, json, dataDir, clock } = createCommandLine(context)
  const call = sampleCall({ provider: 'openai', model: 'gpt-4o', endedAt: clock.nowMs - DAY_MS })
  await storeCalls(dataDir, [call])
  const words = ['prices', 'set', 'openai', 'gpt-*', '--multiplier', '0.5', '--from', '2026-01-01']
  assert.match((await weir(...words)).out, /weir reprice --provider openai --model 'gpt-\*'/)
  const scope = ['reprice', '--provider', 'openai', '--model', 'gpt-*', '--from', '2026-01-01']
  assert.equal((await json<{ calls: number }>(...scope)).calls, 0)
  const all = await json<Record<string, unknown>>(...scope, '--to', '2026-02-01', '--all')
  assert.deepEqual(
    [all['applied'], all['calls'], all['before_usd'], all['after_usd'], all['difference_usd']],
    [false, 1, '0.0075', '0.00375', '-0.00375'],
  )
  const { repricing } = await json<{ repricing: { what: string } }>(...scope, '--all', '--apply')
  assert.equal(
    repricing.what,
    'all calls with a computed cost or none, provider openai, model gpt-*, ended from 2026-01-01T00:00:00.000Z',
  )
  const shown = await weir('explain', call.id)
  assert.match(shown.out, /Cost: 0\.00375 USD \(override\)/)
})

test('calls of a provider that is no longer configured can be repriced', async (context) => {
  const { weir, dataDir, clock } = createCommandLine(context)
  const endedAt = clock.nowMs - DAY_MS
  await storeCalls(dataDir, [sampleCall({ provider: 'acme', model: 'acme-9', endedAt })])
  const { code, out } = await weir('reprice', '--provider', 'acme')
  assert.equal(code, 0)
  assert.match(out, /1 call checked/)
})

const REFUSED: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['no moment', ['--from', 'soon'], 2, /--from "soon" is not a date or time/],
  ['an end before its start', ['--from', '2026-02-01', '--to', '2026-01-01'], 2, /not before --to/],
  ['a provider with a slip', ['--provider', 'opneai'], 1, /no provider "opneai"\.\nDid you mean/],
  ['no provider', ['--provider', 'nosuch'], 1, /no provider "nosuch"\.\nThere are: /],
  ['a log with a scope', ['--log', '--all'], 2, /--log cannot be combined with --all/],
]

describe('reprice refuses', () => {
  for (const [name, words, code, message] of REFUSED) {
    test(name, async (context) => {
      const result = await createCommandLine(context).weir('reprice', ...words)
      assert.equal(result.code, code)
      assert.match(result.err, message)
    })
  }
})
