// A key that may use certain models is refused none of its honest requests: each of these reaches
// the upstream, byte for byte.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { openRawClient } from '../fakes/callers/raw-client.ts'
import { writeCut } from '../relay/play-wire.ts'
import { CLIENT_INNOCENTS } from './innocent-clients.ts'
import { FORM_INNOCENTS } from './innocent-forms.ts'
import { SCHEMA_INNOCENTS } from './innocent-schemas.ts'
import { INNOCENTS } from './innocents.ts'
import { openPolicyScene } from './open-scene.ts'
import type { PolicyScene } from './open-scene.ts'

/** Longer requests are sent whole only. */
const CUT_BYTES_MAX = 4000
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}'
const BLANK_LINE = '\r\n\r\n'

const FROM_CLIENTS = [...CLIENT_INNOCENTS, ...FORM_INNOCENTS, ...SCHEMA_INNOCENTS]
const ALL = [...INNOCENTS, ...FROM_CLIENTS]

/**
 * As it must reach the upstream: Host and path as an upstream knows them, and nothing of Weir's.
 */
function toForwarded(request: string, host: string): string {
  const end = request.indexOf(BLANK_LINE)
  const lines = request.slice(0, end).split('\r\n')
  const isUpgrade = lines.includes('Upgrade: websocket')
  const kept = lines
    .filter((line) => !/^X-SVC-|^Keep-Alive:/i.test(line))
    .filter((line) => isUpgrade || !/^(?:Connection|Upgrade|HTTP2-Settings):/i.test(line))
    .map((line) => (/^host:/i.test(line) ? `${line.slice(0, 4)}: ${host}` : line))
  const [requestLine = '', ...headers] = kept
  const own = requestLine.includes(' /v1/credits ')
    ? requestLine
    : requestLine.replace(/ (?:http:\/\/proxy)?\/v1\/[a-z]+\//, ' /')
  return [own, ...headers].join('\r\n') + request.slice(end)
}

describe('passes', () => {
  let scene: PolicyScene
  before(async () => {
    scene = await openPolicyScene(() => {})
  })
  after(() => scene.close())

  for (const { name, request } of ALL) {
    test(name, async () => {
      const { proxy, upstream } = scene
      for (const cuts of request.length > CUT_BYTES_MAX ? [[]] : [[], [7]]) {
        upstream.connections.length = 0
        const client = await openRawClient(proxy.port)
        const written = writeCut(client.socket, request.replace('{key}', proxy.credential), cuts)
        const expected = toForwarded(request, new URL(upstream.url).host)
        await client.until(
          (answer) => answer !== '' || upstream.received().length >= expected.length,
        )
        await written
        assert.equal(client.received, '')
        assert.ok(upstream.received() === expected, upstream.received().slice(0, 2000))
        upstream.connections[0]?.socket.end(ANSWER)
        assert.match(
          await client.until((answer) => answer.endsWith('{}')),
          /^HTTP\/1\.1 200 OK\r\n/,
        )
        client.socket.destroy()
      }
    })
  }
})

test('the table is as long as was promised, and no name stands twice', () => {
  const names = ALL.map(({ name }) => name)
  assert.ok(names.length >= 90, `${names.length} requests`)
  assert.ok(FROM_CLIENTS.length >= 60, `${FROM_CLIENTS.length} of real clients`)
  assert.equal(new Set(names).size, names.length)
})
