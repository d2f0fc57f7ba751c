import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findHeadEnd, isFault, parseRequestHead } from '../wire/http/http-head.ts'
import { findRerouting, isHeadOnly } from './rerouting.ts'

/** The provider's part of the target is taken off, as routing does. */
function find(request: string): string | null {
  const bytes = Buffer.from(`${request}\r\nHost: a\r\n\r\n`)
  const head = parseRequestHead({ bytes, start: 0, end: findHeadEnd(bytes, 0) }, 100)
  if (isFault(head)) throw new Error(head.fault)
  const [path = '', query = ''] = head.target.replace('/v1/acme', '').split('?', 2)
  return findRerouting({
    head,
    view: {
      method: head.method,
      path,
      query,
      header: (name) => head.lines.find(name),
      headers: (name) => head.lines.findAll(name),
    },
  })
}

const POST = 'POST /v1/acme/v1/talk HTTP/1.1'

const INNOCENT: Readonly<Record<string, string>> = {
  'a plain request': POST,
  'a header that repeats the method': `${POST}\r\nX-HTTP-Method-Override: post`,
  'a header that repeats the path': `${POST}\r\nX-Original-URL: /v1/acme/v1/talk`,
  'a path before a folder was taken off': `${POST}\r\nX-Envoy-Original-Path: /team-1/weir/v1/acme/v1/talk`,
  'where it came from': `${POST}\r\nX-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Prefix: /weir`,
  'escapes of a name': 'GET /v1/acme/v1/models/a%2Fb%3A1%20c HTTP/1.1',
}

for (const [name, request] of Object.entries(INNOCENT)) {
  test(`is not misled by ${name}`, () => assert.equal(find(request), null))
}

const LEADING: Readonly<Record<string, readonly [request: string, reason: RegExp]>> = {
  'another method': [`${POST}\r\nX-HTTP-Method: PUT`, /header x-http-method can .* leave it out/],
  'another method behind the same': [
    `${POST}\r\nX-Method-Override: POST\r\nX-Method-Override: PUT`,
    /x-method-override/,
  ],
  'another path': [`${POST}\r\nX-Original-URI: /v1/other`, /x-original-uri .* leave it out/],
  'another path behind the same': [
    `${POST}\r\nX-Rewrite-URL: /v1/acme/v1/talk\r\nX-Rewrite-URL: /v1/other`,
    /x-rewrite-url/,
  ],
  'another path with this one in its query': [
    `${POST}\r\nX-Envoy-Original-Path: /v1/other?x=/v1/acme/v1/talk`,
    /x-envoy-original-path/,
  ],
  'another server with this path': [
    `${POST}\r\nX-Original-URL: https://elsewhere.example/v1/acme/v1/talk`,
    /x-original-url/,
  ],
  'a method in the query': ['GET /v1/acme/x?_Method=POST HTTP/1.1', /its query can/],
  'a header in the query': ['GET /v1/acme/x?x-original-path=/y HTTP/1.1', /its query can/],
  'an escaped escape': ['GET /v1/acme/v1/files/%252e%252e/x HTTP/1.1', /more than one way.*%25/],
  'an escaped question mark': ['GET /v1/acme/v1/files/x%3F HTTP/1.1', /more than one way/],
  'an escaped number sign': ['GET /v1/acme/v1/files/x%23 HTTP/1.1', /more than one way/],
  'an escaped null': ['GET /v1/acme/v1/files/x%00 HTTP/1.1', /more than one way/],
}

for (const [name, [request, reason]] of Object.entries(LEADING)) {
  test(`finds ${name}`, () => assert.match(find(request) ?? 'nothing', reason))
}

test('knows which headers must not come behind a body', () => {
  for (const name of ['ai-model-id', 'x-portkey-config', 'x-original-url', 'content-type']) {
    assert.ok(isHeadOnly(name), name)
  }
  for (const name of ['x-sum', 'content-md5', 'x-models']) assert.ok(!isHeadOnly(name), name)
})
