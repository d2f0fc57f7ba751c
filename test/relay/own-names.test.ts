// X-SVC-* is between a caller and Weir: what a caller sends as a trailer goes no further, and what
// marks Weir's own answers comes from Weir alone.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createProvider } from '../../src/providers/registry.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { ID_LINE, OK, openRelayScene } from '../fakes/relay-scene.ts'

const openaiShaped = createProvider({ id: 'some', shape: 'openai', upstream: 'http://unused' })
const JSON_BODY = '{"model":"a"}'
const CHUNK = `${JSON_BODY.length.toString(16)}\r\n${JSON_BODY}\r\n0\r\n`
const KEYS = [
  ['any key', {}],
  ['a key whose bodies are read first', { allowedModels: ['some/a'] }],
] as const

describe("a key's secret in the trailers stays here, for", () => {
  for (const [name, key] of KEYS) {
    for (const isCut of [false, true]) {
      test(`${name}, ${isCut ? 'a byte at a time' : 'in one piece'}`, async (t) => {
        const providers = openaiShaped === null ? [] : [openaiShaped]
        const scene = await openRelayScene(
          t,
          ({ socket, received }) =>
            void (received.endsWith('\r\n\r\n') && received.includes(CHUNK) && socket.write(OK)),
          { key, providers },
        )
        const client = await openRawClient(scene.proxy.port)
        const trailer = `X-SVC-API-Key: ${scene.proxy.credential}\r\nx-svc-dims: a=b\r\n`
        const head = `POST /v1/some/v1/chat/completions HTTP/1.1\r\n${scene.headers}`
        client.send(`${head}Transfer-Encoding: chunked\r\n\r\n`)
        const body = `${CHUNK}${trailer}\r\n`
        for (const piece of isCut ? body : [body]) {
          client.send(piece)
          await new Promise((resolve) => setImmediate(resolve))
        }
        await client.until((text) => text.endsWith('ok'))
        assert.ok(scene.upstream.received().endsWith(`\r\n\r\n${CHUNK}\r\n`))
        assert.ok(!/svc/i.test(scene.upstream.received()))
        const [event] = await scene.proxy.events(1)
        assert.deepEqual([event?.status, event?.requestBytes], ['delivered', body.length])
        client.socket.destroy()
      })
    }
  }
})

test('an upgrade carries the id of Weir alone', async (t) => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  const { proxy, headers } = await openRelayScene(t, ({ socket }) => {
    const forged = 'X-SVC-Request-Id: forged\r\nX-SVC-Error: overloaded\r\nX-SVC-Other: 1\r\n'
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${forged}${upgrade}\r\n`)
  })
  const client = await openRawClient(proxy.port)
  client.send(`GET /v1/some/ HTTP/1.1\r\n${headers}${upgrade}\r\n`)
  const received = await client.until((text) => text.endsWith('\r\n\r\n'))
  assert.equal(
    received.replace(ID_LINE, ''),
    `HTTP/1.1 101 Switching Protocols\r\nX-SVC-Other: 1\r\n${upgrade}\r\n`,
  )
  client.socket.destroy()
})
