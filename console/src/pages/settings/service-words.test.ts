import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isDiskLow,
  toCompletenessWords,
  toPriceDataWords,
  toProviderState,
} from './service-words.ts'

const FIGURES = {
  as_of: '2026-03-01T00:00:00Z',
  forwarded: 10,
  recorded: 10,
  pending: 0,
  dead: 0,
  lost: 0,
  is_complete: true,
  nodes: [],
}

test('calls that still run are no fault, calls that are lost always are', () => {
  const cases = [
    [{}, 'good', 'Complete'],
    [{ pending: 3 }, 'good', 'Complete so far'],
    [{ pending: 3, dead: 1 }, 'warning', 'Calls not recorded'],
    [{ pending: 3, dead: 1, lost: 1 }, 'bad', 'Incomplete'],
  ] as const
  for (const [change, tone, label] of cases) {
    const words = toCompletenessWords({ ...FIGURES, ...change })
    assert.deepEqual([words.tone, words.label], [tone, label])
  }
  assert.match(toCompletenessWords({ ...FIGURES, dead: 1 }).text, /^1 call .* was kept in a file/)
})

test('a provider is judged by the share of its calls', () => {
  const cases = [
    [{ calls: 0, failures: 0, refusals: 0 }, 'No calls'],
    [{ calls: 100, failures: 4, refusals: 10 }, 'Healthy'],
    [{ calls: 100, failures: 5, refusals: 90 }, 'Degraded'],
    [{ calls: 100, failures: 50, refusals: 0 }, 'Failing'],
    [{ calls: 100, failures: 0, refusals: 50 }, 'Refusing'],
  ] as const
  const about = { id: 'p', url: 'u', shape: null, has_credential: false }
  const rest = { ...about, first_byte_ms: null, last_call_at: null }
  for (const [counts, label] of cases) {
    assert.equal(toProviderState({ ...rest, ...counts }).label, label)
  }
})

test('price data that is old says what to do', () => {
  const data = {
    version: 'v',
    published_at: '2026-01-01T00:00:00Z',
    age_days: 3,
    is_old: false,
    imported_at: null,
    imported_by: null,
    is_import_outdated: false,
    last_update: null,
  }
  assert.equal(toPriceDataWords(data).tone, 'good')
  assert.equal(toPriceDataWords({ ...data, age_days: 1 }).label, '1 day old')
  assert.match(toPriceDataWords({ ...data, is_old: true }).text, /weir prices import/)
  assert.match(toPriceDataWords({ ...data, is_import_outdated: true }).text, /Import again/)
})

test('low disk space is reported', () => {
  assert.equal(isDiskLow(1_000_000_000), true)
  assert.equal(isDiskLow(50_000_000_000), false)
  assert.equal(isDiskLow(null), false)
})
