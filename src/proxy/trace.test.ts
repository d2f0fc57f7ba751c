import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { rawCall } from '../../test/fakes/callers/raw-client.ts'
import { openRelayScene } from '../../test/fakes/relay-scene.ts'
import { answering } from '../../test/fakes/upstreams/scripted-upstream.ts'
import { findTraceParent } from '../wire/http/trace-parent.ts'
import type { ProxyServices } from './services.ts'

const KEPT = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const HEADER = `traceparent: 00-${KEPT}\r\n`
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

interface TracedCall {
  readonly headers: string
  readonly path?: string
  readonly readTrace?: ProxyServices['readTrace']
}

/** The trace in the one event of a call with these headers. */
async function callWith(
  t: TestContext,
  { headers, path = '/v1/some/', readTrace = findTraceParent }: TracedCall,
): Promise<string | undefined> {
  const scene = await openRelayScene(t, answering(OK), { readTrace })
  const head = `GET ${path} HTTP/1.1\r\n${scene.headers}Connection: close\r\n${headers}\r\n`
  await rawCall(scene.proxy.port, head)
  const [event] = await scene.proxy.events(1)
  if (path === '/v1/some/') assert.ok(scene.upstream.received().includes(headers))
  return event?.trace
}

test("an event names the caller's span, and the header goes on as it is", async (t) => {
  assert.equal(await callWith(t, { headers: HEADER }), KEPT)
})

test('a call that Weir refuses names it too', async (t) => {
  assert.equal(await callWith(t, { headers: HEADER, path: '/v1/nowhere/' }), KEPT)
})

test('without telemetry, without the header, or with two of them, an event names none', async (t) => {
  assert.equal(await callWith(t, { headers: HEADER, readTrace: () => undefined }), undefined)
  assert.equal(await callWith(t, { headers: 'tracestate: a=b\r\n' }), undefined)
  assert.equal(await callWith(t, { headers: HEADER + HEADER }), undefined)
})
