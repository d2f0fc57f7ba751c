import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createMeter } from '../app/meter.ts'
import { guardProvider } from '../providers/guarded-provider.ts'
import { defineProvider } from '../providers/provider.ts'
import { findRoute, isRefusal, parseTarget } from './route.ts'
import type { Route } from './route.ts'

const hub = defineProvider({
  id: 'hub',
  upstream: null,
  operations: [],
  rootPaths: ['/v1/credits', '/v1/realtime/secrets'],
})
const some = defineProvider({ id: 'some', upstream: null, operations: [] })

function toRoutes(...providers: readonly (typeof hub)[]): ReadonlyMap<string, Route> {
  const upstream = {} as Route['upstream']
  const guard = { meter: createMeter(), warn: (): void => {} }
  const toRoute = (each: typeof hub): Route => {
    return { provider: guardProvider(each, guard), upstream, credentials: null }
  }
  return new Map(providers.map((each) => [each.id, toRoute(each)]))
}

/** Provider, path and what goes on; or the code of the refusal. */
function route(target: string, routes = toRoutes(hub, some)): readonly string[] | string {
  const parsed = parseTarget(target)
  const found = isRefusal(parsed) ? parsed : findRoute(routes, parsed)
  if (isRefusal(found)) return found.code
  return [found.route.provider.id, found.target.path, found.target.forwarded]
}

const ROUTED: readonly (readonly [target: string, ...expected: string[]])[] = [
  ['/v1/some/v1/models', 'some', '/v1/models', '/v1/models'],
  ['/v1/some/v1/x?a=1&b', 'some', '/v1/x', '/v1/x?a=1&b'],
  ['/v1/some', 'some', '', '/'],
  ['/v1/some?', 'some', '', '/?'],
  ['/v1/some/a%2Fb//c', 'some', '/a%2Fb//c', '/a%2Fb//c'],
  ['/v1/some/..a/b../.c/...', 'some', '/..a/b../.c/...', '/..a/b../.c/...'],
  ['/v1/credits', 'hub', '/v1/credits', '/v1/credits'],
  ['/v1/credits?', 'hub', '/v1/credits', '/v1/credits?'],
  ['/v1/realtime/secrets?a', 'hub', '/v1/realtime/secrets', '/v1/realtime/secrets?a'],
  ['/v1/credits?team=1', 'hub', '/v1/credits', '/v1/credits?team=1'],
  ['/v1/realtime/secrets', 'hub', '/v1/realtime/secrets', '/v1/realtime/secrets'],
  ['/v1/hub/v1/credits', 'hub', '/v1/credits', '/v1/credits'],
]

describe('leads', () => {
  for (const [target, ...expected] of ROUTED) {
    test(`${target} to ${expected[0]}`, () => assert.deepEqual(route(target), expected))
  }

  test('a path at the top to the provider of that id, where there is one', () => {
    const credits = defineProvider({ id: 'credits', upstream: null, operations: [] })
    assert.deepEqual(route('/v1/credits', toRoutes(hub, credits)), ['credits', '', '/'])
  })
})

const REFUSED: readonly (readonly [target: string, code: string])[] = [
  ['/v1/credits/', 'unknown_provider'],
  ['/v1/credits/more', 'unknown_provider'],
  ['/v1/Credits', 'unknown_provider'],
  ['/v1/realtime', 'unknown_provider'],
  ['/v1/Some/x', 'unknown_provider'],
  ['/v2/some/x', 'unknown_provider'],
  ['/credits', 'unknown_provider'],
  ['/v1/some/../x', 'bad_request'],
  ['/v1/some/%2E%2e/x', 'bad_request'],
  ['/v1/some/./x', 'bad_request'],
  ['/v1/some/a%2F..%2fb', 'bad_request'],
  ['/v1/some/a/..%2Fb', 'bad_request'],
  ['/v1/some/a%5C..%5cb', 'bad_request'],
  ['/v1/some/a/..;x/b', 'bad_request'],
  ['/v1/some/a/%2e%2e%3Bx/b', 'bad_request'],
  ['/v1/some/a\\b', 'bad_request'],
  ['/v1/some/x#y', 'bad_request'],
]

describe('refuses', () => {
  for (const [target, code] of REFUSED) {
    test(`${target} as ${code}`, () => assert.equal(route(target), code))
  }
})
