import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { openRawClient } from '../../test/fakes/callers/raw-client.ts'
import { openRelayScene } from '../../test/fakes/relay-scene.ts'
import { answering } from '../../test/fakes/upstreams/scripted-upstream.ts'
import { createTalkProvider, talkAnswer } from '../../test/fakes/upstreams/talk-provider.ts'
import type { ApiKey } from '../core/api-key.ts'
import { systemClock } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import type { JournalWriter } from '../journal/journal.ts'

const JOURNAL_MS = 7.5
const JOURNAL_MICROS = 7500
const BODY = JSON.stringify({ model: 'big-1' })
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * A clock on which each turn of the event loop is a second: within one, no time passes but the
 * journal's.
 */
function openTurnClock(t: TestContext): Clock & { passedMs: number } {
  const clock = { passedMs: 1000.25, now: () => systemClock.now(), monotonic: () => clock.passedMs }
  let isOver = false
  const pass = (): void => {
    clock.passedMs += 1000
    if (!isOver) setImmediate(pass)
  }
  pass()
  t.after(() => {
    isOver = true
  })
  return clock
}

async function openScene(t: TestContext, key: Partial<ApiKey> = {}) {
  const clock = openTurnClock(t)
  const events: UsageEvent[] = []
  const journal: JournalWriter = {
    append: (source, written) => {
      const entry = typeof source === 'function' ? source() : source
      if (entry.kind === 'open') clock.passedMs += JOURNAL_MS
      if (entry.kind === 'close') events.push(entry.event)
      written?.()
    },
    canOpen: () => true,
    fault: () => null,
    close: () => Promise.resolve(),
  }
  const providers = [createTalkProvider('some')]
  const script = answering(talkAnswer('big-1'))
  const scene = await openRelayScene(t, script, { providers, clock, journal, key })
  const client = await openRawClient(scene.proxy.port)
  t.after(() => void client.socket.destroy())
  const head = `POST /v1/some/talk HTTP/1.1\r\n${scene.headers}Content-Length: ${BODY.length}\r\n\r\n`
  const next = async (): Promise<UsageEvent> => {
    const count = events.length
    while (events.length === count) await turn()
    return events[count] as UsageEvent
  }
  return { client, head, next }
}

test("Weir's own share is its own work, not the wait for a connection", async (t) => {
  const { client, head, next } = await openScene(t)
  client.send(head + BODY)
  assert.equal((await next()).ownMicros, JOURNAL_MICROS)
  // The connection lies idle now: there is nothing to wait for.
  client.send(head + BODY)
  assert.equal((await next()).ownMicros, JOURNAL_MICROS)
})

test("Weir's own share leaves out the wait for a body whose models must be known", async (t) => {
  const { client, head, next } = await openScene(t, { allowedModels: ['some/big-1'] })
  client.send(head)
  for (let turns = 0; turns < 5; turns += 1) await turn()
  client.send(BODY)
  assert.equal((await next()).ownMicros, JOURNAL_MICROS)
})

test('a call that is refused before it is sent has no share', async (t) => {
  const { client, head, next } = await openScene(t, { allowedModels: ['some/other'] })
  client.send(head + BODY)
  const event = await next()
  assert.deepEqual([event.status, event.ownMicros], ['denied', undefined])
})
