import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { openRawClient, rawCall } from '../../test/fakes/callers/raw-client.ts'
import { FailingDisk } from '../../test/fakes/failing-disk.ts'
import { openJournalScene, readAll } from '../../test/fakes/journal-scene.ts'
import { OK, openRelayScene } from '../../test/fakes/relay-scene.ts'
import { systemClock } from '../core/clock.ts'
import type { UsageEvent } from '../core/usage-event.ts'

const FULL = /^HTTP\/1\.1 503 [^]*X-SVC-Error: journal_full\r\n[^]*Retry-After: 5\r\n/
const WHOLE = /^HTTP\/1\.1 200 /
/** How long a drain waits for calls that are open. */
const DRAIN_MS = 20_000

/** A journal that has to be on the disk, and one whose calls go on; the disk fills on demand. */
async function openScene(t: TestContext, onFull: 'go-on' | 'refuse', bufferBytesMax = 100_000) {
  const disk = new FailingDisk()
  const journalScene = openJournalScene(t)
  const journal = journalScene.open({ disk, onFull, bufferBytesMax })
  let finish = (): void => {}
  const scene = await openRelayScene(
    t,
    ({ received, socket }) => {
      if (!received.slice(received.lastIndexOf('GET ')).includes('/long'))
        return void socket.write(OK)
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nfirst')
      finish = () => void socket.write('last')
    },
    { journal },
  )
  const { proxy, headers, upstream } = scene
  const call = (): Promise<string> =>
    rawCall(proxy.port, `GET /v1/some/ HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
  const events = async (): Promise<UsageEvent[]> =>
    (await readAll(journalScene.dir)).lines.flatMap(({ entry }) =>
      entry.kind === 'close' ? [entry.event] : [],
    )
  const startLong = async () => {
    const client = await openRawClient(proxy.port)
    t.after(() => void client.socket.destroy())
    client.send(`GET /v1/some/long HTTP/1.1\r\n${headers}\r\n`)
    await client.until((received) => received.endsWith('first'))
    return { client, finish: () => finish() }
  }
  /** The calls that came to the provider. */
  const received = (): number => upstream.received().split('GET /base/').length - 1
  const isOpenAgain = async (): Promise<void> => {
    while (!journal.canOpen()) await new Promise((resolve) => setImmediate(resolve))
  }
  return { ...scene, disk, journal, journalScene, call, events, startLong, received, isOpenAgain }
}

test('refuses a call with onFull refuse before anything is forwarded, the first one too', async (t) => {
  const { disk, journal, call, startLong, received, isOpenAgain, events, proxy } = await openScene(
    t,
    'refuse',
  )
  assert.match(await call(), WHOLE)
  const { client, finish } = await startLong()
  disk.faults.set('write', 'ENOSPC')
  for (let count = 0; count < 3; count++) assert.match(await call(), FULL)
  assert.equal(received(), 2)
  assert.match(journal.fault() ?? '', /ENOSPC.*Calls are refused/)
  const health = 'GET /healthz HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n'
  assert.match(await rawCall(proxy.port, health), WHOLE)
  // What runs is never cut.
  finish()
  assert.match(await client.until((text) => text.endsWith('last')), WHOLE)
  disk.faults.clear()
  await isOpenAgain()
  assert.match(await call(), WHOLE)
  const ends = (await events()).map(({ status, errorCode }) => [status, errorCode].join(' '))
  assert.deepEqual(ends.toSorted(), [
    'cut journal_full',
    'delivered ',
    'delivered ',
    'delivered ',
    'denied journal_full',
    'denied journal_full',
  ])
})

test('refuses a call with onFull refuse whose open line was dropped, and ends without waiting for it', async (t) => {
  const { disk, call, received, journalScene, proxy } = await openScene(t, 'refuse', 100)
  const beganAt = systemClock.monotonic()
  disk.faults.set('write', 'ENOSPC')
  assert.match(await call(), FULL)
  assert.equal(received(), 0)
  assert.ok(journalScene.counted('journalDropped') > 0)
  await proxy.drain({ timeoutMs: DRAIN_MS, idleMs: 0 })
  assert.ok(systemClock.monotonic() - beganAt < DRAIN_MS)
})

test('lets calls go on with a full disk unless it is asked to refuse them', async (t) => {
  const { disk, call, received } = await openScene(t, 'go-on', 100)
  disk.faults.set('write', 'ENOSPC')
  for (let count = 0; count < 3; count++) assert.match(await call(), WHOLE)
  assert.equal(received(), 3)
})
