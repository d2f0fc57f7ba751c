import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { test } from 'node:test'

import { endSoon, LINGER_MS } from './caller-socket.ts'
import type { CallerSocket } from './caller-socket.ts'

/** Takes what is written as its test lets the caller read. */
class SlowSocket extends Duplex {
  #taken: (() => void) | null = null

  override _write(_: Buffer, __: BufferEncoding, taken: () => void): void {
    this.#taken = taken
  }

  override _read(): void {}

  readOn(): void {
    this.#taken?.()
  }
}

function end(socket: SlowSocket, patienceMs: number): void {
  endSoon({ socket: socket as unknown as Socket } as CallerSocket, patienceMs)
}

test('a caller that goes on reading gets all that waits for it', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const socket = new SlowSocket()
  for (let count = 0; count < 5; count++) socket.write('a piece')
  end(socket, 0)
  for (let count = 0; count < 5; count++) {
    assert.equal(socket.destroyed, false)
    socket.readOn()
    await new Promise((resolve) => setImmediate(resolve))
    t.mock.timers.tick(LINGER_MS)
  }
  assert.equal(socket.destroyed, true)
  assert.equal(socket.writableFinished, true)
})

test('one that has stopped reading is left after its time', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  for (const [patienceMs, checks] of [
    [0, 1],
    [10 * LINGER_MS, 10],
  ] as const) {
    const socket = new SlowSocket()
    socket.write('a piece')
    end(socket, patienceMs)
    t.mock.timers.tick(LINGER_MS * (checks - 1))
    assert.equal(socket.destroyed, false)
    t.mock.timers.tick(LINGER_MS)
    assert.equal(socket.destroyed, true)
  }
})
