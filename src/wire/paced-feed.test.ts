import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import { createSlowClock, openTurnWork } from '../../test/fakes/turn-work.ts'
import { createMeter } from '../app/meter.ts'
import type { Clock } from '../core/clock.ts'
import { SHAPES } from '../providers/directory.ts'
import { createProvider } from '../providers/registry.ts'
import { Estimates } from '../estimates/estimates.ts'
import { VALUE_BYTES_MAX } from './json/json-members.ts'
import { PacedFeed, SLICE_BYTES, STEP_BYTES } from './paced-feed.ts'
import { Tap } from '../proxy/tap.ts'
import { ByteBudget } from './byte-budget.ts'
import { TurnTime } from './turn-time.ts'

function createFeed(clock: Clock, turn = new TurnTime(clock)) {
  const seen: Buffer[] = []
  let overflows = 0
  const feed = new PacedFeed({
    turn,
    feed: (bytes) => seen.push(Buffer.from(bytes)),
    overflowed: () => (overflows += 1),
  })
  const fed = (): Promise<void> => new Promise((resolve) => feed.whenFed(resolve))
  return { feed, fed, text: () => Buffer.concat(seen).toString(), overflows: () => overflows }
}

test('feeds all of a piece at once while that takes no time', () => {
  const { feed, text } = createFeed({ now: () => 0, monotonic: () => 0 })
  const piece = Buffer.alloc(10 * SLICE_BYTES + 1, 'x')
  feed.feed(piece)
  assert.equal(text(), piece.toString())
  let isFed = false
  feed.whenFed(() => (isFed = true))
  assert.ok(isFed)
})

test('leaves the rest to later turns once a turn takes long, in the same order', async () => {
  const { feed, fed, text } = createFeed(createSlowClock())
  const pieces = ['a', 'b', 'c'].map((letter) => Buffer.alloc(7 * SLICE_BYTES, letter))
  const memory = Buffer.alloc(7 * SLICE_BYTES)
  for (const piece of pieces) {
    piece.copy(memory)
    feed.feed(memory)
    memory.fill('#')
  }
  const whole = Buffer.concat(pieces).toString()
  assert.ok(text().length < whole.length / 2)
  await fed()
  assert.equal(text(), whole)
})

test('however many wait, a turn reads a few steps of them together, and all make progress', async (t) => {
  const turn = new TurnTime(createSlowClock())
  let read = 0
  let most = 0
  const feeds = Array.from({ length: 32 }, () => {
    const paced = { fed: 0, isFed: false }
    const count = (bytes: Uint8Array): void => {
      paced.fed += bytes.length
      read += bytes.length
    }
    const feed = new PacedFeed({ turn, feed: count, overflowed: () => {} })
    return Object.assign(paced, { feed })
  })
  const piece = Buffer.alloc(20 * STEP_BYTES)
  for (const { feed } of feeds) feed.feed(piece)
  for (const each of feeds) each.feed.whenFed(() => (each.isFed = true))
  t.after(() => assert.ok(feeds.every(({ fed }) => fed === piece.length)))
  while (!feeds.every(({ isFed }) => isFed)) {
    read = 0
    await setImmediate()
    most = Math.max(most, read)
    const left = feeds.filter(({ isFed }) => !isFed).map(({ fed }) => fed)
    // None is far ahead of another.
    assert.ok(Math.max(0, ...left) - Math.min(Infinity, ...left) <= 5 * STEP_BYTES)
  }
  assert.ok(most <= 5 * STEP_BYTES, `${most} bytes in one turn`)
})

test('gives up when more waits than may, and says so once', async () => {
  const { feed, fed, overflows } = createFeed(createSlowClock())
  for (let count = 0; count < 12; count++) feed.feed(Buffer.alloc(1024 * 1024))
  assert.equal(overflows(), 1)
  await fed()
})

test('asks again in its own answer, and is answered again', async () => {
  const { feed, text } = createFeed(createSlowClock())
  const piece = Buffer.alloc(7 * SLICE_BYTES, 'x')
  feed.feed(piece)
  await new Promise<void>((resolve) => {
    feed.whenFed(() => {
      feed.feed(piece)
      feed.feed(piece)
      feed.whenFed(resolve)
    })
  })
  assert.equal(text().length, 3 * piece.length)
})

test('takes no more time for many pieces in one turn than for one of them', async () => {
  let now = 0
  const { feed, fed, text } = createFeed({ now: () => now, monotonic: () => now })
  for (let count = 0; count < 30; count++) {
    feed.feed(Buffer.alloc(2 * SLICE_BYTES, 'x'))
    now += 1
  }
  assert.ok(text().length <= 4 * 2 * SLICE_BYTES)
  await fed()
  assert.equal(text().length, 30 * 2 * SLICE_BYTES)
})

test('shares a turn with the others who read in it, and all of them get on', async () => {
  const clock = createSlowClock()
  const turn = new TurnTime(clock)
  const feeds = Array.from({ length: 10 }, () => createFeed(clock, turn))
  for (const { feed } of feeds) feed.feed(Buffer.alloc(20 * SLICE_BYTES, 'x'))
  assert.ok(feeds.every(({ feed }) => feed.isWaiting))
  assert.ok(feeds.filter(({ text }) => text() !== '').length <= 3)
  for (let turns = 0; turns < feeds.length; turns++) await setImmediate()
  assert.ok(feeds.every(({ text }) => text() !== ''))
  await Promise.all(feeds.map(({ fed }) => fed()))
  assert.ok(feeds.every(({ text }) => text().length === 20 * SLICE_BYTES))
})

const LETTERS = 'water '.repeat(20_000)
const HALF_MEGABYTE = 524_288
const fill = (text: string, length = HALF_MEGABYTE): string =>
  text.repeat(Math.ceil(length / text.length))

/** Bodies made to take long: much of what is slow to read, or what has to be read at once. */
const BODIES: Readonly<Record<string, string>> = {
  'one event of text': `data: {"usage":1,"choices":[{"delta":{"content":"${fill('abc ')}"}}]}\n\n`,
  'one event of numbers': `data: {"usage":[${fill('1,')}1]}\n\n`,
  'events of numbers': fill(`data: {"error":[${fill('1,', 60_000)}1]}\n\n`),
  'events of brackets': fill(`data: {"error":${'['.repeat(20_000)}${']'.repeat(20_000)}}\n\n`),
  'tiny events that are read': fill('data: {"error":1}\n\n'),
  'tiny events': fill('data:\n\n'),
  'tiny events that are no JSON': fill('data: {error\n\n'),
  'line ends': `data: 1\n\n${fill('\n')}${fill('\r')}`,
  'lines of data': `${fill('data\n')}\n${fill('data: error\n', 60_000)}\n`,
  comments: fill(':\n'),
  'escapes in text': fill(`data: {"delta":{"content":"${fill('\\\\\\"', 60_000)}"}}\n\n`),
  'a large text': `{"model":"m","x":"${LETTERS.repeat(8)}","usage":{"prompt_tokens":1}}`,
  'a large list of numbers': `{"model":"m","x":[${fill('1,')}1],"usage":{}}`,
  'a large list of objects': `{"model":"m","x":[${fill('{"a":1},')}1],"usage":{}}`,
  'a large list of choices': `{"model":"m","choices":[${fill('{"error":null,"a":{}},')}{}]}`,
  'a large text of escapes': `{"model":"m","x":"${fill('\\\\\\"')}"}`,
  'many members': `{${fill('"a":1,')}"model":"m"}`,
  'large members that are wanted': `{"x":"${LETTERS}",${fill(`"usage":{"x":[${fill('{"a":1},', 120_000)}1]},`)}"a":1}`,
  'deep brackets': `{"model":"m","x":${fill('[')}`,
  'tiny lines': fill('{"error":1}\n'),
  'a list of tiny objects': `[${fill('{"error":1},')}{}]`,
  'a body that is just not large': `{"choices":[${fill('{"message":{"content":"a"}},', 60_000)}{}]}`,
}

/** Three slices on a slow clock; a second turn's time may begin between two looks at the work. */
const FED_BYTES_MAX = 6 * SLICE_BYTES

for (const shape of SHAPES) {
  test(`no body in the shape ${shape} is read at once`, async (t) => {
    const work = openTurnWork(t)
    const provider = createProvider({ id: 'some', shape, upstream: 'http://unused' })
    const [first] = provider.operations
    const operation = first === undefined ? null : work.count(first)
    const request = { method: 'POST', path: '/', query: '', header: () => null, headers: () => [] }
    for (const [name, text] of Object.entries(BODIES)) {
      const body = Buffer.from(text)
      const meter = createMeter()
      const estimates = new Estimates({ estimate: (_, done) => done(null), meter })
      const turn = new TurnTime(createSlowClock())
      const bytesMax = 2 * body.length
      const budget = new ByteBudget(0)
      const tap = new Tap({
        operation,
        request,
        bytesMax,
        meter,
        turn,
        budget,
        kept: estimates.keep(null),
      })
      tap.startResponse({ status: 200, header: () => null })
      tap.feedResponse(body)
      await new Promise<void>((resolve) => tap.whenRead(resolve))
      tap.end(true)
      const { fedBytes, parsedBytes } = work.most()
      assert.ok(fedBytes > 0 && fedBytes <= FED_BYTES_MAX, `${name}: ${fedBytes} bytes`)
      const parsedMax = VALUE_BYTES_MAX + FED_BYTES_MAX
      assert.ok(parsedBytes <= parsedMax, `${name}: ${parsedBytes} bytes parsed`)
    }
  })
}
