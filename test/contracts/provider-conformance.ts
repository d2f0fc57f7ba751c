// What every provider must hold: each recorded case gives the same reading whole, byte by byte and in
// odd cuts, and no provider comes without the cases that matter. Adding a folder adds its tests.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { formatMoney } from '../../src/core/money.ts'
import type { Money } from '../../src/core/money.ts'
import type { Operation, Provider, Reading, RequestView } from '../../src/providers/provider.ts'

const REQUIRED_CASES = ['plain', 'streamed', 'error', 'cut-short']
const CUT_SEEDS = [1, 7, 20_260_115]

interface FixtureRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

interface FixtureHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body broke off. */
  readonly cut?: boolean
}

interface Fixture {
  readonly request: FixtureRequest
  readonly head: FixtureHead
  readonly body: Buffer
  readonly expected: unknown
}

/** Cuts the bytes into pieces of the lengths that it is asked for, one after the other. */
type Cutting = (remaining: number) => number

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
  test('has a case for each of its operations', () => {
    const requests = cases.map((name) => toRequestView(readFixture(join(dir, name)).request))
    for (const operation of provider.operations) {
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
    assert.equal(matching.length, 1)
    const source = readJson(join(dir, 'source.json')) as Record<string, unknown>
    for (const member of ['kind', 'vendor', 'page', 'date', 'note']) {
      assert.equal(typeof source[member], 'string', member)
    }
  })
  const operation = matching[0]
  if (operation === undefined) return
  test('reads the same whole', () => {
    assert.deepEqual(
      read(operation, fixture, (remaining) => remaining),
      fixture.expected,
    )
  })
  test('reads the same byte by byte', () => {
    assert.deepEqual(
      read(operation, fixture, () => 1),
      fixture.expected,
    )
  })
  for (const seed of CUT_SEEDS) {
    test(`reads the same in the odd cuts of seed ${seed}`, () => {
      assert.deepEqual(read(operation, fixture, createCutting(seed)), fixture.expected)
    })
  }
}

function read(operation: Operation, fixture: Fixture, cutting: Cutting): unknown {
  const request = toRequestView(fixture.request)
  const modelReader = operation.createModelReader(request)
  let isKnown = false
  feedInPieces(Buffer.from(JSON.stringify(fixture.request.body)), cutting, (piece) => {
    if (!isKnown) isKnown = modelReader?.feed(piece) ?? true
  })
  const { status, headers, cut } = fixture.head
  const header = (name: string): string | null => findHeader(headers, name)
  const usageReader = operation.createUsageReader(request, { status, header })
  feedInPieces(fixture.body, cutting, (piece) => usageReader.feed(piece))
  const requestedModel = modelReader?.end() ?? null
  return { requestedModel, ...toJson(usageReader.end(cut !== true)) }
}

/** Every piece goes through the same memory, as it does in the proxy: readers must copy what they keep. */
function feedInPieces(bytes: Buffer, cutting: Cutting, feed: (piece: Buffer) => void): void {
  const memory = Buffer.alloc(bytes.length)
  for (let at = 0; at < bytes.length;) {
    const length = Math.min(bytes.length - at, cutting(bytes.length - at))
    bytes.copy(memory, 0, at, at + length)
    feed(memory.subarray(0, length))
    memory.fill(0x7b, 0, length)
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

function toRequestView(request: FixtureRequest): RequestView {
  const { method, path, headers } = request
  return { method, path, query: '', header: (name) => findHeader(headers, name) }
}

function findHeader(headers: Readonly<Record<string, string>>, name: string): string | null {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1] ?? null
}

function readFixture(dir: string): Fixture {
  return {
    request: readJson(join(dir, 'request.json')) as FixtureRequest,
    head: readJson(join(dir, 'head.json')) as FixtureHead,
    body: readFileSync(join(dir, 'body.bin')),
    expected: readJson(join(dir, 'expected.json')),
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function listFolders(dir: string): readonly string[] {
  const entries = readdirSync(dir, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}
