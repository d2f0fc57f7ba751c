import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createModelPolicy } from '../core/model-policy.ts'
import { createTokenCounts } from '../core/token-counts.ts'
import { USAGE_EVENT_VERSION } from '../core/usage-event.ts'
import { defineProvider } from '../providers/provider.ts'
import type { Operation, Reading } from '../providers/provider.ts'
import type { CallPolicy } from '../policy/policy.ts'
import {
  DENIED_DIMS_BYTES_MAX,
  DENIED_MODEL_CHARS_MAX,
  toDeniedEvent,
  toUsageEvent,
} from './record.ts'
import type { CallOutcome, RecordedCall } from './record.ts'
import { refuse } from '../policy/refusal.ts'

const opening = {
  version: USAGE_EVENT_VERSION,
  id: '018f0000-0000-7000-8000-000000000000',
  keyId: 'svc_k_test',
  provider: 'acme',
  operation: 'talk',
  dims: {},
  startedAt: 1000,
} as const

const tokens = createTokenCounts({ input: 3, output: 2 })

function toOperation(changes: Partial<Operation> = {}): Operation {
  const unused = (): never => {
    throw new Error('not asked for')
  }
  return {
    name: 'talk',
    matches: () => true,
    createModelReader: unused,
    createNamesReader: unused,
    createUsageReader: unused,
    ...changes,
  }
}

function toReading(changes: Partial<Reading> = {}): Reading {
  return {
    kind: 'reported',
    model: 'big-001',
    tokens,
    toolCalls: {},
    serviceTier: null,
    billing: null,
    hasError: false,
    ...changes,
  }
}

const OUTCOME: CallOutcome = {
  status: 'delivered',
  httpStatus: 200,
  errorCode: null,
  streamed: false,
  isTunnel: false,
  firstByteAt: 1100,
  ownMicros: 153,
  endedAt: 1200,
  requestBytes: 10,
  responseBytes: 20,
}

const PLACED: Pick<RecordedCall, 'view' | 'route'> = {
  view: { path: '/talk' },
  route: { provider: { regionOf: () => null }, upstream: { host: 'acme.example', basePath: '' } },
}

interface Case {
  readonly method?: string
  readonly operation?: Operation | null
  readonly policy?: CallPolicy
  readonly outcome?: Partial<CallOutcome>
  readonly reading?: Reading | null
  readonly requestedModel?: string | null
}

function record({ method = 'POST', operation = toOperation(), policy, ...rest }: Case = {}) {
  const { outcome, reading = toReading(), requestedModel = 'big' } = rest
  const call = { ...PLACED, opening, operation, policy: policy ?? null, head: { method } }
  return toUsageEvent(call, { ...OUTCOME, ...outcome }, { requestedModel, reading })
}

const free = toOperation({ isFree: true })
const counted = toReading({ countedAs: 'response:1' })
const uncounted = toReading({ kind: 'missing', countedAs: 'response:1', tokens: null })
const filmed = toReading({ countedAs: 'video:1', tokens: null })
const get = { method: 'GET' }

const CHARGEABLE: readonly (readonly [string, Case, boolean])[] = [
  ['a call', {}, true],
  ['a call that no reader knows', { operation: null, reading: null }, true],
  [
    'a call without an answer',
    { outcome: { status: 'cut', httpStatus: null }, reading: null },
    true,
  ],
  ['an error', { outcome: { httpStatus: 400 } }, false],
  ['a redirect of the whole call', { outcome: { httpStatus: 307 }, reading: null }, false],
  ['a redirect to a result', { outcome: { httpStatus: 303 }, reading: null }, true],
  ['a free operation', { operation: free }, false],
  ['an answer for which nothing is due', { reading: toReading({ isCharged: false }) }, false],
  ['an answer for which something is due', { reading: toReading({ isCharged: true }) }, true],
  ['a look', { ...get, operation: null, reading: null }, false],
  ['a look by a known operation', get, false],
  ['a look at a stored object with its usage', { ...get, reading: counted }, true],
  ['a look at one that has no tokens', { ...get, reading: filmed }, true],
  ['a look at one without', { ...get, reading: uncounted }, false],
  [
    'a look at one that is not there',
    { ...get, reading: counted, outcome: { httpStatus: 404 } },
    false,
  ],
  ['a tunnel', { ...get, outcome: { isTunnel: true, httpStatus: 101 } }, true],
  [
    'a tunnel that no reader knows',
    { ...get, operation: null, reading: null, outcome: { isTunnel: true, httpStatus: 101 } },
    true,
  ],
]

describe('is charged, or not:', () => {
  for (const [name, row, expected] of CHARGEABLE) {
    test(name, () => assert.equal(record(row).chargeable, expected))
  }
})

test('an event tells what each model used, and which stored object it belongs to', () => {
  const shares = [{ model: 'big-001', tokens }]
  const event = record({ reading: toReading({ shares, countedAs: 'batch:1' }) })
  assert.deepEqual([event.shares, event.countedAs], [shares, 'batch:1'])
  const plain = record()
  assert.deepEqual(
    [plain.shares, plain.countedAs, plain.violation],
    [undefined, undefined, undefined],
  )
})

function toPolicy(...names: readonly string[]): CallPolicy {
  const provider = defineProvider({ id: 'acme', upstream: null, operations: [] })
  const models = createModelPolicy(['acme/big'])
  return { keyId: 'svc_k_test', provider, models, blocked: [], names: new Set(names) }
}

test('an event tells the model that ran although it is not allowed', () => {
  const reading = toReading({ model: 'small' })
  assert.equal(record({ policy: toPolicy('big'), reading }).violation, 'small')
  assert.equal(record({ policy: toPolicy('big') }).violation, undefined)
  assert.equal(record({ reading }).violation, undefined)
  assert.equal(record({ policy: toPolicy('big'), reading: null }).violation, undefined)
})

test('a stored object that is only looked at is no violation, what is said in a tunnel can be', () => {
  const reading = toReading({ model: 'small', countedAs: 'response:1' })
  const row = { ...get, policy: toPolicy('big'), reading }
  assert.equal(record(row).violation, undefined)
  assert.equal(record({ ...row, outcome: { isTunnel: true } }).violation, 'small')
})

test('a model that only the policy could read is the requested one', () => {
  const event = record({ policy: toPolicy('big'), requestedModel: null, reading: null })
  assert.deepEqual([event.requestedModel, event.model], ['big', 'big'])
})

test('a denied call tells the model that it was denied for', () => {
  const refusal = { ...refuse('model_not_allowed', 'no'), model: 'small' }
  const event = toDeniedEvent(opening, refusal, 1500)
  assert.deepEqual(
    [event.status, event.errorCode, event.requestedModel, event.chargeable, event.endedAt],
    ['denied', 'model_not_allowed', 'small', false, 1500],
  )
  // By which every view groups and filters.
  assert.equal(event.model, 'small')
  assert.equal(toDeniedEvent(opening, refuse('invalid_dims', 'no'), 1).requestedModel, null)
})

for (const [code, status] of [
  ['model_not_allowed', 403],
  ['budget_exceeded', 402],
  ['upstream_unreachable', 502],
] as const) {
  test(`a call that was denied by ${code} records that its caller got ${status}`, () => {
    assert.equal(toDeniedEvent(opening, refuse(code, 'no'), 1).httpStatus, status)
  })
}

test('a denied call keeps the dimensions that fit, and the beginning of a model', () => {
  const long = 'ü'.repeat(DENIED_DIMS_BYTES_MAX / 2)
  const refusal = { ...refuse('budget_exceeded', 'no'), model: 'm'.repeat(100_000) }
  const deniedWith = (dims: Record<string, string>) =>
    toDeniedEvent({ ...opening, dims }, refusal, 1500)
  const event = deniedWith({ team: 'search', [`x${'y'.repeat(63)}`]: long, env: 'prod' })
  assert.deepEqual(event.dims, { team: 'search', env: 'prod' })
  assert.equal(event.requestedModel, 'm'.repeat(DENIED_MODEL_CHARS_MAX))
  const atMost = { a: 'b'.repeat(DENIED_DIMS_BYTES_MAX - 3), c: 'd' }
  assert.deepEqual(deniedWith(atMost).dims, atMost)
  assert.deepEqual(deniedWith({ ...atMost, c: 'de' }).dims, { a: atMost.a })
})
