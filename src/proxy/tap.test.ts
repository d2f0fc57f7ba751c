import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

import { createSlowClock } from '../../test/fakes/turn-work.ts'
import { createMeter } from '../app/meter.ts'
import { systemClock } from '../core/clock.ts'
import type { Operation, Reading, UsageReader } from '../providers/provider.ts'
import { READ_AFTER_END_MS_MAX, Tap } from './tap.ts'
import type { TapOptions, Tapped } from './tap.ts'
import { ByteBudget } from '../wire/byte-budget.ts'
import { TurnTime } from '../wire/turn-time.ts'

const READING: Reading = {
  kind: 'reported',
  model: null,
  tokens: null,
  toolCalls: {},
  serviceTier: null,
  billing: null,
  hasError: false,
}

/** Its reading's model is all that it was fed. */
function createEcho(): Operation {
  return {
    name: 'echo',
    matches: () => true,
    createModelReader: () => ({ feed: () => true, end: () => 'asked' }),
    createNamesReader: () => ({ feed() {}, end: () => ({ kind: 'named', names: ['asked'] }) }),
    createUsageReader: (): UsageReader => {
      let seen = ''
      return {
        feed: (bytes) => {
          seen += Buffer.from(bytes).toString()
        },
        end: (isWhole) => {
          return { ...READING, kind: isWhole ? 'reported' : 'partial', model: seen }
        },
      }
    },
  }
}

/** Needs all of the request. */
function createPatient(): Operation {
  return { ...createEcho(), createModelReader: () => ({ feed: () => false, end: () => 'asked' }) }
}

function openTap(options: Partial<TapOptions> = {}) {
  const meter = createMeter()
  const request = { method: 'POST', path: '/', query: '', header: () => null, headers: () => [] }
  const tap = new Tap({
    operation: createEcho(),
    request,
    bytesMax: 1000,
    meter,
    turn: new TurnTime(systemClock),
    budget: new ByteBudget(0),
    ...options,
  })
  const ended = (isWhole = true): Promise<Tapped> =>
    new Promise((resolve) => tap.whenRead(() => resolve(tap.end(isWhole))))
  const count = (metric: string): number =>
    meter.samples().find((sample) => sample.metric === metric)?.value ?? 0
  return { tap, ended, count }
}

const plain = { status: 200, header: () => null }
const gzipped = {
  status: 200,
  header: (name: string) => (name === 'content-encoding' ? 'gzip' : null),
}

test('hands the reader what passes, and its reading on', async () => {
  const { tap, ended } = openTap()
  tap.feedRequest(Buffer.from('{}'))
  tap.startResponse(plain)
  tap.feedResponse(Buffer.from('a'))
  tap.feedResponse(Buffer.from('b'))
  assert.deepEqual(await ended(), { requestedModel: 'asked', reading: { ...READING, model: 'ab' } })
})

test('decodes a compressed body before it is read', async () => {
  const { tap, ended } = openTap()
  tap.startResponse(gzipped)
  tap.feedResponse(gzipSync('compressed'))
  assert.equal((await ended()).reading?.model, 'compressed')
})

test('reads answers of any length, unless so much comes out of so little', async () => {
  const noise = randomBytes(30_000).toString('base64')
  for (const [response, body, kind] of [
    [plain, Buffer.alloc(200_000, 'x'), 'reported'],
    [gzipped, gzipSync(noise), 'reported'],
    [gzipped, gzipSync(Buffer.alloc(200_000, 'x')), 'partial'],
  ] as const) {
    const { tap, ended, count } = openTap()
    tap.startResponse(response)
    tap.feedResponse(body)
    assert.equal((await ended()).reading?.kind, kind)
    assert.equal(count('tapOverflows'), kind === 'partial' ? 1 : 0)
  }
})

test('gives up when bytes come faster than they are read and all that may wait does, and counts that', async () => {
  // Without a turn of the event loop in between nothing of it is decoded, and little is read.
  const pieces = Array.from({ length: 12 }, () => randomBytes(1_000_000))
  const body = gzipSync(Buffer.concat(pieces))
  for (const [response, shared, overflows] of [
    [gzipped, 0, 1],
    [gzipped, 5_000_000, 0],
    [plain, 0, 1],
    [plain, 5_000_000, 0],
  ] as const) {
    const budget = new ByteBudget(shared)
    const { tap, ended, count } = openTap({ budget, turn: new TurnTime(createSlowClock(), 1) })
    tap.startResponse(response)
    for (let at = 0; at < body.length; at += 1_000_000) {
      tap.feedResponse(body.subarray(at, at + 1_000_000))
    }
    assert.equal(count('tapOverflows'), overflows)
    assert.equal((await ended()).reading?.kind === 'reported', overflows === 0)
    assert.ok(budget.take(shared), 'all is given back')
  }
})

test('reads the answer to a request that came too fast to be read', async () => {
  const { tap, ended } = openTap({
    operation: createPatient(),
    turn: new TurnTime(createSlowClock(), 1),
  })
  tap.feedRequest(randomBytes(9_000_000))
  tap.startResponse(plain)
  tap.feedResponse(Buffer.from('b'))
  const { requestedModel, reading } = await ended()
  assert.deepEqual([requestedModel, reading?.model, reading?.kind], [null, 'b', 'reported'])
})

test('does not wait without end for what takes long to be decoded', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { tap, ended, count } = openTap()
  tap.startResponse(gzipped)
  tap.feedResponse(gzipSync('compressed'))
  const reading = ended()
  // The thread pool has had no turn yet.
  t.mock.timers.tick(READ_AFTER_END_MS_MAX - 1)
  assert.equal(count('tapOverflows'), 0)
  t.mock.timers.tick(1)
  assert.equal((await reading).reading?.kind, 'partial')
  assert.equal(count('tapOverflows'), 1)
})

test('has no reading where no operation is known, or no response came', async () => {
  const unknown = openTap({ operation: null })
  unknown.tap.startResponse(plain)
  unknown.tap.feedResponse(Buffer.from('a'))
  assert.deepEqual(await unknown.ended(), { requestedModel: null, reading: null })
  assert.equal((await openTap().ended(false)).reading, null)
})
