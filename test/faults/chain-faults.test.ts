import assert from 'node:assert/strict'
import { test } from 'node:test'

import { systemClock } from '../../src/core/clock.ts'
import { findNoticed, openChain } from './chain-scene.ts'

const HOUR_MS = 3_600_000
/** Far more than the calls take, and less than if each were held up. */
const CALLS_MS_MAX = 30_000

test('a full disk that gets room again costs nothing: callers go on, lines wait in memory', async (t) => {
  const { disk, callers, counted, judge } = await openChain(t)
  await callers.more(50, CALLS_MS_MAX)
  // Full in the middle of a line.
  disk.room = 333
  await callers.more(200, CALLS_MS_MAX)
  assert.ok(counted('journalWriteFailures') > 0)
  disk.room = Infinity
  await callers.more(100, CALLS_MS_MAX)
  const verdict = await judge()
  assert.deepEqual(findNoticed(callers), [])
  assert.deepEqual(verdict.faults, [])
  assert.equal(counted('journalDropped'), 0)
})

test('a disk that stays full loses what its buffer cannot take, and reports how many calls that were', async (t) => {
  const { disk, callers, counted, judge } = await openChain(t, { bufferBytesMax: 8192 })
  await callers.more(50, CALLS_MS_MAX)
  disk.room = 0
  await callers.more(300, CALLS_MS_MAX)
  disk.room = Infinity
  await callers.more(50, CALLS_MS_MAX)
  const verdict = await judge()
  const { forwarded, recorded, pending, dead, lost } = verdict.completeness
  assert.deepEqual(findNoticed(callers), [])
  assert.ok(counted('journalDropped') > 0)
  assert.ok(counted('journalMissing') > 0)
  assert.ok(lost > 0)
  assert.deepEqual([pending, dead], [0, 0])
  assert.equal(forwarded, verdict.received)
  assert.equal(lost, forwarded - recorded)
  assert.equal(recorded, verdict.recorded)
})

for (const [name, code] of [
  ['an input/output error', 'EIO'],
  ['a quota', 'EDQUOT'],
]) {
  test(`${name} on append is waited out, and costs nothing`, async (t) => {
    const { disk, callers, counted, judge } = await openChain(t)
    await callers.more(50, CALLS_MS_MAX)
    disk.faults.set('write', code as string)
    await callers.more(200, CALLS_MS_MAX)
    disk.faults.clear()
    await callers.more(50, CALLS_MS_MAX)
    const verdict = await judge()
    assert.deepEqual(findNoticed(callers), [])
    assert.deepEqual(verdict.faults, [])
    assert.ok(counted('journalWriteFailures') > 0)
    assert.equal(counted('journalDropped'), 0)
  })
}

for (const fsync of ['interval', 'always'] as const) {
  test(`a disk that cannot sync delays no caller (fsync ${fsync})`, async (t) => {
    const { disk, callers, counted, judge } = await openChain(t, { fsync })
    disk.faults.set('sync', 'EIO')
    await callers.more(200, CALLS_MS_MAX)
    disk.faults.clear()
    await callers.more(50, CALLS_MS_MAX)
    const verdict = await judge()
    assert.deepEqual(findNoticed(callers), [])
    assert.deepEqual(verdict.faults, [])
    assert.ok(counted('journalWriteFailures') > 0)
  })
}

test('a clock that jumps back an hour changes dates and nothing else', async (t) => {
  let backMs = 0
  const clock = { now: () => systemClock.now() - backMs, monotonic: () => systemClock.monotonic() }
  const { callers, judge } = await openChain(t, { clock })
  await callers.more(100, CALLS_MS_MAX)
  backMs = HOUR_MS
  await callers.more(100, CALLS_MS_MAX)
  backMs = 0
  await callers.more(50, CALLS_MS_MAX)
  const verdict = await judge()
  assert.deepEqual(findNoticed(callers), [])
  assert.deepEqual(verdict.faults, [])
})
