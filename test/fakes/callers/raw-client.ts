// A caller made of a raw socket: sends exactly the bytes it is given and shows exactly what came
// back.

import { connect } from 'node:net'
import type { Socket } from 'node:net'

import { systemClock } from '../../../src/core/clock.ts'

export interface RawClient {
  readonly socket: Socket
  received: string
  isClosed: boolean
  send(text: string): void
  /**
   * Resolves when everything received so far passes the test; fails when the connection ends
   * before.
   */
  until(test: (received: string) => boolean): Promise<string>
  /** Everything received, once the other side has closed. */
  closed(): Promise<string>
}

/** Only what hangs takes so long. */
const WAIT_MS = 30_000

/** `allowHalfOpen`: what the other side ends stays open here until the test ends it. */
export async function openRawClient(port: number, allowHalfOpen = false): Promise<RawClient> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen })
  const client: RawClient = {
    socket,
    received: '',
    isClosed: false,
    send: (text) => void socket.write(text, 'latin1'),
    until: (test) => waitFor(client, (state) => test(state.received)),
    closed: () => waitFor(client, (state) => state.isClosed),
  }
  socket.on('data', (bytes) => {
    client.received += bytes.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    client.isClosed = true
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return client
}

/** One request on a connection of its own, and what came back until the other side closed. */
export async function rawCall(port: number, request: string): Promise<string> {
  const client = await openRawClient(port)
  client.send(request)
  return client.closed()
}

async function waitFor(client: RawClient, test: (client: RawClient) => boolean): Promise<string> {
  const until = systemClock.monotonic() + WAIT_MS
  while (!test(client)) {
    if (client.isClosed) throw new Error(`closed after: ${JSON.stringify(client.received)}`)
    if (systemClock.monotonic() > until) {
      throw new Error(`still waiting after: ${JSON.stringify(client.received)}`)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return client.received
}
