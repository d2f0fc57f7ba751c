import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constants, deflateRawSync } from 'node:zlib'

import { CALLER_MASK, writeFrame } from '../../../test/fakes/upstreams/websocket-frame.ts'
import { ByteBudget } from '../../wire/byte-budget.ts'
import type { MessageReader, Reading } from '../../providers/provider.ts'
import { TAPPED_MESSAGE_BYTES_MAX, TunnelTap } from './tunnel-tap.ts'
import type { TunnelTapOptions } from './tunnel-tap.ts'

/** Reports the messages as the model's name, so that a test sees what was read. */
function createReader(): MessageReader {
  const messages: string[] = []
  return {
    read(message) {
      messages.push(Buffer.from(message).toString())
    },
    end: (isWhole): Reading => ({
      kind: isWhole ? 'reported' : 'partial',
      model: messages.join(' '),
      tokens: null,
      toolCalls: {},
      serviceTier: null,
      billing: null,
      hasError: false,
    }),
  }
}

function createTap(options: Partial<TunnelTapOptions> = {}): TunnelTap {
  const defaults = { reader: createReader(), readModel: null, coding: 'plain' as const }
  return new TunnelTap({ ...defaults, budget: new ByteBudget(0), ...options })
}

async function end(tap: TunnelTap, isWhole = true): Promise<Reading> {
  await new Promise<void>((resolve) => tap.whenRead(resolve))
  return tap.end(isWhole)
}

test("reads the upstream's messages", async () => {
  const tap = createTap()
  tap.feed(Buffer.concat([writeFrame('one'), writeFrame('two').subarray(0, 2)]))
  assert.equal(tap.isBetweenMessages, false)
  tap.feed(writeFrame('two').subarray(2))
  assert.equal(tap.isBetweenMessages, true)
  const reading = await end(tap)
  assert.deepEqual([reading.kind, reading.model], ['reported', 'one two'])
})

test('waits for messages that are still being inflated', async () => {
  const tap = createTap({ coding: 'deflate' })
  const deflated = deflateRawSync('squeezed', { finishFlush: constants.Z_SYNC_FLUSH })
  tap.feed(writeFrame(deflated.subarray(0, -4), { isCompressed: true }))
  assert.equal((await end(tap)).model, 'squeezed')
})

test('skips a message that is too large, counts it and reads on', async () => {
  const tap = createTap()
  tap.feed(writeFrame('x'.repeat(TAPPED_MESSAGE_BYTES_MAX + 1)))
  tap.feed(writeFrame('next'))
  const reading = await end(tap)
  assert.deepEqual([reading.model, reading.skippedEvents], ['next', 1])
})

test('takes what it read of broken bytes, or of a tunnel that was cut, for a part', async () => {
  const broken = createTap()
  broken.feed(Buffer.concat([writeFrame('one'), Buffer.from('HTTP/1.1 400')]))
  assert.equal((await end(broken)).kind, 'partial')
  const cut = createTap()
  cut.feed(writeFrame('one'))
  assert.equal((await end(cut, false)).kind, 'partial')
})

test("finds the model in the caller's messages, the first that names one", async () => {
  const readModel = (message: Uint8Array): string | null =>
    /^model (\w+)$/.exec(Buffer.from(message).toString())?.[1] ?? null
  for (const coding of ['plain', 'deflate'] as const) {
    const tap = createTap({ readModel, coding })
    for (const text of ['hello', 'model wren', 'model owl']) {
      tap.feedCaller(writeFrame(text, { mask: CALLER_MASK }))
    }
    await end(tap)
    assert.equal(tap.requestedModel, 'wren')
  }
})

test('does not listen to a caller for ever', async () => {
  let asked = 0
  const tap = createTap({ readModel: () => (asked++, null) })
  for (let index = 0; index < 1000; index++) {
    tap.feedCaller(writeFrame('talk', { mask: CALLER_MASK }))
  }
  await end(tap)
  assert.equal(tap.requestedModel, null)
  assert.ok(asked < 20, `${asked}`)
})
