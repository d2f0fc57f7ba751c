import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createMeter } from '../app/meter.ts'
import type { CountingMeter } from '../app/meter.ts'
import { createModelPolicy } from '../core/model-policy.ts'
import { defineProvider } from '../providers/provider.ts'
import type { NamesFound, NamesReader, Operation, RequestView } from '../providers/provider.ts'
import { findHeadEnd, isFault, parseRequestHead } from '../wire/http/http-head.ts'
import { judgeHead, judgeNames } from './policy.ts'
import type { CallPolicy } from './policy.ts'
import { isRefusal } from '../proxy/route.ts'
import type { ProxyServices } from '../proxy/services.ts'

const BODY_BYTES_MAX = 1000

const acme = defineProvider({ id: 'acme', upstream: null, operations: [] })
const hub = defineProvider({ id: 'hub', upstream: null, operations: [], hasMakersInNames: true })

function policyOf(provider = acme, patterns: readonly string[] = ['acme/big-*']): CallPolicy {
  return {
    keyId: 'svc_k_test',
    provider,
    models: createModelPolicy(patterns),
    blocked: [],
    names: new Set(),
  }
}

function named(...names: readonly string[]): NamesFound {
  return { kind: 'named', names }
}

const ALLOWED: readonly (readonly [NamesFound, CallPolicy])[] = [
  [named(), policyOf()],
  [named('big-1'), policyOf()],
  [named('BIG-1', 'big-2'), policyOf()],
  [named('acme/big-1'), policyOf(hub)],
  [named('vmc/mine'), policyOf(hub, ['vmc/mine'])],
]

describe('judgeNames allows', () => {
  for (const [found, policy] of ALLOWED) {
    test(`${JSON.stringify(found)} at ${policy.provider.id}`, () => {
      assert.equal(judgeNames(found, policy), null)
      assert.deepEqual([...policy.names], found.kind === 'named' ? found.names : [])
    })
  }
})

const REFUSED: readonly (readonly [NamesFound, CallPolicy, RegExp])[] = [
  [named('small'), policyOf(), /may not use the model "acme\/small"\. Allowed: acme\/big-\*\./],
  [named('big-1', 'small'), policyOf(), /"acme\/small"/],
  [named('big-1'), policyOf(hub), /"big-1"/],
  [named(''), policyOf(acme, ['*']), /"acme\/", a name that is not written in plain characters/],
  [named(' big-1'), policyOf(acme, ['*']), /not written in plain/],
  [named('big-1 '), policyOf(), /not written in plain/],
  [named('big-1\u200b'), policyOf(), /"acme\/big-1\\u200b", a name/],
  [named('b\u0456g-1'), policyOf(acme, ['*']), /not written in plain/],
  [named('big-1\r\nX: y'), policyOf(), /"acme\/big-1\\u000d\\u000aX: y"/],
  [named(`big-${'x'.repeat(300)}`), policyOf(), /"acme\/big-x{70}…"/],
  [named('"quoted"'), policyOf(), /"acme\/\\u0022quoted\\u0022"/],
  [named('vmc/mine'), policyOf(hub, ['*']), /only a pattern that spells its prefix out/],
  [
    named('small'),
    policyOf(acme, ['a', 'b', 'c', 'd', 'e', 'f', 'g']),
    /Allowed: a, b, c, d, e and 2 more\. Name one of these, or ask/,
  ],
  [
    { kind: 'unreadable', reason: 'it is no JSON' },
    policyOf(),
    /could not be determined: it is no JSON\./,
  ],
]

describe('judgeNames refuses', () => {
  for (const [found, policy, message] of REFUSED) {
    test(JSON.stringify(found).slice(0, 80), () => {
      const refusal = judgeNames(found, policy)
      assert.equal(refusal?.code, 'model_not_allowed')
      assert.match(refusal?.message ?? '', message)
      assert.match(refusal?.message ?? '', /svc_k_test/)
    })
  }

  test('with the name that is to be recorded, and no more of it than fits', () => {
    assert.equal(judgeNames(named('big-1', 'small'), policyOf())?.model, 'small')
    assert.equal(judgeNames(named('x'.repeat(1000)), policyOf())?.model?.length, 256)
  })
})

test('judgeNames keeps some names of a list without end', () => {
  const policy = policyOf()
  const names = Array.from({ length: 1000 }, (_, index) => `big-${index}`)
  assert.equal(judgeNames(named(...names), policy), null)
  assert.equal(policy.names.size, 64)
})

function createOperation(changes: Partial<Operation> & { reader?: Partial<NamesReader> } = {}) {
  const { reader, ...rest } = changes
  const operation: Operation = {
    name: 'talk',
    matches: () => true,
    createModelReader: () => null,
    createNamesReader: () => ({ feed() {}, end: () => named('big-1'), ...reader }),
    createUsageReader: () => {
      throw new Error('not asked for')
    },
    ...rest,
  }
  return operation
}

const tunnel: Operation['tunnel'] = {
  createUsageReader: () => {
    throw new Error('not asked for')
  },
  createNamesReader: () => ({ feed() {}, end: () => named() }),
  readAsk: () => null,
}

interface HeadCase {
  readonly operation?: Operation | null | 'failed'
  readonly policy?: CallPolicy
  readonly meter?: CountingMeter
}

/** `passes`, `reads` with the codings, or the refusal's code. */
function judge(request: string, asked: HeadCase = {}) {
  const { operation = null, policy = policyOf(), meter = createMeter() } = asked
  const bytes = Buffer.from(`${request}\r\nHost: a\r\n\r\n`, 'latin1')
  const head = parseRequestHead({ bytes, start: 0, end: findHeadEnd(bytes, 0) }, 100)
  if (isFault(head)) throw new Error(head.fault)
  const view: RequestView = {
    method: head.method,
    path: head.target,
    query: '',
    header: (name) => head.lines.find(name),
    headers: (name) => head.lines.findAll(name),
  }
  const limits = { policyBodyBytesMax: BODY_BYTES_MAX }
  const services = { limits, meter } as unknown as ProxyServices
  const judged = judgeHead({ head, view, operation }, policy, services)
  if (judged === null) return 'passes'
  return isRefusal(judged) ? judged.code : `reads ${judged.codings.join()}`
}

const POST = 'POST /v1/talk HTTP/1.1'
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket'
const withSmall = createOperation({ reader: { end: () => named('small') } })
const withNone = createOperation({ reader: { isBodyless: true, end: () => named() } })
const withHidden = createOperation({
  reader: { isBodyless: true, end: () => ({ kind: 'unreadable', reason: 'hidden' }) },
})
const withTunnel = createOperation({ tunnel })
const denied = 'model_not_allowed'

const HEADS: readonly (readonly [string, string, string, (Operation | null)?])[] = [
  ['a look without a known operation', 'GET /v1/models HTTP/1.1', 'passes'],
  ['HEAD', 'HEAD /v1/models HTTP/1.1', 'passes'],
  ['OPTIONS', 'OPTIONS /v1/models HTTP/1.1', 'passes'],
  ['DELETE', 'DELETE /v1/files/1 HTTP/1.1', 'passes'],
  ['a look with a body', 'GET /v1/models HTTP/1.1\r\nContent-Length: 9', 'passes'],
  ['POST to an unknown path', `${POST}\r\nContent-Length: 9`, denied],
  ['PUT to an unknown path', 'PUT /x HTTP/1.1', denied],
  ['PATCH to an unknown path', 'PATCH /x HTTP/1.1', denied],
  ['a method nobody knows', 'BREW /x HTTP/1.1', denied],
  ['a method in small letters', 'get /x HTTP/1.1', denied],
  ['a look that is a POST to others', 'GET /x HTTP/1.1\r\nX-HTTP-Method-Override: POST', denied],
  ['the same by another header', 'GET /x HTTP/1.1\r\nx-method-override: POST', denied],
  ['and by a third', 'DELETE /x HTTP/1.1\r\nX-Http-Method: POST', denied],
  ['a look at another path', 'GET /x HTTP/1.1\r\nX-Original-URL: /v1/talk', denied],
  ['the same by another name', 'GET /x HTTP/1.1\r\nX-Rewrite-URL: /v1/talk', denied],
  ['a body with a known operation', `${POST}\r\nContent-Length: 9`, 'reads ', createOperation()],
  ['a chunked body', `${POST}\r\nTransfer-Encoding: chunked`, 'reads ', createOperation()],
  ['no body', POST, 'passes', createOperation()],
  ['no body, with a model that is not allowed', POST, denied, withSmall],
  ['a body of no bytes', `${POST}\r\nContent-Length: 0`, denied, withSmall],
  ['a body that says nothing', `${POST}\r\nContent-Length: 2000`, 'passes', withNone],
  ['models out of sight', `${POST}\r\nContent-Length: 9`, denied, withHidden],
  ['a body of the largest size', `${POST}\r\nContent-Length: 1000`, 'reads ', withSmall],
  ['a body of one byte more', `${POST}\r\nContent-Length: 1001`, 'body_too_large', withSmall],
  [
    'codings, over two lines',
    `${POST}\r\nContent-Length: 9\r\nContent-Encoding: br\r\ncontent-encoding: GZIP`,
    'reads br,gzip',
    withSmall,
  ],
  [
    'a coding nobody knows',
    `${POST}\r\nContent-Length: 9\r\nContent-Encoding: compress`,
    'unsupported_encoding',
    withSmall,
  ],
  ['an upgrade without an operation', `GET /x HTTP/1.1\r\n${UPGRADE}`, denied],
  ['an upgrade of a plain operation', `GET /x HTTP/1.1\r\n${UPGRADE}`, denied, createOperation()],
  ['an upgrade of one for it', `GET /x HTTP/1.1\r\n${UPGRADE}`, 'passes', withTunnel],
  [
    'an upgrade with a body',
    `POST /x HTTP/1.1\r\n${UPGRADE}\r\nContent-Length: 9`,
    denied,
    withTunnel,
  ],
  [
    'an upgrade whose head names a wrong model',
    `GET /x HTTP/1.1\r\n${UPGRADE}`,
    denied,
    createOperation({ tunnel, reader: { end: () => named('small') } }),
  ],
  [
    'a header that was read and is taken away',
    `${POST}\r\nContent-Length: 9\r\nConnection: keep-alive, X-Model\r\nX-Model: big-1`,
    denied,
    createOperation(),
  ],
  [
    'a name in Connection that no header has',
    `${POST}\r\nContent-Length: 9\r\nConnection: keep-alive, X-Model`,
    'reads ',
    createOperation(),
  ],
]

describe('judgeHead decides on', () => {
  for (const [name, request, expected, operation = null] of HEADS) {
    test(name, () => assert.equal(judge(request, { operation }), expected))
  }

  test('a request that its provider fails to recognise', () => {
    assert.equal(judge('GET /v1/models HTTP/1.1', { operation: null }), 'passes')
    assert.equal(judge('GET /v1/models HTTP/1.1', { operation: 'failed' }), denied)
  })
})
