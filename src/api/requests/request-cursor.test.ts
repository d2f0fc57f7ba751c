import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRequestId } from '../../core/ids.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import type { RequestFilter } from '../../store/usage/request-log.ts'
import { requestParametersSchema } from '../contract.ts'
import { formatCursor, parseCursor } from './request-cursor.ts'

const ID = createRequestId(Date.parse('2026-03-15T12:00:00Z'))

const OTHERS: readonly RequestFilter[] = [
  ALL_REQUESTS,
  { ...ALL_REQUESTS, endedFromMs: 1 },
  { ...ALL_REQUESTS, endedToMs: 1 },
  { ...ALL_REQUESTS, keyId: 'one' },
  { ...ALL_REQUESTS, provider: 'one' },
  { ...ALL_REQUESTS, model: 'one' },
  { ...ALL_REQUESTS, dim: { key: 'one', value: null } },
  { ...ALL_REQUESTS, dim: { key: 'one', value: 'one' } },
  { ...ALL_REQUESTS, status: 'delivered' },
  { ...ALL_REQUESTS, status: ['cut', 'delivered'] },
  { ...ALL_REQUESTS, source: 'free' },
  { ...ALL_REQUESTS, usage: 'partial' },
]

test('a cursor leads back to its id, and the contract takes it', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.constantFrom(...OTHERS), (id, filter) => {
      const cursor = formatCursor(id, filter)
      assert.equal(parseCursor(cursor, filter), id)
      assert.ok(requestParametersSchema.safeParse({ cursor }).success)
    }),
  )
})

test('a cursor belongs to the filter it was made for, and to no other', () => {
  for (const [at, filter] of OTHERS.entries()) {
    for (const [otherAt, other] of OTHERS.entries()) {
      const parse = () => parseCursor(formatCursor(ID, filter), other)
      if (at === otherAt) assert.equal(parse(), ID)
      else assert.throws(parse, { code: 'invalid_parameter', message: /belongs to another query/ })
    }
  }
})

test('a cursor of before usage could be asked for is still good', () => {
  const id = '019cf1a0-7c1e-7a3b-9d2f-4b6a8c0e1f23'
  const filter: RequestFilter = { ...ALL_REQUESTS, status: 'cut' }
  assert.equal(formatCursor(id, filter), 'AZzxoHweejudL0tqjA4fI8ZoGzyC0Taa-yATTw')
})

test("the order of a filter's members says nothing", () => {
  const turned = Object.fromEntries(
    Object.entries(ALL_REQUESTS).toReversed(),
  ) as unknown as RequestFilter
  assert.equal(formatCursor(ID, turned), formatCursor(ID, ALL_REQUESTS))
})

test('whatever else is handed in is refused, never taken for an id', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{0,40}$/), (cursor) => {
      assert.throws(() => parseCursor(cursor, ALL_REQUESTS), { code: 'invalid_parameter' })
    }),
  )
  // The last character carries two bits too many: only one spelling is ours.
  const cursor = formatCursor(ID, ALL_REQUESTS)
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.indexOf(
    cursor.slice(-1),
  )
  assert.equal(last % 16, 0)
  assert.throws(() => parseCursor(cursor.slice(0, -1) + 'B', ALL_REQUESTS), {
    code: 'invalid_parameter',
  })
})
