import assert from 'node:assert/strict'
import { test } from 'node:test'

import { sampleEvent, sampleOpening } from '../../test/fakes/usage-samples.ts'
import { toInterruptedEvent, usageEventFromJson } from './usage-event.ts'

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
