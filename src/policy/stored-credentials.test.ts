// Every rule of stored credentials as a row: a request's head in, and what goes on or the refusal
// out. `{key}` stands for the caller's Weir key, `{other}` for another one, `{stored}` for the
// stored credential.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createRandom, pick } from '../../test/fuzz/generate-requests.ts'
import type { Random } from '../../test/fuzz/generate-requests.ts'
import { createLocalLimiter } from '../../test/fakes/local-limiter.ts'
import { createTestKey } from '../../test/fakes/test-key.ts'
import type { ApiKey } from '../core/api-key.ts'
import { systemClock } from '../core/clock.ts'
import { createKeyCredential, formatCredential } from '../core/ids.ts'
import { defineProvider } from '../providers/provider.ts'
import type { DeclaredLocation } from '../providers/provider.ts'
import { createMeter } from '../app/meter.ts'
import { guardProvider } from '../providers/guarded-provider.ts'
import { addedBytes, writeRequestHead } from '../wire/http/forwarded-headers.ts'
import { parseRequestHead } from '../wire/http/http-head.ts'
import type { RequestHead } from '../wire/http/http-head.ts'
import { Admission } from '../proxy/admission.ts'
import type { ProxyServices } from '../proxy/services.ts'

const credential = createKeyCredential()
const KEY = formatCredential(credential)
const OTHER = formatCredential(createKeyCredential())
const STORED = 'sk-stored/1+2'

interface Scene {
  /** X-SVC-API-Key is sent beside the lines. */
  readonly hasHeader?: boolean
  readonly canUse?: boolean
  readonly isStored?: boolean
  readonly places?: readonly DeclaredLocation[]
  readonly minor?: number
}

const fill = (text: string): string =>
  text.replaceAll('{other}', OTHER).replaceAll('{key}', KEY).replaceAll('{stored}', STORED)

function parse(target: string, lines: readonly string[], minor: number): RequestHead {
  const first = `GET /v1/some${target} HTTP/1.${minor}`
  const bytes = Buffer.from([first, 'Host: proxy', ...lines, '', ''].join('\r\n'), 'latin1')
  const head = parseRequestHead({ bytes, start: 0, end: bytes.length }, 100)
  assert.ok(!('fault' in head), JSON.stringify(head))
  return head
}

/** What can change while a connection is open. */
interface Changing {
  key: ApiKey
  stored: string | null
}

function createChanging({ canUse = true, isStored = true }: Scene): Changing {
  const key = createTestKey(credential, { useCredentials: canUse ? ['some'] : [] })
  return { key, stored: isStored ? STORED : null }
}

function openAdmission(scene: Scene, changing = createChanging(scene)): Admission {
  const { places } = scene
  const declared = places === undefined ? {} : { credentialPlaces: places }
  const unguarded = defineProvider({ id: 'some', upstream: null, operations: [], ...declared })
  const meter = createMeter()
  const provider = guardProvider(unguarded, { meter, warn: () => {} })
  const upstream = { host: 'up', basePath: '/base', pool: null as never }
  const choose = (): string | null => changing.stored
  const route = { provider, upstream, credentials: { choose } }
  const services = {
    routes: new Map([['some', route]]),
    findKey: (id: string) => (id === changing.key.id ? changing.key : undefined),
    awaitKey: () => null,
    limiter: createLocalLimiter({ clock: systemClock, meter }).limiter,
    dimsOnInvalid: 'reject',
    readTrace: () => undefined,
    meter,
  }
  return new Admission(services as unknown as ProxyServices, false)
}

function send(scene: Scene, target: string, lines: readonly string[]): string[] | string {
  const own = scene.hasHeader === true ? [`X-SVC-API-Key: ${KEY}`] : []
  const head = parse(fill(target), [...own, ...lines.map(fill)], scene.minor ?? 1)
  return admit(openAdmission(scene), head)
}

/** The target and the lines that go on, without the Host; or the refusal's code. */
function admit(admission: Admission, head: RequestHead): string[] | string {
  const call = admission.admit(head, { id: 'id', now: 1, headAt: 1 })
  if ('refusal' in call) {
    assert.ok(!call.refusal.message.includes(credential.secret))
    return call.refusal.code
  }
  const { requestLine, change } = call
  const bytes = Buffer.alloc(10_000)
  const end = writeRequestHead(head, { requestLine, host: 'up', change }, { bytes, at: 0 })
  const text = bytes.toString('latin1', 0, end)
  const room = head.lines.end - head.lines.headStart + requestLine.length + 32
  assert.ok(end <= room + (change === null ? 0 : addedBytes(change)), 'more than is reserved')
  assert.ok(!text.includes(credential.secret), text)
  const [first = '', host, ...rest] = text.slice(0, -4).split('\r\n')
  assert.equal(host, 'Host: up')
  return [first.replace(/^GET \/base(.*) HTTP\/1\.\d$/, '$1'), ...rest]
}

type Row = readonly [
  name: string,
  scene: Scene,
  target: string,
  lines: readonly string[],
  expected: readonly string[] | string,
]

const HEADER: Scene = { hasHeader: true }
const AZURE: readonly DeclaredLocation[] = ['api-key', 'bearer', '?api-key']
const GOOGLE: readonly DeclaredLocation[] = [
  { place: 'bearer', paths: /\/openai\// },
  'x-goog-api-key',
  '?key',
]

const GOOG = 'x-goog-api-key: {stored}'

const ADDED: readonly Row[] = [
  ['nothing brought', HEADER, '/a', ['A: 1'], ['/a', 'A: 1', 'Authorization: Bearer {stored}']],
  [
    'nothing brought, where the provider has a header of its own',
    { ...HEADER, places: ['x-api-key', 'bearer'] },
    '/a?b=1',
    ['A: 1'],
    ['/a?b=1', 'A: 1', 'x-api-key: {stored}'],
  ],
  [
    'nothing brought on a path with a place of its own',
    { ...HEADER, places: GOOGLE },
    '/v1beta/openai/chat',
    [],
    ['/v1beta/openai/chat', 'Authorization: Bearer {stored}'],
  ],
  [
    'nothing brought by HTTP/1.0',
    { ...HEADER, minor: 0 },
    '/',
    [],
    ['/', 'Authorization: Bearer {stored}'],
  ],
  [
    'a parameter that is a credential elsewhere',
    HEADER,
    '/a?key=1',
    [],
    ['/a?key=1', 'Authorization: Bearer {stored}'],
  ],
]

const AS_IT_CAME: readonly Row[] = [
  [
    "the provider's own credential",
    HEADER,
    '/',
    ['authorization: Bearer sk-own'],
    ['/', 'authorization: Bearer sk-own'],
  ],
  [
    'a header that another provider takes',
    HEADER,
    '/',
    ['X-Api-Key: own'],
    ['/', 'X-Api-Key: own'],
  ],
  [
    'a signature',
    HEADER,
    '/',
    ['Authorization: AWS4-HMAC-SHA256 a'],
    ['/', 'Authorization: AWS4-HMAC-SHA256 a'],
  ],
  ['a query credential', { ...HEADER, places: GOOGLE }, '/a?key=AIza', [], ['/a?key=AIza']],
  ['a token in the query', HEADER, '/a?access_token=t', [], ['/a?access_token=t']],
  ['a key without the right', { ...HEADER, canUse: false }, '/a', [], ['/a']],
  ['nothing stored', { ...HEADER, isStored: false }, '/a', [], ['/a']],
  [
    'a key id without its secret',
    HEADER,
    '/a?user=svc_k_abcdefgh',
    ['Api-Key: own'],
    ['/a?user=svc_k_abcdefgh', 'Api-Key: own'],
  ],
]

const REPLACED: readonly Row[] = [
  [
    'in a bearer token',
    {},
    '/',
    ['Authorization: Bearer {key}'],
    ['/', 'Authorization: Bearer {stored}'],
  ],
  [
    'beside the same X-SVC-API-Key',
    HEADER,
    '/',
    ['Authorization: Bearer {key}'],
    ['/', 'Authorization: Bearer {stored}'],
  ],
  [
    "with the caller's spelling",
    {},
    '/',
    ['A: 1', 'AUTHORIZATION:bEARER \t {key} ', 'B: 2'],
    ['/', 'A: 1', 'AUTHORIZATION:bEARER \t {stored} ', 'B: 2'],
  ],
  ['in a place of its own', { places: AZURE }, '/', ['Api-Key: {key}'], ['/', 'Api-Key: {stored}']],
  [
    'in another header',
    {},
    '/',
    ['x-goog-api-key: {key}', 'A: 1'],
    ['/', 'A: 1', 'Authorization: Bearer {stored}'],
  ],
  [
    'in the query',
    { places: GOOGLE },
    '/a?alt=sse&key={key}&b=%20',
    [],
    ['/a?alt=sse&b=%20', 'x-goog-api-key: {stored}'],
  ],
  ['in the first parameter', { places: GOOGLE }, '/a?key={key}&b=1&c', [], ['/a?b=1&c', GOOG]],
  ['in the last parameter', { places: GOOGLE }, '/a?b=%20&&key={key}', [], ['/a?b=%20&', GOOG]],
  ['in the only parameter', { places: GOOGLE }, '/a?key={key}', [], ['/a', GOOG]],
  ['beside an empty parameter', { places: GOOGLE }, '/a?&key={key}', [], ['/a?', GOOG]],
  [
    'in a parameter, and a bearer token would mean another credential',
    { places: ['bearer', 'x-goog-api-key', '?key'] },
    '/a?key={key}',
    ['A: 1'],
    ['/a', 'A: 1', GOOG],
  ],
  [
    'in a parameter of a provider that has a header of that name',
    { places: AZURE },
    '/a?api-key={key}&api-version=1',
    [],
    ['/a?api-version=1', 'api-key: {stored}'],
  ],
  ['in an escaped parameter', { places: GOOGLE }, '/a?k%65y=svc%5Fk%5F{rest}', [], ['/a', GOOG]],
  [
    'in the only parameter of another provider',
    {},
    '/a?key={key}',
    [],
    ['/a', 'Authorization: Bearer {stored}'],
  ],
  [
    'in one of the parameters of another provider',
    {},
    '/a?x=1&key={key}&y',
    [],
    ['/a?x=1&y', 'Authorization: Bearer {stored}'],
  ],
  [
    'in several places: the first of them stays',
    { places: AZURE },
    '/a?api-key={key}',
    ['Authorization: Bearer {key}', 'A: 1', 'api-key: {key}'],
    ['/a', 'A: 1', 'api-key: {stored}'],
  ],
  [
    'in several places that are all wrong',
    {},
    '/a?key={key}',
    ['X-Api-Key: {key}', 'Api-Key: {key}'],
    ['/a', 'Authorization: Bearer {stored}'],
  ],
  [
    'twice in one place',
    {},
    '/',
    ['Authorization: Bearer {key}', 'authorization: bearer {key}'],
    ['/', 'Authorization: Bearer {stored}'],
  ],
  [
    'on a path that takes no bearer token',
    { places: GOOGLE },
    '/a',
    ['Authorization: Bearer {key}'],
    ['/a', 'x-goog-api-key: {stored}'],
  ],
  [
    'on a path that does',
    { places: GOOGLE },
    '/openai/a',
    ['Authorization: Bearer {key}'],
    ['/openai/a', 'Authorization: Bearer {stored}'],
  ],
]

const SOCKET = ['Connection: Upgrade', 'Upgrade: websocket']

const REFUSED: readonly Row[] = [
  ['a key that is not known', {}, '/', ['Authorization: Bearer {other}'], 'invalid_api_key'],
  ['half a key', {}, '/', ['x-api-key: svc_k_'], 'invalid_api_key'],
  [
    'a key with something behind it',
    {},
    '/',
    ['Authorization: Bearer {key}, x'],
    'invalid_api_key',
  ],
  [
    'a key without the right',
    { canUse: false },
    '/',
    ['Authorization: Bearer {key}'],
    'credential_not_allowed',
  ],
  [
    'a key in the query without the right',
    { canUse: false },
    '/?key={key}',
    [],
    'credential_not_allowed',
  ],
  [
    'nothing stored',
    { isStored: false },
    '/',
    ['Authorization: Bearer {key}'],
    'credential_not_configured',
  ],
  [
    'a credential beside a key',
    {},
    '/',
    ['Authorization: Bearer {key}', 'x-api-key: own'],
    'bad_request',
  ],
  [
    'a query credential beside a key',
    { places: GOOGLE },
    '/?key=AIza',
    ['x-goog-api-key: {key}'],
    'bad_request',
  ],
  ['two keys', {}, '/', ['Authorization: Bearer {key}', 'x-api-key: {other}'], 'bad_request'],
  ['another key than X-SVC-API-Key', HEADER, '/', ['Authorization: Bearer {other}'], 'bad_request'],
  ['a key without a scheme', {}, '/', ['Authorization: {key}'], 'bad_request'],
  [
    'a key with a scheme where none belongs',
    HEADER,
    '/',
    ['x-api-key: Bearer {key}'],
    'bad_request',
  ],
  ['a key in another parameter', HEADER, '/?token={key}', [], 'bad_request'],
  ['a key behind a semicolon', HEADER, '/?a=1;key={key}', [], 'bad_request'],
  [
    'a key as a password',
    HEADER,
    '/',
    [`Authorization: Basic ${btoa(`me:${KEY}`)}`],
    'bad_request',
  ],
  ['a key in the path', HEADER, '/a/{key}/b', [], 'bad_request'],
  ['a key in a cookie', HEADER, '/', ['Cookie: a=1; b={key}'], 'bad_request'],
  ['a key in any other header', HEADER, '/', ['X_SVC_API_KEY: {key}'], 'bad_request'],
  [
    'a key in a subprotocol without an upgrade',
    HEADER,
    '/',
    ['Sec-WebSocket-Protocol: {key}'],
    'bad_request',
  ],
  [
    'a key as a password behind a tab',
    HEADER,
    '/',
    [`Authorization: Basic\t${btoa(`me:${KEY}`)}`],
    'bad_request',
  ],
  [
    'a key in a subprotocol',
    HEADER,
    '/',
    [...SOCKET, 'Sec-WebSocket-Protocol: a, b.{key}'],
    'bad_request',
  ],
]

const expectedOf = (expected: Row[4]): string | string[] =>
  typeof expected === 'string' ? expected : expected.map(fill)

const SUITES: readonly (readonly [string, readonly Row[]])[] = [
  ['Weir adds the stored credential as the last line to a request with', ADDED],
  ['a request goes on as it came with', AS_IT_CAME],
  ['a Weir key is replaced', REPLACED],
  ['a request is refused for', REFUSED],
]

for (const [suite, rows] of SUITES) {
  describe(suite, () => {
    for (const [name, scene, target, lines, expected] of rows) {
      const rest = KEY.slice('svc_k_'.length)
      test(name, () => {
        assert.deepEqual(send(scene, target.replace('{rest}', rest), lines), expectedOf(expected))
      })
    }
  })
}

test('a WebSocket with a token in its subprotocols gets no credential besides', () => {
  const lines = [...SOCKET, 'Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.ek_1']
  assert.deepEqual(send(HEADER, '/', lines), ['/', ...lines])
  const plain = [...SOCKET, 'Sec-WebSocket-Protocol: realtime']
  assert.deepEqual(send(HEADER, '/', plain), ['/', ...plain, `Authorization: Bearer ${STORED}`])
})

test('a refusal says what to do', () => {
  const denial = openAdmission({ canUse: false }).admit(
    parse('/', [`Authorization: Bearer ${KEY}`], 1),
    { id: 'id', now: 1, headAt: 1 },
  )
  assert.ok('refusal' in denial)
  const { message } = denial.refusal
  assert.match(message, new RegExp(`weir keys update ${credential.id} --use-credential some`))
  assert.equal(denial.opening?.keyId, credential.id)
})

test('a connection keeps nothing of one call for the next', () => {
  const changing = createChanging({})
  const admission = openAdmission({ places: GOOGLE }, changing)
  const call = (target: string, ...lines: readonly string[]): string[] | string =>
    admit(admission, parse(target, lines.map(fill), 1))
  const inQuery = `/a?key=${KEY}`
  const own = ['X-SVC-API-Key: {key}', 'x-goog-api-key: own']
  assert.deepEqual(call('/a', ...own), ['/a', 'x-goog-api-key: own'])
  assert.deepEqual(call('/a', 'x-goog-api-key: {key}'), ['/a', `x-goog-api-key: ${STORED}`])
  assert.deepEqual(call('/a', ...own), ['/a', 'x-goog-api-key: own'])
  assert.deepEqual(call(inQuery), ['/a', `x-goog-api-key: ${STORED}`])
  changing.stored = 'next'
  assert.deepEqual(call(inQuery), ['/a', 'x-goog-api-key: next'])
  assert.equal(call('/a'), 'missing_api_key')
  changing.stored = null
  assert.equal(call(inQuery), 'credential_not_configured')
  changing.key = createTestKey(credential)
  assert.equal(call(inQuery), 'credential_not_allowed')
  changing.key = createTestKey(credential, { revokedAt: 1 })
  assert.equal(call(inQuery), 'revoked_api_key')
})

const SEED = 20_261_118
const ROUNDS = 2000
const LINES = [
  'Authorization: Bearer {key}',
  'authorization:bearer\t{key}',
  'X-API-Key: {key}',
  'api-key:{key}',
  'x-goog-api-key:  {key}  ',
  'Accept: */*',
  'X-Own: a',
  'Content-Type: application/json',
]
const PARAMETERS = ['key={key}', 'api-key={key}', 'a=1', 'b', '', 'c=%20', 'alt=sse', 'keys=1']
const PLACES: readonly (readonly DeclaredLocation[])[] = [['bearer'], ['x-api-key'], AZURE, GOOGLE]

function some(random: Random, items: readonly string[], max: number): string[] {
  return Array.from({ length: Math.floor(random() * (max + 1)) }, () => pick(random, items))
}

/** Written apart from the program's code, by work on whole lines. */
function isOurs(text: string): boolean {
  return text.includes('{key}')
}

test(`a key of ours never goes on, all else does, and one credential (seed ${SEED})`, () => {
  const random = createRandom(SEED)
  for (let round = 0; round < ROUNDS; round++) {
    const lines = some(random, LINES, 6)
    const parameters = some(random, PARAMETERS, 4)
    const target = parameters.length === 0 ? '/a' : `/a?${parameters.join('&')}`
    const scene = { hasHeader: true, places: pick(random, PLACES) }
    const sent = send(scene, target, lines)
    assert.ok(Array.isArray(sent), `${String(sent)}: ${target} ${lines.join(' | ')}`)
    const [path = '', ...went] = sent
    const isStored = (text: string): boolean => decodeURIComponent(text).includes(STORED)
    const query = path.split('?')[1]?.split('&') ?? []
    assert.equal(went.filter(isStored).length, 1, sent.join(' | '))
    assert.ok(!isStored(path), path)
    const others = (all: readonly string[]): string[] =>
      all.filter((text) => !isOurs(text) && !isStored(text))
    assert.deepEqual(others(went), others(lines))
    assert.equal(others(query).join('&'), others(parameters).join('&'))
  }
})
