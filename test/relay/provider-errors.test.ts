// Why a call failed, through the relay: the event has the provider's own code, and no text of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { usageEventToText } from '../../src/core/usage-event-text.ts'
import { PROVIDERS } from '../../src/providers/registry.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import { openScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'

const PROMPT = 'about-the-illness'
const answer = (head: string, body: string): string =>
  `HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`

const ANSWERS = [
  [
    answer('429 Slow', `{"error":{"message":"${PROMPT}","type":"requests","code":"slow_down"}}`),
    ['refused', null, 'slow_down'],
  ],
  [
    answer('500 Broken', `{"error":{"message":"${PROMPT}","code":"a text: ${PROMPT}"}}`),
    ['refused', null, undefined],
  ],
  [
    answer(
      '200 OK\r\nContent-Type: text/event-stream',
      `data: {"choices":[]}\n\ndata: {"error":{"message":"${PROMPT}","type":"server_error"}}\n\n`,
    ),
    ['delivered', 'provider_error', 'server_error'],
  ],
] as const

for (const [text, expected] of ANSWERS) {
  test(`records ${expected.join(', ')} of ${text.slice(9, 15).trim()}`, async (t) => {
    const upstream = await openScriptedUpstream(
      ({ socket, received }) => void (received.endsWith('\r\n\r\n{}') && socket.end(text)),
    )
    t.after(() => upstream.close())
    const proxy = await openTestProxy({
      upstreams: { openai: upstream.url },
      providers: PROVIDERS,
    })
    t.after(() => proxy.close())
    const client = await openRawClient(proxy.port)
    client.send(
      `POST /v1/openai/v1/chat/completions HTTP/1.1\r\nHost: proxy\r\nX-SVC-API-Key: ${proxy.credential}\r\nContent-Length: 2\r\n\r\n{}`,
    )
    const [event] = await proxy.events(1)
    client.socket.destroy()
    assert.ok(event !== undefined)
    assert.deepEqual([event.status, event.errorCode, event.providerError], expected)
    assert.doesNotMatch(usageEventToText(event), new RegExp(PROMPT))
  })
}
