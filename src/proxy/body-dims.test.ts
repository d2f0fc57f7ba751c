// Dimensions from bodies: alone, and on calls that go through a proxy.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

import fc from 'fast-check'

import { parseDimPlaces } from '../core/dims.ts'
import { openTestProxy } from '../../test/fakes/open-proxy.ts'
import { openFakeUpstream } from '../../test/fakes/upstreams/upstream.ts'
import { createBodyDims } from './body-dims.ts'
import type { BodyDims } from './body-dims.ts'

const MAPPED = 'user=user,metadata.user_id=user,metadata.team=team,metadata.deep.app=app'
const openBodyDims = createBodyDims(parseDimPlaces(MAPPED) ?? [])

function open(isClaude = false): BodyDims {
  return openBodyDims(isClaude) ?? assert.fail('nothing is looked for')
}

function read(body: string | Buffer) {
  const dims = open()
  dims.feed(Buffer.from(body))
  const { texts: _, ...read } = dims.end()
  return read
}

function claudeUser(account: string): string {
  return JSON.stringify({ device_id: 'device-1', account_uuid: account, session_id: 's-1' })
}

const BODIES: readonly (readonly [name: string, body: unknown, dims: object, dropped?: number])[] =
  [
    [
      "OpenAI's members",
      { model: 'm', user: 'u-1', metadata: { team: 'search' } },
      { user: 'u-1', team: 'search' },
    ],
    ["Anthropic's member", { metadata: { user_id: 'u-2' } }, { user: 'u-2' }],
    [
      'the first of two places',
      { metadata: { user_id: 'second' }, user: 'first' },
      { user: 'first' },
    ],
    ['a member further in', { metadata: { deep: { app: 'chat' } } }, { app: 'chat' }],
    [
      'what is no text',
      { user: 7, metadata: { team: ['a'], user_id: null, deep: 'no object' } },
      {},
    ],
    ['an empty text', { user: '', metadata: { user_id: 'u-3' } }, { user: 'u-3' }],
    ['a text with a line break', { user: 'a\nb' }, {}, 1],
    ['a text that is too long', { user: 'a'.repeat(257) }, {}, 1],
    [
      '256 characters, all escaped',
      { user: '\u{1F600}'.repeat(256) },
      { user: '\u{1F600}'.repeat(256) },
    ],
    ['a list', [{ user: 'u' }], {}],
    [
      "Claude Code's user with an account, which is not another one with each session",
      { metadata: { user_id: claudeUser('account-1') } },
      { user: 'account-1' },
    ],
    [
      "Claude Code's user without one",
      { metadata: { user_id: claudeUser('') } },
      { user: 'device-1' },
    ],
    ['members of objects by nature', { constructor: 'x', metadata: {} }, {}],
  ]

for (const [name, body, dims, dropped = 0] of BODIES) {
  test(`reads ${name}`, () => {
    const text = JSON.stringify(body).replaceAll('\u{1F600}', '\\ud83d\\ude00')
    assert.deepEqual(read(text), { dims, dropped })
  })
}

test('reads nothing from a body that is not JSON', () => {
  for (const body of ['', 'user=u', '{"user":', gzipSync('{"user":"u"}')]) {
    assert.deepEqual(read(body), { dims: {}, dropped: 0 })
  }
})

test('reads the same wherever the body is cut', () => {
  const body = Buffer.from(
    JSON.stringify({ messages: ['x "user":"y"'], user: 'ü', metadata: { team: 'a' } }),
  )
  fc.assert(
    fc.property(fc.array(fc.nat(body.length)), (cuts) => {
      const dims = open()
      let from = 0
      for (const to of [...cuts, body.length].toSorted((a, b) => a - b)) {
        dims.feed(body.subarray(from, to))
        from = to
      }
      assert.deepEqual(dims.end().dims, { user: 'ü', team: 'a' })
    }),
  )
})

test('records them where header and key leave them open, and passes the body on as it came', async (t) => {
  const upstream = await openFakeUpstream()
  t.after(() => upstream.close())
  const proxy = await openTestProxy({
    upstreams: { openai: `${upstream.url}/openai` },
    key: { lockedDims: { team: 'locked' } },
    openBodyDims,
  })
  t.after(() => proxy.close())
  const bodies = [
    '{"model":"gpt-4o-mini","user":"u-1","metadata":{"team":"body","deep":{"app":"chat"}}}',
    `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"${'x'.repeat(300_000)}"}],"user":"late"}`,
  ]
  for (const body of bodies) {
    const response = await fetch(`http://127.0.0.1:${proxy.port}/v1/openai/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'x-svc-api-key': proxy.credential,
        'x-svc-dims': 'app=header',
        'content-type': 'application/json',
      },
      body,
    })
    await response.text()
  }
  const events = await proxy.events(bodies.length)
  assert.deepEqual(
    events.map(({ dims }) => dims),
    [
      { user: 'u-1', team: 'locked', app: 'header' },
      { user: 'late', team: 'locked', app: 'header' },
    ],
  )
  assert.deepEqual(
    upstream.calls.map(({ body }) => String(body)),
    bodies,
  )
})
