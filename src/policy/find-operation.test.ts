import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createMeter } from '../app/meter.ts'
import { guardProvider } from '../providers/guarded-provider.ts'
import { defineProvider } from '../providers/provider.ts'
import type { Operation } from '../providers/provider.ts'
import { unmeteredOperation } from '../providers/shapes/unmetered-operation.ts'
import { findHeadEnd, isFault, parseRequestHead } from '../wire/http/http-head.ts'
import { findOperation } from './find-operation.ts'
import { isRefusal, parseTarget } from '../proxy/route.ts'

const charged = (name: string, path: string | RegExp): Operation =>
  unmeteredOperation({ name, path, isCharged: true })

const acme = guardProvider(
  defineProvider({
    id: 'acme',
    upstream: null,
    operations: [
      charged('chat', '/v1/chat/completions'),
      charged('respond', '/v1/responses'),
      charged('run', /^\/v1\/threads\/[^/]+\/runs$/),
      charged('invoke', /^\/model\/[^/]+\/invoke$/),
      unmeteredOperation({ name: 'count', path: /^\/model\/[^/]+\/count$/ }),
      unmeteredOperation({ name: 'cancel', path: /^\/v1\/responses\/[^/]+\/cancel$/ }),
      unmeteredOperation({ name: 'thread', path: /^\/v1\/threads\/[^/]+$/ }),
    ],
  }),
  { meter: createMeter(), warn: () => {} },
)

/** Under which name a call is recorded, by which path, and what a policy takes it for. */
function find(path: string): readonly [string | null, string, string | null] {
  const bytes = Buffer.from(`POST /v1/acme${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  const head = parseRequestHead({ bytes, start: 0, end: findHeadEnd(bytes, 0) }, 100)
  if (isFault(head)) throw new Error(head.fault)
  const target = parseTarget(head.target)
  if (isRefusal(target)) throw new Error(target.message)
  // What goes on is what came.
  assert.equal(target.forwarded, path)
  const { operation, view, judged } = findOperation(head, target, acme)
  const known = judged.operation === 'failed' ? 'failed' : (judged.operation?.name ?? null)
  return [operation?.name ?? null, view.path, known]
}

const CHAT = '/v1/chat/completions'

const FOUND: readonly (readonly [
  path: string,
  name: string | null,
  asPath: string,
  judged?: null | string,
])[] = [
  [CHAT, 'chat', CHAT],
  ['/v1/%63hat/completions', 'chat', CHAT],
  ['//v1/chat//completions', 'chat', CHAT],
  ['/v1/chat/completions/', 'chat', CHAT],
  ['/v1/chat%2fcompletions', 'chat', CHAT, null],
  ['/v1/chat%5Ccompletions', 'chat', CHAT, null],
  ['/v1/chat;x=1/completions', 'chat', CHAT, null],
  ['/v1/chat/completions;x=1', 'chat', CHAT, null],
  ['/v1/chat/completions%3Bx', 'chat', CHAT, null],
  ['/v1/chat/completions%3Fx', 'chat', CHAT, null],
  ['/v1/%2563hat/completions', 'chat', CHAT, null],
  ['/V1/Chat/Completions', 'chat', CHAT, null],
  // An escaped slash may be part of a name.
  ['/model/arn%3Aaws%2Fm/invoke', 'invoke', '/model/arn:aws%2Fm/invoke'],
  ['/model/arn%3Aaws%2Fm/count', 'count', '/model/arn:aws%2Fm/count'],
  // What looks free may be another call at some server.
  ['/v1/responses/r_1/cancel', 'cancel', '/v1/responses/r_1/cancel'],
  ['/v1/responses/R_1/cancel', 'cancel', '/v1/responses/R_1/cancel'],
  ['/v1/responses/;r_1/cancel', 'respond', '/v1/responses', 'cancel'],
  ['/v1/responses/%3F/cancel', 'respond', '/v1/responses', 'cancel'],
  ['/v1/threads/t_1%2Fruns', 'run', '/v1/threads/t_1/runs', 'thread'],
  ['/v1/threads/t_1', 'thread', '/v1/threads/t_1'],
  ['/v1/nothing', null, '/v1/nothing'],
]

describe('finds the operation of', () => {
  for (const [path, name, asPath, judged = name] of FOUND) {
    test(path, () => assert.deepEqual(find(path), [name, asPath, judged]))
  }
})
