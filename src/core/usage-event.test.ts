import assert from 'node:assert/strict'
import { test } from 'node:test'

import { sampleEvent, sampleOpening } from '../../test/fakes/usage-samples.ts'
import { createTokenCounts } from './token-counts.ts'
import { toInterruptedEvent, usageEventFromJson, usageEventToJson } from './usage-event.ts'

test('an event comes back from JSON as it was, to the last pico-dollar', () => {
  const event = sampleEvent({
    tokens: createTokenCounts({ input: 10, cacheRead: 4, output: 3 }),
    toolCalls: { web_search: 2 },
    billing: { cost: 10n ** 20n + 1n, marketCost: null, isByok: null, generationId: 'gen_1' },
  })
  assert.deepEqual(usageEventFromJson(JSON.parse(JSON.stringify(usageEventToJson(event)))), event)
  assert.deepEqual(usageEventFromJson(usageEventToJson(sampleEvent())).billing, null)
})

test('money stands in JSON as a person would write it', () => {
  const billing = { cost: 4_200_000n, marketCost: 0n, isByok: false, generationId: null }
  const json = usageEventToJson(sampleEvent({ billing })) as { billing: unknown }
  assert.deepEqual(json.billing, { ...billing, cost: '0.0000042', marketCost: '0' })
})

test('an event of another version is a defect, not data', () => {
  assert.throws(() => usageEventFromJson({ ...sampleEvent(), version: 2 }), /version 2/)
  assert.throws(() => usageEventFromJson(null), /an object/)
})

test('an interrupted call keeps what its opening said and ends when it was found', () => {
  const opening = sampleOpening({ dims: { team: 'a' } })
  const event = toInterruptedEvent(opening, 5)
  assert.deepEqual([event.id, event.dims, event.endedAt], [opening.id, { team: 'a' }, 5])
  assert.deepEqual([event.status, event.usage, event.chargeable], ['interrupted', 'none', true])
})
