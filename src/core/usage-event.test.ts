import assert from 'node:assert/strict'
import { test } from 'node:test'

import { sampleEvent, sampleOpening } from '../../test/fakes/usage-samples.ts'
import {
  parseRegion,
  REGION_CHARACTERS_MAX,
  toInterruptedEvent,
  usageEventFromJson,
} from './usage-event.ts'

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

const LONGEST = 'a'.repeat(REGION_CHARACTERS_MAX)

const REGIONS: readonly (readonly [text: string, region: string | null])[] = [
  ['us-east5', 'us-east5'],
  ['global', 'global'],
  ['Data-Zone', 'data-zone'],
  [LONGEST, LONGEST],
  [`${LONGEST}a`, null],
  ['', null],
  ['us east', null],
  ['us_east', null],
  ['us.east', null],
  ['us\n', null],
  ['ümlaut', null],
]

for (const [text, region] of REGIONS) {
  test(`${JSON.stringify(text)} is ${region ?? 'no region'}`, () => {
    assert.equal(parseRegion(text), region)
  })
}
