import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toIdTime, toMissingCall } from './missing-call-words.ts'

const ID = '01a1e25e-b904-75e0-9e16-25245831b1d8'
const STARTED_MS = Date.parse('2026-11-16T03:20:20.996Z')
const DAY_MS = 86_400_000

test('the id of a call says when it began', () => {
  assert.equal(toIdTime(ID), STARTED_MS)
  assert.equal(toIdTime(ID.toUpperCase()), STARTED_MS)
  assert.equal(toIdTime('01a1e25e-b904-45e0-9e16-25245831b1d8'), null)
  assert.equal(toIdTime('gen_123'), null)
})

test('why a call is missing depends on its age', () => {
  const ask = (afterMs: number, retentionDays: number | undefined = 400) =>
    toMissingCall({ id: ID, nowMs: STARTED_MS + afterMs, retentionDays }).kind
  assert.equal(ask(5000), 'young')
  assert.equal(ask(DAY_MS), 'unknown')
  assert.equal(ask(401 * DAY_MS), 'removed')
  assert.equal(ask(400 * DAY_MS), 'unknown')
  assert.equal(toMissingCall({ id: 'x', nowMs: 0, retentionDays: 1 }).kind, 'no-id')
})

test('nothing is said of retention while it is not known', () => {
  const nowMs = STARTED_MS + 900 * DAY_MS
  assert.equal(toMissingCall({ id: ID, nowMs, retentionDays: undefined }).kind, 'unknown')
})
