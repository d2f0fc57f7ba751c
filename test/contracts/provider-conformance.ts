// What every provider must hold: each recorded case gives the same reading whole, byte by byte, in
// odd cuts and under every content coding, and no provider comes without the cases that matter.
// Adding a folder adds its tests.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { formatMoney } from '../../src/core/money.ts'
import type { Money } from '../../src/core/money.ts'
import { createMeter } from '../../src/app/meter.ts'
import { guardProvider } from '../../src/providers/guarded-provider.ts'
import type { GuardOptions } from '../../src/providers/guarded-provider.ts'
import type {
  MatchedOperation,
  Provider,
  Reading,
  RequestView,
} from '../../src/providers/provider.ts'
import { createDecoder } from '../../src/wire/http/content-coding.ts'
import type { HeaderLines } from '../../src/wire/http/header-lines.ts'
import { listFolders, readFixture, toHeaderLines, toRequestView } from './provider-fixture.ts'
import type { Fixture } from './provider-fixture.ts'

const REQUIRED_CASES = ['plain', 'streamed', 'error', 'cut-short']
const CUT_SEEDS = [1, 7, 20_260_115]

/** Stacked as a server would: the first is applied first. */
const CODINGS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  'gzip, br': (body) => brotliCompressSync(gzipSync(body)),
}

/** Over whatever was read: an opening brace, which misleads more readers than a zero. */
const SCRIBBLE = 0x7b

/** As in the proxy, where answers of an error's status have a reader of their own. */
const GUARD: GuardOptions = { meter: createMeter(), warn: (_, message) => assert.fail(message) }

/** Cuts the bytes into pieces of the lengths that it is asked for, one after the other. */
type Cutting = (remaining: number) => number

const whole: Cutting = (remaining) => remaining

export function providerConformance(providers: readonly Provider[], fixturesDir: string): void {
  test('every fixture folder belongs to a provider', () => {
    const ids = new Set(providers.map((provider) => provider.id))
    assert.deepEqual(
      listFolders(fixturesDir).filter((id) => !ids.has(id)),
      [],
    )
  })
  for (const provider of providers) {
    describe(provider.id, () => conform(provider, join(fixturesDir, provider.id)))
  }
}

function conform(provider: Provider, dir: string): void {
  const cases = listFolders(dir)
  test('has the cases that every provider needs', () => {
    const missing = REQUIRED_CASES.filter((name) => !cases.includes(name))
    assert.deepEqual(missing, [], `add them under the fixtures of ${provider.id}`)
  })
  test('has a case for each of its operations that costs something', () => {
    const requests = cases.map((name) => toRequestView(readFixture(join(dir, name)).request))
    for (const operation of provider.operations.filter(({ isFree }) => isFree !== true)) {
      assert.ok(
        requests.some((request) => operation.matches(request)),
        operation.name,
      )
    }
  })
  for (const name of cases) describe(name, () => replay(provider, join(dir, name)))
}

function replay(provider: Provider, dir: string): void {
  const fixture = readFixture(dir)
  const request = toRequestView(fixture.request)
  const matching = provider.operations.filter((operation) => operation.matches(request))

  test('is matched by one operation and says where it comes from', () => {
    assert.equal(matching.length, 1, matching.map(({ name }) => name).join(', '))
    for (const member of ['kind', 'vendor', 'page', 'date', 'note']) {
      assert.equal(typeof fixture.source[member], 'string', member)
    }
  })
  const operation = guardProvider(provider, GUARD).findOperation(request)
  if (operation === null || operation === 'failed') return
  test('tells a policy the model that is recorded as asked for', () => {
    checkNames(operation, fixture)
  })
  const expectSame = (cutting: Cutting): void => {
    assert.deepEqual(read(operation, fixture, cutting), fixture.expected)
  }
  test('reads the same whole', () => expectSame(whole))
  if (fixture.head.status === 101) return
  test('reads the same byte by byte', () => expectSame(() => 1))
  for (const seed of CUT_SEEDS) {
    test(`reads the same in the odd cuts of seed ${seed}`, () => expectSame(createCutting(seed)))
  }
  for (const [coding, encode] of Object.entries(CODINGS)) {
    test(`reads the same under the coding ${coding}`, async () => {
      const body = await decode(encode(fixture.body), coding)
      assert.deepEqual(read(operation, { ...fixture, body }, whole), fixture.expected)
    })
  }
}

const BYTES_MAX = 33_554_432

/** Decoded by the tap's own means, in the pieces in which a network would bring it. */
async function decode(body: Buffer, coding: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const decoder = createDecoder(coding, {
    bytesMax: BYTES_MAX,
    output: (bytes) => pieces.push(Buffer.from(bytes)),
    overflowed: () => assert.fail('it gave up'),
  })
  feedInPieces(body, createCutting(3), (piece) => decoder.feed(piece))
  const isIntact = await new Promise<boolean>((resolve) => decoder.end(resolve))
  assert.ok(isIntact)
  return Buffer.concat(pieces)
}

/** A policy reads more than the record does, but never less. */
function checkNames(operation: MatchedOperation, fixture: Fixture): void {
  const { requestedModel } = fixture.expected
  if (typeof requestedModel !== 'string') return
  const reader = operation.createNamesReader(toRequestView(fixture.request))
  feedInPieces(fixture.requestBody, createCutting(5), (piece) => reader.feed(piece))
  const found = reader.end()
  if (found.kind === 'named') assert.ok(found.names.includes(requestedModel), found.names.join())
}

function read(operation: MatchedOperation, fixture: Fixture, cutting: Cutting): unknown {
  const lines = toHeaderLines(fixture.request.headers)
  const request = toRequestView(fixture.request, lines)
  const modelReader = operation.createModelReader(request)
  let isKnown = false
  feedInPieces(fixture.requestBody, cutting, (piece) => {
    if (!isKnown) isKnown = modelReader?.feed(piece) ?? true
  })
  const requestedModel = modelReader?.end() ?? null
  const answered = readResponse(operation, fixture, { request, lines, cutting })
  const { status, cut } = fixture.head
  const completed = status < 400 ? modelReader?.complete?.(answered, cut !== true) : null
  const { text, ...reading } = toJson(completed ?? answered)
  // The text that was produced matters to estimates alone: the cases that are about it name it.
  return { requestedModel, ...reading, ...('text' in fixture.expected ? { text } : {}) }
}

interface Asked {
  readonly request: RequestView
  readonly lines: HeaderLines
  readonly cutting: Cutting
}

/** Both heads are overwritten once their readers are made: these keep what they need of them. */
function readResponse(operation: MatchedOperation, fixture: Fixture, asked: Asked): Reading {
  const { request, cutting } = asked
  const { status, headers, cut } = fixture.head
  if (status === 101) {
    assert.ok(operation.tunnel, 'an operation for WebSockets')
    const messages = operation.tunnel.createUsageReader(request)
    asked.lines.bytes.fill(SCRIBBLE)
    for (const line of fixture.body.toString().trimEnd().split('\n')) {
      feedInPieces(Buffer.from(line), whole, (message) => messages.read(message))
    }
    return messages.end(cut !== true)
  }
  const lines = toHeaderLines(headers)
  const response = { status, header: (name: string) => lines.find(name) }
  const usageReader = operation.createUsageReader(request, response)
  lines.bytes.fill(SCRIBBLE)
  asked.lines.bytes.fill(SCRIBBLE)
  feedInPieces(fixture.body, cutting, (piece) => usageReader.feed(piece))
  return usageReader.end(cut !== true)
}

/**
 * Every piece goes through the same memory, as it does in the proxy: readers must copy what they
 * keep.
 */
function feedInPieces(bytes: Buffer, cutting: Cutting, feed: (piece: Buffer) => void): void {
  const memory = Buffer.alloc(bytes.length)
  for (let at = 0; at < bytes.length;) {
    const length = Math.min(bytes.length - at, cutting(bytes.length - at))
    bytes.copy(memory, 0, at, at + length)
    feed(memory.subarray(0, length))
    memory.fill(SCRIBBLE, 0, length)
    at += length
  }
}

/** Mostly a few bytes, at times some thousand. The same seed gives the same cuts. */
function createCutting(seed: number): Cutting {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const length = state >>> 8
    return state % 8 === 0 ? 1 + (length % 16_384) : 1 + (length % 23)
  }
}

/** Money as a person writes it, as in `expected.json`. */
function toJson(reading: Reading): Record<string, unknown> {
  const { billing } = reading
  if (billing === null) return { ...reading }
  const cost = toDecimal(billing.cost)
  return { ...reading, billing: { ...billing, cost, marketCost: toDecimal(billing.marketCost) } }
}

function toDecimal(amount: Money | null): string | null {
  return amount === null ? null : formatMoney(amount)
}
