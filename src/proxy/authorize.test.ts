import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createTestKey } from '../../test/fakes/test-key.ts'
import type { ApiKey } from '../core/api-key.ts'
import { DIM_PAIRS_MAX } from '../core/dims.ts'
import { createKeyCredential } from '../core/ids.ts'
import { findHeadEnd, isFault, parseRequestHead } from '../wire/http/http-head.ts'
import type { HeaderLines } from '../wire/http/header-lines.ts'
import { Authorizer, authorizeProvider } from './authorize.ts'
import { isRefusal } from './route.ts'

const credential = createKeyCredential()

/** The header lines of a request, one for each text, in Latin-1. */
function toLines(...headers: readonly string[]): HeaderLines {
  const text = ['GET / HTTP/1.1', 'Host: a', ...headers].join('\r\n')
  const bytes = Buffer.from(`${text}\r\n\r\n`, 'latin1')
  const head = parseRequestHead({ bytes, start: 0, end: findHeadEnd(bytes, 0) }, 100)
  if (isFault(head)) throw new Error(head.fault)
  return head.lines
}

interface Asked {
  readonly key?: Partial<ApiKey>
  readonly headers?: readonly string[]
  readonly onInvalid?: 'reject' | 'drop'
}

/** The dimensions, or the refusal's code and message; and how many pairs were dropped. */
function resolve({ key = {}, headers = [], onInvalid = 'reject' }: Asked) {
  let droppedPairs = 0
  const owner = createTestKey(credential, key)
  const dropped = (pairs: number): void => void (droppedPairs += pairs)
  const authorizer = new Authorizer(() => owner, { onInvalid, dropped })
  const resolved = authorizer.resolveDims(toLines(...headers), owner)
  return { resolved, droppedPairs }
}

const toDims = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`d${place}`, 'x']))

const pairsOf = (count: number): string =>
  Object.entries(toDims(count))
    .map(([name, value]) => `${name}=${value}`)
    .join(',')

const RESOLVED: readonly (readonly [string, Asked, Record<string, string>])[] = [
  ['nothing where nothing is said', {}, {}],
  ['what the request says', { headers: ['X-SVC-Dims: team=a, app = b'] }, { team: 'a', app: 'b' }],
  ['a header in other letters', { headers: ['x-svc-DIMS: team=a'] }, { team: 'a' }],
  [
    'a header on several lines',
    { headers: ['X-SVC-Dims: team=a', 'X: y', 'X-SVC-Dims: app=b'] },
    { team: 'a', app: 'b' },
  ],
  [
    'facts of the key first, beside a free tag of the same word',
    {
      key: { teamId: 'team_1', personId: 'user_1', lockedDims: { env: 'prod' } },
      headers: ['X-SVC-Dims: team=mine'],
    },
    { '@team': 'team_1', '@person': 'user_1', env: 'prod', team: 'mine' },
  ],
  [
    'facts beside as many pairs as a call may have',
    { key: { teamId: 'team_1' }, headers: [`X-SVC-Dims: ${pairsOf(DIM_PAIRS_MAX)}`] },
    { '@team': 'team_1', ...toDims(DIM_PAIRS_MAX) },
  ],
  ['a blank header', { headers: ['X-SVC-Dims:  '] }, {}],
  ["the key's defaults", { key: { defaultDims: { team: 'a' } } }, { team: 'a' }],
  [
    "the request's over the key's defaults",
    { key: { defaultDims: { team: 'a', app: 'b' } }, headers: ['X-SVC-Dims: team=c'] },
    { team: 'c', app: 'b' },
  ],
  [
    "the key's locked ones over all others",
    {
      key: { defaultDims: { team: 'a' }, lockedDims: { team: 'b', env: 'prod' } },
      headers: ['X-SVC-Dims: team=c,env=dev,app=d'],
    },
    { team: 'b', env: 'prod', app: 'd' },
  ],
  [
    'a required one that the request has',
    { key: { requiredDims: ['team'] }, headers: ['X-SVC-Dims: team=a'] },
    { team: 'a' },
  ],
  [
    'a required one by default',
    { key: { requiredDims: ['team'], defaultDims: { team: 'a' } } },
    { team: 'a' },
  ],
  [
    'a required one that is locked',
    { key: { requiredDims: ['team'], lockedDims: { team: 'a' } } },
    { team: 'a' },
  ],
  [
    'a required one by the name of what every object has',
    { key: { requiredDims: ['constructor'] }, headers: ['X-SVC-Dims: constructor=a'] },
    { constructor: 'a' },
  ],
]

describe('a call carries', () => {
  for (const [name, asked, dims] of RESOLVED) {
    test(name, () => {
      const { resolved, droppedPairs } = resolve(asked)
      assert.deepEqual(resolved, isRefusal(resolved) ? null : { ...resolved, dims })
      assert.equal(droppedPairs, 0)
    })
  }
})

const REFUSED: readonly (readonly [string, Asked, string, RegExp])[] = [
  ['a fact', { headers: ['X-SVC-Dims: @team=team_2'] }, 'invalid_dims', /begin with a letter/],
  ['a pair without a value', { headers: ['X-SVC-Dims: team='] }, 'invalid_dims', /"team="/],
  ['a pair without "="', { headers: ['X-SVC-Dims: a=1,team'] }, 'invalid_dims', /no "=" in "team"/],
  [
    'a key on two lines',
    { headers: ['X-SVC-Dims: team=a', 'X-SVC-Dims: team=b'] },
    'invalid_dims',
    /twice in "team=b"/,
  ],
  ['bytes that are not UTF-8', { headers: ['X-SVC-Dims: team=\xff'] }, 'invalid_dims', /UTF-8/],
  [
    'a fault in what is locked anyway',
    { key: { lockedDims: { team: 'a' } }, headers: ['X-SVC-Dims: team='] },
    'invalid_dims',
    /"team="/,
  ],
  [
    'a required one that is missing',
    { key: { requiredDims: ['team', 'app'] }, headers: ['X-SVC-Dims: app=a'] },
    'missing_dims',
    /requires these dimensions in X-SVC-Dims: team\./,
  ],
  [
    'a required one in other letters',
    { key: { requiredDims: ['team'] }, headers: ['X-SVC-Dims: Team=a'] },
    'missing_dims',
    /team/,
  ],
  [
    'a required one by the name of what every object has',
    { key: { requiredDims: ['constructor'] } },
    'missing_dims',
    /constructor/,
  ],
  [
    'a required one that was dropped',
    { key: { requiredDims: ['team'] }, headers: ['X-SVC-Dims: team='], onInvalid: 'drop' },
    'missing_dims',
    /team/,
  ],
]

describe('a call is refused for', () => {
  for (const [name, asked, code, message] of REFUSED) {
    test(name, () => {
      const { resolved } = resolve(asked)
      assert.ok(isRefusal(resolved))
      assert.equal(resolved.code, code)
      assert.match(resolved.message, message)
    })
  }
})

test('keeps the good pairs and counts the others, where the setting says so', () => {
  const headers = ['X-SVC-Dims: team=a,app,env=,=x,team=b,city=Z%C3%BCrich,@team=b,@person=c']
  const key = { teamId: 'team_1' }
  const { resolved, droppedPairs } = resolve({ key, headers, onInvalid: 'drop' })
  assert.ok(!isRefusal(resolved))
  assert.deepEqual(resolved.dims, { '@team': 'team_1', team: 'a', city: 'Zürich' })
  assert.equal(droppedPairs, 6)
})

test('does not keep what one key said for another', () => {
  const first = createTestKey(credential, { defaultDims: { team: 'a' } })
  const second = createTestKey(createKeyCredential(), { defaultDims: { team: 'b' } })
  const authorizer = new Authorizer(() => first, { onInvalid: 'reject', dropped: () => {} })
  const lines = toLines('X-SVC-Dims: app=x')
  const resolved = [first, second, first].map((key) => authorizer.resolveDims(lines, key))
  assert.deepEqual(
    resolved.map((each) => (isRefusal(each) ? each.code : each.dims['team'])),
    ['a', 'b', 'a'],
  )
})

test('the facts are those of the moment: a key that moves changes the next call', () => {
  const before = createTestKey(credential, { teamId: 'team_1' })
  const authorizer = new Authorizer(() => before, { onInvalid: 'reject', dropped: () => {} })
  const lines = toLines('X-SVC-Dims: app=x')
  const dimsOf = (key: ApiKey) => {
    const resolved = authorizer.resolveDims(lines, key)
    return isRefusal(resolved) ? resolved.code : resolved.dims
  }
  const first = dimsOf(before)
  assert.equal(dimsOf(before), first)
  assert.deepEqual(first, { '@team': 'team_1', app: 'x' })
  assert.deepEqual(dimsOf({ ...before, teamId: 'team_2' }), { '@team': 'team_2', app: 'x' })
  assert.deepEqual(dimsOf({ ...before, teamId: null }), { app: 'x' })
})

test('a key may use the providers that it names, and all where it names none', () => {
  const open = createTestKey(credential)
  const bound = createTestKey(credential, { allowedProviders: ['one', 'two'] })
  assert.equal(authorizeProvider(open, 'three'), null)
  assert.equal(authorizeProvider(bound, 'two'), null)
  const refusal = authorizeProvider(bound, 'three')
  assert.equal(refusal?.code, 'provider_not_allowed')
  assert.match(refusal?.message ?? '', /may not use the provider three\. It may use: one, two\./)
})

test('the secret before a rotation ends with its grace, on an open connection too', () => {
  const older = createKeyCredential()
  const { secretHash: hash } = createTestKey(older)
  const key = createTestKey(credential, { oldSecret: { hash, endsAt: 1000 } })
  const authorizer = new Authorizer(() => key, { onInvalid: 'reject', dropped: () => {} })
  const ask = (secret: string, nowMs: number): ApiKey | string => {
    const found = authorizer.authenticate(toLines(`X-SVC-API-Key: ${key.id}.${secret}`), nowMs)
    return isRefusal(found) ? found.code : found
  }
  assert.equal(ask(older.secret, 999), key)
  assert.equal(ask(older.secret, 1000), 'invalid_api_key')
  assert.equal(ask(credential.secret, 1000), key)
})
