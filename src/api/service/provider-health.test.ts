import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallGlance } from '../../store/usage/request-log.ts'
import { toProviderHealth } from './provider-health.ts'

const ADDRESSES = [{ id: 'north', url: 'https://north.example', shape: null, hasCredential: false }]
const START = Date.parse('2026-03-15T12:00:00.000Z')

function healthOf(...calls: readonly Partial<CallGlance>[]) {
  const plain = { provider: 'north', status: 'delivered', httpStatus: 200, startedAt: START }
  const glances = calls.map((call) => ({ ...plain, firstByteAt: null, ...call }) as CallGlance)
  const [health] = toProviderHealth(ADDRESSES, glances)
  return health
}

const OUTCOMES: readonly (readonly [string, Partial<CallGlance>, readonly number[]])[] = [
  ['delivered', {}, [1, 0, 0]],
  ['answered 500', { status: 'refused', httpStatus: 500 }, [1, 1, 0]],
  ['answered 499', { status: 'refused', httpStatus: 499 }, [1, 0, 1]],
  ['answered 400', { status: 'refused', httpStatus: 400 }, [1, 0, 1]],
  ['not reached', { status: 'cut', httpStatus: null }, [1, 1, 0]],
  ['cut within the answer', { status: 'cut' }, [1, 1, 0]],
  ['cut within a refusal', { status: 'cut', httpStatus: 429 }, [1, 1, 0]],
  ['left by its caller', { status: 'aborted', httpStatus: null }, [1, 0, 0]],
  ['denied by Weir', { status: 'denied', httpStatus: null }, [0, 0, 0]],
  ['made to another provider', { provider: 'south', httpStatus: 500 }, [0, 0, 0]],
]

for (const [title, call, figures] of OUTCOMES) {
  test(`a call that was ${title} counts as calls, failures, refusals ${figures.join(', ')}`, () => {
    const health = healthOf(call)
    assert.deepEqual([health?.calls, health?.failures, health?.refusals], figures)
  })
}

const MEDIANS: readonly (readonly [readonly (number | null)[], number | null])[] = [
  [[], null],
  [[null], null],
  [[30], 30],
  [[90, 30], 30],
  [[90, null, 30, 60], 60],
  [[1000, 9, 80, 100, 90], 90],
  [[-5], 0],
]

for (const [waits, median] of MEDIANS) {
  test(`the middle of the waits ${waits.join(', ')} is ${median}`, () => {
    const calls = waits.map((ms) => ({ firstByteAt: ms === null ? null : START + ms }))
    assert.equal(healthOf(...calls)?.first_byte_ms, median)
  })
}

test('the newest call comes first and is shown', () => {
  const health = healthOf({ startedAt: START + 5 }, { startedAt: START })
  assert.equal(health?.last_call_at, '2026-03-15T12:00:00.005Z')
})
