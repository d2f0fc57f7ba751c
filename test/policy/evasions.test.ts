// A key that may use certain models gets no other one to run, however a request is written: each of
// these is refused before a connection to the upstream is opened.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { openRawClient } from '../fakes/callers/raw-client.ts'
import { writeCut } from '../relay/play-wire.ts'
import { EVASIONS } from './evasions.ts'
import { openPolicyScene } from './open-scene.ts'
import type { PolicyScene } from './open-scene.ts'

/** Longer requests are sent whole only. */
const CUT_BYTES_MAX = 4000

interface Answer {
  readonly status: number
  readonly code: string
}

async function send(scene: PolicyScene, request: string, cuts: readonly number[]): Promise<Answer> {
  const client = await openRawClient(scene.proxy.port)
  await writeCut(client.socket, request.replace('{key}', scene.proxy.credential), cuts)
  const text = await client.until((received) => isWhole(received))
  client.socket.destroy()
  const status = Number(/^HTTP\/1\.1 (\d+) /.exec(text)?.[1])
  return { status, code: /^X-SVC-Error: (\S+)$/m.exec(text)?.[1] ?? 'none' }
}

function isWhole(received: string): boolean {
  const end = received.indexOf('\r\n\r\n')
  const length = /^Content-Length: (\d+)/m.exec(received)?.[1]
  return end !== -1 && length !== undefined && received.length >= end + 4 + Number(length)
}

describe('refuses', () => {
  let scene: PolicyScene
  before(async () => {
    scene = await openPolicyScene(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
    })
  })
  after(() => scene.close())

  for (const { name, request, status = 403, code = 'model_not_allowed' } of EVASIONS) {
    test(name, async () => {
      const cuts = request.length > CUT_BYTES_MAX ? [[]] : [[], [7]]
      for (const each of cuts) {
        const before = scene.upstream.connections.length
        assert.deepEqual(await send(scene, request, each), { status, code })
        assert.equal(scene.upstream.connections.length, before)
      }
    })
  }
})

test('the table is as long as was promised, and no name stands twice', () => {
  const names = EVASIONS.map(({ name }) => name)
  assert.ok(names.length >= 80, `${names.length} attempts`)
  assert.equal(new Set(names).size, names.length)
})
