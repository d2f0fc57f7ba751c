import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createFailingProvider } from '../../test/fakes/upstreams/failing-provider.ts'
import { createMeter } from '../app/meter.ts'
import { guardProvider } from './guarded-provider.ts'
import { defineProvider, NO_READING } from './provider.ts'
import type { MatchedOperation, Operation, Provider } from './provider.ts'

const REQUEST = { method: 'POST', path: '/talk', query: '', header: () => null, headers: () => [] }
const RESPONSE = { status: 200, header: () => null }

function guard(provider: Provider) {
  const meter = createMeter()
  const warned: object[] = []
  const warn = (fields: object): void => void warned.push(fields)
  const guarded = guardProvider(provider, { meter, warn })
  const count = (metric: string): number =>
    meter.samples().find((sample) => sample.metric === metric)?.value ?? 0
  return { guarded, warned, count, meter }
}

function withOperations(...operations: readonly Partial<Operation>[]): Provider {
  const [whole] = createFailingProvider('nothing').operations
  assert.ok(whole !== undefined)
  const all = operations.map((changes) => ({ ...whole, ...changes }))
  return defineProvider({ id: 'some', upstream: null, operations: all })
}

function operationOf(provider: Provider): MatchedOperation {
  const found = guard(provider).guarded.findOperation(REQUEST)
  assert.ok(found !== null && found !== 'failed')
  return found
}

test('keeps what a provider declares and finds the operation of a request', () => {
  const { guarded } = guard({ ...withOperations({ isFree: true }), hasMakersInNames: true })
  assert.deepEqual([guarded.id, guarded.hasMakersInNames], ['some', true])
  const found = guarded.findOperation(REQUEST)
  assert.ok(found !== null && found !== 'failed')
  assert.deepEqual([found.name, found.isFree], ['talk', true])
  assert.equal(guarded.findOperation({ ...REQUEST, path: '/other' }), null)
})

test('asks no further operation once one has failed to say whether it is the one', () => {
  const fail = (): never => {
    throw new Error('as asked')
  }
  const { guarded } = guard(withOperations({ matches: fail }, { matches: () => true }))
  assert.equal(guarded.findOperation(REQUEST), 'failed')
})

test('counts what was read before a failure as a part', () => {
  let fed = 0
  const operation = operationOf(
    withOperations({
      createUsageReader: () => ({
        feed() {
          if (++fed === 2) throw new Error('as asked')
        },
        end: (isWhole) => ({ ...NO_READING, kind: isWhole ? 'reported' : 'partial' }),
      }),
    }),
  )
  const reader = operation.createUsageReader(REQUEST, RESPONSE)
  for (let piece = 0; piece < 5; piece++) reader.feed(Buffer.from('a'))
  assert.deepEqual([reader.end(true).kind, fed], ['partial', 2])
})

test('counts every failure, logs the first of each function, and names no thrown text', () => {
  const { guarded, warned, count } = guard(createFailingProvider('createNamesReader'))
  for (let round = 0; round < 3; round++) {
    const found = guarded.findOperation(REQUEST)
    assert.ok(found !== null && found !== 'failed')
    assert.equal(found.createNamesReader(REQUEST).end().kind, 'unreadable')
  }
  assert.equal(warned.length, 1)
  assert.deepEqual([count('providerFailures'), count('policyFailures')], [3, 3])
  assert.equal(count('tapFailures'), 0)
})

test('goes on when what a provider loads beforehand cannot be loaded', () => {
  const { guarded, warned, meter } = guard(createFailingProvider('prepare'))
  guarded.prepare()
  assert.equal(warned.length, 1)
  const [sample] = meter.samples().filter(({ metric }) => metric === 'providerFailures')
  assert.deepEqual(sample?.labels, ['some', 'none'])
})

test('gives a region that can be one, in lower case, and otherwise none', () => {
  const place = { host: 'ai.example', path: '/talk', model: null, requestedModel: null }
  const regionOf = (region: string | null): string | null =>
    guard({ ...withOperations(), regionOf: () => region }).guarded.regionOf(place)
  assert.deepEqual([regionOf('EU'), regionOf('a b'), regionOf(null)], ['eu', null, null])
  assert.equal(guard(withOperations()).guarded.regionOf(place), null)
})

test('reports a provider that cannot say its region, and goes on without', () => {
  const regionOf = (): never => {
    throw new Error('as asked')
  }
  const { guarded, warned, count } = guard({ ...withOperations(), regionOf })
  const place = { host: 'ai.example', path: '/talk', model: null, requestedModel: null }
  assert.deepEqual([guarded.regionOf(place), guarded.regionOf(place)], [null, null])
  assert.deepEqual([warned.length, count('providerFailures'), count('tapFailures')], [1, 2, 0])
})

test('says of a thrown value that is no error what it is', () => {
  const matches = (): never => {
    throw 'a text'
  }
  const { guarded, warned } = guard(withOperations({ matches }))
  guarded.findOperation(REQUEST)
  assert.deepEqual(warned, [
    { provider: 'some', operation: 'talk', function: 'matches', cause: 'string' },
  ])
})
