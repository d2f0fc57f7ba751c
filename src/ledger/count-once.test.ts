import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecord } from '../../test/contracts/usage-scene.ts'
import { createTokenCounts } from '../core/token-counts.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import { createPriceTables } from '../pricing/tables/price-tables.ts'
import type { CountedUse } from '../store/ledger/ledger-progress.ts'
import { createUsageBatch } from './batch.ts'
import { createCountOnce, findUncountedObjects, findObjects } from './count-once.ts'

const NAME = 'response:resp_1'
const tokens = createTokenCounts({ input: 10, output: 5 })

function eventOf(changes: Partial<UsageEvent> = {}): UsageEvent {
  return createRecord({ countedAs: NAME, toolCalls: { web_search: 1 }, ...changes }).event
}

const useOf = ({ provider, id, endedAt }: UsageEvent): CountedUse => {
  return { provider, name: NAME, eventId: id, endedAt }
}

test('the first to report an object counts, each later one is a call that used nothing', () => {
  const shares = [{ model: 'm', tokens }]
  const [first, second, third] = [eventOf(), eventOf({ shares }), eventOf()]
  const once = createCountOnce([])
  assert.equal(once.take(first), first)
  const repeat = once.take(second)
  assert.deepEqual(repeat, {
    ...eventOf({ id: second.id }),
    chargeable: false,
    usage: 'none',
    tokens: null,
    toolCalls: {},
    billing: null,
  })
  assert.equal('shares' in repeat, false)
  assert.equal(once.take(third).tokens, null)
  assert.deepEqual(once.counted(), [useOf(first)])
})

test('an object that an earlier batch counted is not counted again', () => {
  const earlier = eventOf()
  const once = createCountOnce([useOf(earlier)])
  assert.equal(once.take(eventOf()).tokens, null)
  assert.deepEqual(once.counted(), [])
})

test('an event that is delivered again is not its own repeat', () => {
  const event = eventOf()
  assert.equal(createCountOnce([useOf(event)]).take(event), event)
  const once = createCountOnce([])
  assert.equal(once.take(event), event)
  assert.equal(once.take(event), event)
  assert.deepEqual(once.counted(), [useOf(event)])
})

test('an object is free for the next when the event that was to count it is given back', () => {
  const [broken, next] = [eventOf(), eventOf()]
  const once = createCountOnce([])
  once.take(broken)
  once.giveBack(broken)
  assert.deepEqual(once.counted(), [])
  assert.equal(once.take(next), next)
  const repeat = once.take(broken)
  once.giveBack(repeat)
  assert.deepEqual(once.counted(), [useOf(next)])
})

test('objects of one name at two providers are two', () => {
  const [north, south] = [eventOf(), eventOf({ provider: 'south' })]
  const once = createCountOnce([])
  assert.equal(once.take(north), north)
  assert.equal(once.take(south), south)
})

test('an event that reports nothing takes no turn: the usage may come later', () => {
  const queued = eventOf({ tokens: null, toolCalls: {}, usage: 'none' })
  const reported = eventOf()
  const once = createCountOnce([])
  assert.equal(once.take(queued), queued)
  assert.equal(once.take(reported), reported)
})

test('uncounted calls report their objects too', () => {
  const uncounted = eventOf()
  const calls = [
    { worker: 'w', opening: uncounted },
    { worker: 'w', opening: uncounted, uncounted },
  ]
  assert.deepEqual(findUncountedObjects(calls), [{ provider: 'north', name: NAME }])
})

test('events that name no object are left alone', () => {
  const { countedAs: _, ...event } = eventOf()
  const once = createCountOnce([])
  assert.equal(once.take(event), event)
  assert.deepEqual(findObjects([{ worker: 'w', sequence: 1, entry: { kind: 'close', event } }]), [])
})

test('a repeat is recorded as a free call, and its price is not looked up', () => {
  const [first, second] = [eventOf(), eventOf()]
  const lines = [first, second].map((event, index) => {
    return { worker: 'w', sequence: index + 1, entry: { kind: 'close', event } as const }
  })
  assert.deepEqual(findObjects(lines), [
    { provider: 'north', name: NAME },
    { provider: 'north', name: NAME },
  ])
  const context = { openCalls: new Map(), priceTables: createPriceTables({ tables: [] }), nowMs: 0 }
  const read = { lines, unreadLines: [], cursors: [], forwarded: 0 }
  const { usage: batch } = createUsageBatch(read, context)
  assert.deepEqual(
    batch.records.map(({ cost }) => cost.source),
    ['unpriced', 'free'],
  )
  assert.deepEqual(batch.counted, [useOf(first)])
})
