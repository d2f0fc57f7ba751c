import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'

import { sampleEvent, sampleOpening } from '../../test/fakes/usage-samples.ts'
import { createTokenCounts } from './token-counts.ts'
import { openingToText, usageEventToText } from './usage-event-text.ts'
import { usageEventFromJson } from './usage-event.ts'
import type { UsageEvent } from './usage-event.ts'

const TOKENS = createTokenCounts({
  input: 10,
  cacheRead: 4,
  cacheReadAudio: 2,
  cacheReadImage: 1,
  output: 3,
  reasoning: 2,
})

/** With every member that there is: one that is added has to be added here too. */
const FULL: Required<UsageEvent> = {
  version: 1,
  id: '019a3f00-0000-7000-8000-000000000001',
  keyId: 'svc_k_1',
  provider: 'acme',
  operation: 'acme-chat',
  dims: { team: 'search', city: 'Köln\n' },
  startedAt: 1,
  requestedModel: 'a"b\\c',
  model: 'модель',
  status: 'delivered',
  httpStatus: 200,
  errorCode: 'provider_error',
  streamed: true,
  firstByteAt: 2,
  endedAt: 3,
  requestBytes: 4,
  responseBytes: 5,
  chargeable: true,
  usage: 'partial',
  tokens: TOKENS,
  toolCalls: { web_search: 2 },
  serviceTier: 'flex',
  billing: {
    cost: 10n ** 20n + 1n,
    marketCost: 0n,
    isByok: false,
    generationId: 'gen_1',
    isPlan: true,
  },
  shares: [{ model: null, tokens: TOKENS, largestInput: 7 }],
  countedAs: 'response:resp_1',
  violation: 'acme/other',
  ownMicros: 153,
  region: 'us-east5',
  providerError: 'rate_limit_exceeded',
  agent: {
    toolVersion: '2.1.197',
    session: 'a "quoted" one',
    agent: 'a1',
    parentAgent: 'a0',
    device: 'd1',
    account: 'u1',
    retry: 1,
  },
  trace: '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
}

function reread(event: UsageEvent): UsageEvent {
  return usageEventFromJson(JSON.parse(usageEventToText(event)))
}

test('an event comes back from its text as it was, to the last pico-dollar', () => {
  assert.deepEqual(reread(FULL), FULL)
  const {
    shares: _,
    countedAs: __,
    violation: ___,
    ownMicros: ____,
    region: _____,
    providerError: ______,
    agent: _______,
    ...usual
  } = FULL
  assert.deepEqual(reread(usual), usual)
  const tokens = createTokenCounts({ input: 10, cacheRead: 4, cacheReadImage: 1 })
  assert.deepEqual(reread({ ...usual, tokens }).tokens, tokens)
})

test('an event of which little is known comes back as it was', () => {
  const bare = sampleEvent({
    keyId: null,
    operation: null,
    dims: {},
    requestedModel: null,
    model: null,
    httpStatus: null,
    errorCode: null,
    firstByteAt: null,
    tokens: null,
    toolCalls: {},
    serviceTier: null,
    billing: null,
  })
  assert.deepEqual(reread(bare), bare)
})

test('an opening comes back from its text as it was', () => {
  const opening = sampleOpening({ dims: { team: 'a', note: '"\\' } })
  assert.deepEqual(JSON.parse(openingToText(opening)), opening)
})

test('who stated a cost comes back where it was noted, and is left out where it was not', () => {
  const unnoted = { cost: 5n, marketCost: null, isByok: null, generationId: null }
  for (const billing of [unnoted, { ...unnoted, statedBy: 'provider' as const }]) {
    const event = sampleEvent({ billing })
    assert.deepEqual(usageEventFromJson(JSON.parse(usageEventToText(event))).billing, billing)
  }
})

test('money is in the text as a person would write it', () => {
  const billing = { cost: 4_200_000n, marketCost: 0n, isByok: null, generationId: null }
  const text = usageEventToText(sampleEvent({ billing }))
  assert.match(text, /"billing":\{"cost":"0\.0000042","marketCost":"0","isByok":null,/)
})

test('no text of others can break out of its quotes', () => {
  const text = fc.string({ unit: 'binary' })
  const key = fc.stringMatching(/^[a-z]{1,8}$/)
  fc.assert(
    fc.property(
      text,
      text,
      fc.dictionary(key, text, { noNullPrototype: true }),
      (one, two, dims) => {
        const billing = { cost: null, marketCost: null, isByok: true, generationId: two }
        const event = sampleEvent({
          keyId: two,
          provider: one,
          operation: one,
          dims,
          requestedModel: one,
          model: two,
          errorCode: one,
          serviceTier: two,
          billing,
          countedAs: one,
          violation: two,
        })
        assert.deepEqual(reread(event), event)
        assert.ok(!usageEventToText(event).includes('\n'))
      },
    ),
  )
})
