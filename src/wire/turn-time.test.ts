// A large call must not delay the other streams of its worker: the relay's thread reads a bounded
// part of it in a turn of the event loop, then serves the others.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { LARGE_CALLS } from '../../test/fakes/callers/large-calls.ts'
import { openRawClient } from '../../test/fakes/callers/raw-client.ts'
import { openRelayScene } from '../../test/fakes/relay-scene.ts'
import { createSlowClock, openTurnWork } from '../../test/fakes/turn-work.ts'
import { createProvider } from '../providers/registry.ts'
import type { Provider } from '../providers/provider.ts'
import { VALUE_BYTES_MAX } from './json/json-members.ts'
import { SLICE_BYTES } from './paced-feed.ts'

/** Three slices on a slow clock, for request and answer each, and one for each that waits. */
const FED_BYTES_MAX = 10 * SLICE_BYTES

for (const [name, call] of Object.entries(LARGE_CALLS)) {
  test(`${name} is read in parts, a few in each turn`, async (t) => {
    const work = openTurnWork(t)
    const made = createProvider({ id: 'some', shape: 'openai', upstream: 'http://unused' })
    const provider = { ...made, operations: made.operations.map(work.count) } as Provider
    const request = call.request()
    const answer = call.answer()
    const headers = { ...call.answerHeaders, 'content-length': answer.length }
    const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`)
    const { proxy, headers: common } = await openRelayScene(
      t,
      (connection) => {
        if (!connection.received.endsWith('}')) return
        connection.socket.write(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`)
        connection.socket.write(answer)
        connection.received = ''
      },
      { providers: [provider], key: { allowedModels: ['some/*'] }, clock: createSlowClock() },
    )
    const client = await openRawClient(proxy.port)
    t.after(() => void client.socket.destroy())
    const head = `${common}Content-Length: ${request.length}\r\nConnection: close\r\n\r\n`
    client.send(`POST /v1/some/v1/chat/completions HTTP/1.1\r\n${head}`)
    client.socket.write(request)
    await client.closed()
    assert.equal((await proxy.events(1)).length, 1)
    const { fedBytes, parsedBytes } = work.most()
    assert.ok(fedBytes > 0 && fedBytes <= FED_BYTES_MAX, `${fedBytes} bytes in one turn`)
    assert.ok(parsedBytes <= VALUE_BYTES_MAX + FED_BYTES_MAX, `${parsedBytes} bytes parsed`)
  })
}
