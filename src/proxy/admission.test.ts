import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createLocalLimiter } from '../../test/fakes/local-limiter.ts'
import { createTestKey } from '../../test/fakes/test-key.ts'
import { createMeter } from '../app/meter.ts'
import { systemClock } from '../core/clock.ts'
import { createKeyCredential, formatCredential } from '../core/ids.ts'
import { guardProvider } from '../providers/guarded-provider.ts'
import { defineProvider } from '../providers/provider.ts'
import { findHeadEnd, isFault, parseRequestHead } from '../wire/http/http-head.ts'
import { Admission } from './admission.ts'
import type { Route } from './route.ts'
import type { ProxyServices } from './services.ts'

/** Counts how often a target had to be taken apart. */
class CountedRoutes extends Map<string, Route> {
  lookups = 0

  override get(id: string): Route | undefined {
    this.lookups++
    return super.get(id)
  }
}

test('a call that is denied has the facts of its key, wherever it is stopped', () => {
  const credential = createKeyCredential()
  const settings = { teamId: 'team_1', personId: 'user_1', requiredDims: ['env'] }
  const key = createTestKey(credential, { ...settings, allowedProviders: ['some', 'odd'] })
  const meter = createMeter()
  const toRoute = (id: string): Route => {
    const unguarded = defineProvider({ id, upstream: null, operations: [] })
    const provider = guardProvider(unguarded, { meter, warn: () => {} })
    return { provider, upstream: { host: 'upstream', basePath: '' } } as unknown as Route
  }
  const admission = new Admission(
    {
      routes: new Map(['some', 'other'].map((id) => [id, toRoute(id)])),
      findKey: () => key,
      readTrace: () => undefined,
      dimsOnInvalid: 'reject',
      meter,
    } as unknown as ProxyServices,
    false,
  )
  const denied = ['/v1/some/x', '/v1/other/x', '/v1/none/x', '/nowhere'].map((target) => {
    const own = `X-SVC-API-Key: ${formatCredential(credential)}`
    const bytes = Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\n${own}\r\n\r\n`)
    const head = parseRequestHead({ bytes, start: 0, end: findHeadEnd(bytes, 0) }, 10)
    assert.ok(!isFault(head))
    const admitted = admission.admit(head, { id: 'id', now: 1, headAt: 0 })
    return 'refusal' in admitted ? [admitted.refusal.code, admitted.opening?.dims] : []
  })
  const facts = { '@team': 'team_1', '@person': 'user_1' }
  assert.deepEqual(denied, [
    ['missing_dims', facts],
    ['provider_not_allowed', facts],
    ['unknown_provider', facts],
    ['unknown_provider', facts],
  ])
})

test('a repeated target is not parsed again, and one without a key is not kept', () => {
  const credential = createKeyCredential()
  const key = createTestKey(credential)
  const meter = createMeter()
  const unguarded = defineProvider({ id: 'some', upstream: null, operations: [] })
  const provider = guardProvider(unguarded, { meter, warn: () => {} })
  const routes = new CountedRoutes()
  const upstream = { host: 'upstream', basePath: '' }
  routes.set('some', { provider, upstream, credentials: null } as unknown as Route)
  const admission = new Admission(
    {
      routes,
      findKey: (id: string) => (id === key.id ? key : undefined),
      readTrace: () => undefined,
      limiter: createLocalLimiter({ clock: systemClock, meter }).limiter,
      dimsOnInvalid: 'reject',
      meter,
      limits: { policyBodyBytesMax: 1 },
    } as unknown as ProxyServices,
    false,
  )
  const admit = (line: string): boolean => {
    const bytes = Buffer.from(`GET /v1/some/${'x'.repeat(1000)} HTTP/1.1\r\nHost: a\r\n${line}\r\n`)
    const head = parseRequestHead({ bytes, start: 0, end: findHeadEnd(bytes, 0) }, 10)
    assert.ok(!isFault(head))
    return !('refusal' in admission.admit(head, { id: 'id', now: 1, headAt: 0 }))
  }
  const withKey = `X-SVC-API-Key: ${formatCredential(credential)}\r\n`
  const wrongKey = `X-SVC-API-Key: ${formatCredential({ ...credential, secret: 'a'.repeat(40) })}\r\n`
  const seen: unknown[] = []
  for (const line of ['', '', wrongKey, wrongKey, withKey, withKey, withKey]) {
    seen.push([admit(line), routes.lookups])
  }
  assert.deepEqual(seen, [
    [false, 1],
    [false, 2],
    [false, 3],
    [false, 4],
    [true, 5],
    [true, 5],
    [true, 5],
  ])
})
