// Calls that run no model are not buffered. What could still make another call of them behind the
// body does not reach the upstream, and neither does the request's end.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openRawClient } from '../fakes/callers/raw-client.ts'
import { trailing } from './evasion-routes.ts'
import { openPolicyScene } from './open-scene.ts'

const BODY = '{"messages":[]}'

for (const trailer of ['X-Original-URL: /v1/responses', 'X-Model: bad', 'Content-Type: a/b']) {
  test(`${trailer} behind a body that is passed on as it comes ends the call`, async (t) => {
    const scene = await openPolicyScene(() => {})
    t.after(() => scene.close())
    const { proxy, upstream } = scene
    const request = trailing('/openai/v1/threads', ['X-Sum: 1', trailer], { body: BODY })
    const client = await openRawClient(proxy.port)
    const at = request.indexOf('0\r\nX-Sum')
    client.socket.write(request.slice(0, at).replace('{key}', proxy.credential))
    await client.until(() => upstream.received().includes(BODY))
    client.socket.write(request.slice(at))
    const answer = await client.until((received) => received.includes('\r\n\r\n'))
    client.socket.destroy()
    assert.match(answer, /^HTTP\/1\.1 400 .*^X-SVC-Error: bad_request\r$/ms)
    assert.match(answer, new RegExp(`has ${trailer.split(':')[0]?.toLowerCase()} behind it: send`))
    assert.ok(!upstream.received().includes(trailer))
    assert.ok(!upstream.received().endsWith('0\r\n\r\n'))
  })
}
