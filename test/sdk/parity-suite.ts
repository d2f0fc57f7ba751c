// What must be the same for every SDK with and without Weir. An SDK's test file says how it is
// called and how its provider answers; this suite plays good answers, faults, departures and
// retries to it.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'

import { jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import type { AnswerReply, Reply } from '../fakes/upstreams/replying-upstream.ts'
import { compare } from './compare.ts'
import type { Comparison } from './compare.ts'
import { testDepartures, testDepartureTimes } from './parity-departures.ts'
import { testErrors, testFaults } from './parity-failures.ts'
import { readStream, TEXTS } from './sdk-under-test.ts'
import type { SdkUnderTest, Streamed } from './sdk-under-test.ts'

export function paritySuite(sdk: SdkUnderTest): void {
  // Most of the time here is an SDK's pause before it tries again.
  suite(`${sdk.provider}: with and without Weir`, { concurrency: 8, timeout: 60_000 }, () => {
    testAnswers(sdk)
    testStreams(sdk)
    testDepartures(sdk)
    testErrors(sdk)
    testFaults(sdk)
  })
  suite(`${sdk.provider}: departures`, { concurrency: 1, timeout: 60_000 }, () => {
    testDepartureTimes(sdk)
  })
}

function testAnswers(sdk: SdkUnderTest): void {
  const call = (replies: readonly Reply[]): Comparison => ({
    provider: sdk.provider,
    replies,
    attempts: 1,
    run: (side) => sdk.call(side, {}),
  })

  test('an answer is read alike, headers included', async (t) => {
    const { events, through } = await compare(t, call([sdk.answer(TEXTS.join(''))]))
    assert.ok('value' in through)
    assert.deepEqual([events[0]?.status, events[0]?.httpStatus], ['delivered', 200])
  })

  test('a large answer in many scripts and pieces is read alike', async (t) => {
    const whole = Buffer.concat(
      sdk.answer('Fluß 川 🌊 '.repeat(100_000)).pieces.map((piece) => Buffer.from(piece)),
    )
    // The cuts fall inside characters.
    const pieces = Array.from({ length: 40 }, (_, index) =>
      whole.subarray(
        Math.floor((index * whole.length) / 40),
        Math.floor(((index + 1) * whole.length) / 40),
      ),
    )
    const headers = {
      'content-type': 'application/json',
      'content-length': String(whole.length),
    }
    const { through } = await compare(t, call([{ headers, pieces }]))
    assert.ok('value' in through)
  })

  test('a compressed answer is read alike', async (t) => {
    const plain = sdk.answer(TEXTS.join('').repeat(1000))
    const bytes = gzipSync(plain.pieces[0] as Uint8Array)
    const headers = {
      ...plain.headers,
      'content-encoding': 'gzip',
      'content-length': String(bytes.length),
    }
    const { through } = await compare(t, call([{ headers, pieces: [bytes] }]))
    assert.ok('value' in through)
  })

  test('a late answer is waited for alike', async (t) => {
    const { through } = await compare(t, call([{ ...sdk.answer('late'), delayMs: 150 }]))
    assert.ok('value' in through)
  })

  test('an answer that is not what was asked for is read alike', async (t) => {
    await compare(t, call([jsonReply({ unknown: 'member' })]))
  })
}

function testStreams(sdk: SdkUnderTest): void {
  const stream = (reply: AnswerReply): Comparison => ({
    provider: sdk.provider,
    replies: [reply],
    attempts: 1,
    run: (side) => readStream(sdk, side, { releaseAfter: TEXTS.length }),
  })

  test('a stream is read alike, item by item', async (t) => {
    const { through, events } = await compare(t, stream(sdk.answerStream(TEXTS)))
    const { items, error } = through.value as Streamed
    assert.equal(error, null)
    assert.equal(items.filter((item) => sdk.isText(item)).length, TEXTS.length)
    assert.deepEqual([events[0]?.status, events[0]?.streamed], ['delivered', true])
  })

  test('a stream that is cut in the middle fails alike, after the same items', async (t) => {
    const whole = sdk.answerStream(TEXTS)
    const pieces = whole.pieces.slice(0, sdk.piecesBeforeText + TEXTS.length)
    const { through, events } = await compare(t, stream({ ...whole, pieces, ending: 'cut' }))
    const { items, error } = through.value as Streamed
    assert.notEqual(error, null)
    assert.equal(items.filter((item) => sdk.isText(item)).length, TEXTS.length)
    assert.equal(events[0]?.status, 'cut')
  })

  test('an error inside a stream is shown alike', async (t) => {
    const whole = sdk.answerStream(TEXTS)
    const pieces = [...whole.pieces.slice(0, sdk.piecesBeforeText + 2), sdk.errorPiece]
    const { through } = await compare(t, stream({ ...whole, pieces }))
    assert.match(JSON.stringify(through), /As asked: an error/)
  })

  test('an answer cut in the middle fails alike', async (t) => {
    const whole = sdk.answer(TEXTS.join(''))
    const half = (whole.pieces[0] as Uint8Array).subarray(0, 20)
    const { events } = await compare(t, {
      provider: sdk.provider,
      replies: [{ ...whole, pieces: [half], ending: 'cut' }],
      attempts: 1,
      run: (side) => {
        side.upstream.release()
        return sdk.call(side, {})
      },
    })
    assert.equal(events[0]?.status, 'cut')
  })
}
