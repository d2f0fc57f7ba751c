// Answers that carry an id seen before: calls of their own, unless they say that they read a stored
// object again.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openRawClient } from '../fakes/callers/raw-client.ts'
import { openScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'
import { openScene } from './scene.ts'

/** As servers answer that keep no responses, and so need no new id for each. */
const RESPONSE = JSON.stringify({
  id: 'resp_0',
  object: 'response',
  status: 'completed',
  model: 'gpt-4o-mini',
  usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
})

test('three answers with the same response id are three calls, and none of them is free', async (t) => {
  const upstream = await openScriptedUpstream((connection) => {
    if (!connection.received.endsWith('}')) return
    connection.received = ''
    connection.socket.write(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${RESPONSE.length}\r\n\r\n${RESPONSE}`,
    )
  })
  t.after(() => upstream.close())
  const scene = await openScene(t, { PROVIDER_OPENAI_URL: upstream.url })
  const client = await openRawClient(Number(new URL(scene.program.addresses.proxy).port))
  t.after(() => void client.socket.destroy())
  const body = '{"model":"gpt-4o-mini","input":"x"}'
  const costs = new Set<string>()
  for (let call = 0; call < 3; call++) {
    client.received = ''
    client.send(
      `POST /v1/openai/v1/responses HTTP/1.1\r\nHost: weir\r\nX-SVC-API-Key: ${scene.key.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    const answer = await client.until((text) => text.endsWith(RESPONSE))
    const id = /\r\nX-SVC-Request-Id: (\S+)\r\n/.exec(answer)?.[1] ?? ''
    const { event, cost } = await scene.record(id)
    assert.deepEqual([event.chargeable, event.tokens?.input], [true, 1000])
    costs.add(String(cost.amount))
  }
  assert.equal(costs.size, 1)
  assert.ok(!costs.has('0') && !costs.has('null'))
})
