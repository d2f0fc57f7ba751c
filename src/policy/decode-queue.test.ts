import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

import { systemClock } from '../core/clock.ts'
import { ByteBudget } from '../wire/byte-budget.ts'
import { windowBytesOf } from '../wire/http/strict-decoder.ts'
import type { DecodeResult } from '../wire/http/strict-decoder.ts'
import { DECODES_WAITING_MAX, DecodeQueue } from './decode-queue.ts'
import type { Decoding } from './decode-queue.ts'

const TEXT = '{"model":"some-model"}'
const GZIP = gzipSync(TEXT)
const WINDOW_BYTES = windowBytesOf(['gzip'])
/** More than any test here takes. */
const TURNS_MAX = 100_000

interface Job {
  readonly decoding: Decoding | null
  text: string
  isStarted: boolean
  result: DecodeResult | null
}

interface Wanted {
  readonly keyId?: string
  readonly bytes?: Buffer
  /** It keeps its place until it is cancelled: its output is not taken. */
  readonly isStuck?: boolean
}

function createScene(budgetBytes = 100 * WINDOW_BYTES) {
  const budget = new ByteBudget(budgetBytes)
  const queue = new DecodeQueue(budget, systemClock)
  function add({ keyId = 'a', bytes = GZIP, isStuck = false }: Wanted = {}): Job {
    const state = { text: '', isStarted: false, result: null as DecodeResult | null }
    const decoding = queue.add({
      keyId,
      codings: ['gzip'],
      bytesMax: 1000,
      pieces: () => {
        state.isStarted = true
        return [bytes.subarray(0, 7), bytes.subarray(7)].values()
      },
      output: (made) => {
        state.text += made.toString()
        return !isStuck
      },
      done: (result) => {
        state.result = result
      },
    })
    return Object.assign(state, { decoding })
  }
  return { budget, add }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; !isTrue(); turn++) {
    assert.ok(turn < TURNS_MAX, 'nothing happened')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('decodes what comes in pieces, and says what became of it', async () => {
  const { add } = createScene()
  const jobs = [add(), add({ bytes: GZIP.subarray(0, -1) }), add({ bytes: Buffer.from(TEXT) })]
  await until(() => jobs.every(({ result }) => result !== null))
  assert.deepEqual(
    jobs.map(({ result }) => result),
    ['intact', 'broken', 'broken'],
  )
  assert.equal(jobs[0]?.text, TEXT)
})

test('decodes one of a key at a time, and passes no other key over for its next', async () => {
  const { add } = createScene()
  const stuck = add({ isStuck: true })
  const next = add()
  const others = ['b', 'c', 'b', 'd'].map((keyId) => add({ keyId }))
  await until(() => others.every(({ result }) => result === 'intact'))
  assert.equal(next.isStarted, false)
  stuck.decoding?.cancel()
  await until(() => next.result === 'intact')
  assert.equal(stuck.result, null)
})

test('decodes two at once, the key that has waited longest first', async () => {
  const { add } = createScene()
  const stuck = ['a', 'b'].map((keyId) => add({ keyId, isStuck: true }))
  const [again, other] = [add({ isStuck: true }), add({ keyId: 'c', isStuck: true })]
  assert.deepEqual([again.isStarted, other.isStarted], [false, false])
  stuck[0]?.decoding?.cancel()
  await until(() => again.isStarted || other.isStarted)
  assert.deepEqual([again.isStarted, other.isStarted], [true, false])
  add()
  again.decoding?.cancel()
  await until(() => other.isStarted)
})

test('takes windows from the budget and gives them back; one is decoded without', async () => {
  const { budget, add } = createScene(WINDOW_BYTES)
  const first = add({ isStuck: true })
  assert.ok(!budget.take(1))
  const second = add({ keyId: 'b', isStuck: true })
  assert.equal(second.isStarted, false)
  first.decoding?.cancel()
  assert.ok(budget.take(WINDOW_BYTES))
  await until(() => second.isStarted)
  second.decoding?.cancel()
  second.decoding?.cancel()
  budget.giveBack(WINDOW_BYTES)
  assert.ok(!budget.take(WINDOW_BYTES + 1))
  const third = add()
  await until(() => third.result === 'intact')
  assert.ok(budget.take(WINDOW_BYTES))
})

test('lets a thousand of a key wait and no more, until one of them leaves', () => {
  const { add } = createScene()
  const running = add({ isStuck: true })
  const waiting = Array.from({ length: DECODES_WAITING_MAX }, () => add())
  assert.ok(waiting.every(({ decoding }) => decoding !== null))
  assert.equal(add().decoding, null)
  assert.notEqual(add({ keyId: 'b', isStuck: true }).decoding, null)
  waiting[500]?.decoding?.cancel()
  assert.notEqual(add().decoding, null)
  assert.equal(add().decoding, null)
  assert.equal(waiting[0]?.isStarted, false)
  running.decoding?.cancel()
})

test('goes through a thousand broken ones', async () => {
  const { add } = createScene()
  const bytes = Buffer.from(TEXT)
  const jobs = Array.from({ length: DECODES_WAITING_MAX }, () => add({ bytes }))
  await until(() => jobs.every(({ result }) => result === 'broken'))
})
