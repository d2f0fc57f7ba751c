import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRequestId } from '../../core/ids.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import type { RequestFilter, RequestOrder } from '../../store/usage/request-log.ts'
import { requestParametersSchema } from '../contract.ts'
import { formatCursor, parseCursor } from './request-cursor.ts'
import type { Listing } from './request-cursor.ts'

const ID = createRequestId(Date.parse('2026-03-15T12:00:00Z'))

const FILTERS: readonly RequestFilter[] = [
  ALL_REQUESTS,
  { ...ALL_REQUESTS, endedFromMs: 1 },
  { ...ALL_REQUESTS, endedToMs: 1 },
  { ...ALL_REQUESTS, keyId: 'one' },
  { ...ALL_REQUESTS, provider: 'one' },
  { ...ALL_REQUESTS, model: 'one' },
  { ...ALL_REQUESTS, team: 'one' },
  { ...ALL_REQUESTS, person: 'one' },
  { ...ALL_REQUESTS, tool: 'one' },
  { ...ALL_REQUESTS, tool_version: 'one' },
  { ...ALL_REQUESTS, agent_kind: 'one' },
  { ...ALL_REQUESTS, repository: 'one' },
  { ...ALL_REQUESTS, session: 'one' },
  { ...ALL_REQUESTS, dim: { key: 'one', value: null } },
  { ...ALL_REQUESTS, dim: { key: 'one', value: 'one' } },
  { ...ALL_REQUESTS, status: 'delivered' },
  { ...ALL_REQUESTS, status: ['cut', 'delivered'] },
  { ...ALL_REQUESTS, source: 'free' },
  { ...ALL_REQUESTS, usage: 'partial' },
  { ...ALL_REQUESTS, httpStatus: '429' },
  { ...ALL_REQUESTS, errorCode: '429' },
  { ...ALL_REQUESTS, durationMinMs: 429 },
  { ...ALL_REQUESTS, durationMaxMs: 429 },
  { ...ALL_REQUESTS, streamed: true },
  { ...ALL_REQUESTS, streamed: false },
  { ...ALL_REQUESTS, id: '429' },
]

const NEWEST: RequestOrder = { by: 'time', isAscending: false }
const ORDERS: readonly RequestOrder[] = [
  { by: 'time', isAscending: true },
  { by: 'cost', isAscending: false },
  { by: 'cost', isAscending: true },
  { by: 'duration', isAscending: false },
]
const ALL: Listing = { filter: ALL_REQUESTS, order: NEWEST }
const LISTINGS: readonly Listing[] = [
  ...FILTERS.map((filter) => ({ filter, order: NEWEST })),
  ...ORDERS.map((order) => ({ filter: ALL_REQUESTS, order })),
  { filter: { ...ALL_REQUESTS, usage: 'partial' }, order: { by: 'cost', isAscending: false } },
]
const PLACE = { key: 0, id: ID }

test('a cursor leads back to its place, and the contract takes it', () => {
  const keys = fc.double({ noNaN: true })
  fc.assert(
    fc.property(fc.uuid(), keys, fc.constantFrom(...LISTINGS), (id, key, listing) => {
      const cursor = formatCursor({ key, id }, listing)
      const isPlain = listing.order === NEWEST
      assert.deepEqual(parseCursor(cursor, listing), { key: isPlain ? 0 : key, id })
      assert.ok(requestParametersSchema.safeParse({ cursor }).success)
    }),
  )
})

test('a cursor belongs to the filter and order it was made for, and to no other', () => {
  for (const [at, listing] of LISTINGS.entries()) {
    for (const [otherAt, other] of LISTINGS.entries()) {
      const parse = () => parseCursor(formatCursor(PLACE, listing), other)
      if (at === otherAt) assert.deepEqual(parse(), PLACE)
      else assert.throws(parse, { code: 'invalid_parameter', message: /belongs to another query/ })
    }
  }
})

test('a cursor of before usage or an order could be asked for is still good', () => {
  const id = '019cf1a0-7c1e-7a3b-9d2f-4b6a8c0e1f23'
  const filter: RequestFilter = { ...ALL_REQUESTS, status: 'cut' }
  const cursor = formatCursor({ key: 0, id }, { filter, order: NEWEST })
  assert.equal(cursor, 'AZzxoHweejudL0tqjA4fI8ZoGzyC0Taa-yATTw')
})

test("the order of a filter's members says nothing", () => {
  const turned = Object.fromEntries(
    Object.entries(ALL_REQUESTS).toReversed(),
  ) as unknown as RequestFilter
  const listing = { filter: turned, order: NEWEST }
  assert.equal(formatCursor(PLACE, listing), formatCursor(PLACE, ALL))
})

test('whatever else is handed in is refused, never taken for an id', () => {
  const [order] = ORDERS as [RequestOrder]
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{0,50}$/), (cursor) => {
      for (const listing of [ALL, { ...ALL, order }]) {
        assert.throws(() => parseCursor(cursor, listing), { code: 'invalid_parameter' })
      }
    }),
  )
  // The last character carries two bits too many: only one spelling is ours.
  const cursor = formatCursor(PLACE, ALL)
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.indexOf(
    cursor.slice(-1),
  )
  assert.equal(last % 16, 0)
  assert.throws(() => parseCursor(cursor.slice(0, -1) + 'B', ALL), {
    code: 'invalid_parameter',
  })
})
