import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { watchAccepted } from '../../test/fakes/callers/accepted-sockets.ts'
import { openRawClient, rawCall } from '../../test/fakes/callers/raw-client.ts'
import { createManualClock } from '../../test/fakes/manual-clock.ts'
import { openRelayScene } from '../../test/fakes/relay-scene.ts'
import type { Script } from '../../test/fakes/upstreams/scripted-upstream.ts'
import type { JournalEntry, JournalEntrySource, JournalWriter } from '../journal/journal.ts'

const REQUEST = 'GET /v1/some/ HTTP/1.1\r\n'
/** Lines that open a call are written at once, those that close one when told. */
function createPatientJournal() {
  const closes: { readonly entry: JournalEntry; readonly write: () => void }[] = []
  const journal: JournalWriter = {
    append: (source: JournalEntrySource, written = () => {}) => {
      const entry = typeof source === 'function' ? source() : source
      if (entry.kind !== 'close') return void setImmediate(written)
      let isWritten = false
      const write = (): void => {
        if (!isWritten) written()
        isWritten = true
      }
      closes.push({ entry, write })
    },
    canOpen: () => true,
    fault: () => null,
    close: async () => {},
  }
  return { journal, closes }
}

async function openScene(t: TestContext, script: Script) {
  const { journal, closes } = createPatientJournal()
  // A proxy is not closed before its calls are on record.
  t.after(() => closes.forEach(({ write }) => write()))
  const { proxy, upstream, headers } = await openRelayScene(t, script, {
    journal,
    recordsFirst: true,
  })
  const client = await openRawClient(proxy.port)
  t.after(() => void client.socket.destroy())
  client.send(`${REQUEST}${headers}\r\n`)
  /** Resolves when a call waits to be on record. */
  const untilClosing = async (): Promise<void> => {
    while (closes.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await settle()
  }
  /** A later exchange with the proxy is over: what it did before has arrived. */
  const settle = async (): Promise<void> => {
    await rawCall(proxy.port, 'GET /healthz HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n')
  }
  return { proxy, upstream, client, closes, untilClosing, settle }
}

const ANSWERS = [
  ['an answer in one piece', ['HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nlast'], ''],
  ['an answer without a body', ['HTTP/1.1 204 No\r\nx-last: last\r\n\r\n'], ''],
  [
    'the end of a length',
    ['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nfirst', 'last'],
    /\r\n\r\nfirst$/,
  ],
  [
    'the end of chunks',
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n', '0\r\n\r\n'],
    /first\r\n$/,
  ],
] as const

for (const [name, pieces, before] of ANSWERS) {
  test(`${name} waits until the call is on record`, async (t) => {
    const [first, second] = pieces
    const scene = await openScene(t, ({ socket }) => void socket.write(first))
    if (second !== undefined) {
      await scene.client.until((text) => text.includes('first'))
      scene.upstream.connections[0]?.socket.write(second)
    }
    await scene.untilClosing()
    if (before === '') assert.equal(scene.client.received, '')
    else assert.match(scene.client.received, before)
    scene.closes[0]?.write()
    const last = pieces.at(-1)?.slice(-4) as string
    await scene.client.until((text) => text.endsWith(last))
    const { entry } = scene.closes[0] as (typeof scene.closes)[number]
    assert.ok(entry.kind === 'close' && entry.event.status === 'delivered')
    assert.equal(scene.closes.length, 1)
  })
}

test('the end of a connection that ends an answer waits too', async (t) => {
  const scene = await openScene(t, ({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\n\r\nall of it')
  })
  await scene.untilClosing()
  assert.match(scene.client.received, /all of it$/)
  assert.equal(scene.client.isClosed, false)
  scene.closes[0]?.write()
  await scene.client.closed()
})

test('a caller that leaves meanwhile is recorded once, and holds up no drain', async (t) => {
  const scene = await openScene(t, ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nlast')
  })
  await scene.untilClosing()
  scene.client.socket.destroy()
  await scene.settle()
  scene.closes[0]?.write()
  await scene.proxy.drain({ timeoutMs: 10_000, idleMs: 0 })
  assert.equal(scene.closes.length, 1)
})

test('a caller that does not read its last piece is given up after a while', async (t) => {
  const sockets = watchAccepted(t)
  const limitsClock = createManualClock()
  const script: Script = ({ socket }) =>
    void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nlast')
  const { proxy, headers } = await openRelayScene(t, script, {
    recordsFirst: true,
    limits: { streamIdleTimeoutMs: 20 },
    limitsClock,
  })
  const client = await openRawClient(proxy.port)
  const accepted = await sockets.of(client.socket.localPort)
  accepted.cork()
  client.send(`${REQUEST}${headers}\r\n`)
  while (accepted.writableLength === 0) await new Promise((resolve) => setImmediate(resolve))
  while (!client.isClosed) await limitsClock.pass(6)
  assert.equal(client.received, '')
  const [event] = await proxy.events(1)
  assert.equal(event?.status, 'delivered')
  await proxy.drain({ timeoutMs: 60_000, idleMs: 0 })
})

test('a drain waits until the caller has the piece that waited', async (t) => {
  const scene = await openScene(t, ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nlast')
  })
  await scene.untilClosing()
  const drained = scene.proxy.drain({ timeoutMs: 10_000, idleMs: 0 })
  scene.closes[0]?.write()
  await drained
  await scene.client.until((text) => text.endsWith('last'))
})
