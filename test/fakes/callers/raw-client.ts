// A caller made of a raw socket: sends exactly the bytes it is given and shows exactly what came
// back.

import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface RawClient {
  readonly socket: Socket
  received: string
  isClosed: boolean
  send(text: string): void
  /**
   * Resolves when everything received so far passes the test, which may look at the upstream as
   * well; fails when the connection ends before.
   */
  until(test: (received: string) => boolean): Promise<string>
  /** Everything received, once the other side has closed. */
  closed(): Promise<string>
}

/** Only what hangs takes so long. */
const WAIT_MS = 60_000
/** For what no event of this socket tells, such as bytes that reached the upstream. */
const LOOK_MS = 5

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

function waitFor(client: RawClient, test: (client: RawClient) => boolean): Promise<string> {
  const { socket } = client
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // Not in every turn: what is waited for may be a process that needs the processor.
  const look = (): void => {
    if (test(client)) resolve(client.received)
    else if (client.isClosed) fail('closed')
  }
  const fail = (how: string): void =>
    reject(new Error(`${how} after: ${JSON.stringify(client.received)}`))
  const timer = setTimeout(() => fail('still waiting'), WAIT_MS)
  const looking = setInterval(look, LOOK_MS)
  socket.on('data', look).on('close', look)
  look()
  return promise.finally(() => {
    clearTimeout(timer)
    clearInterval(looking)
    socket.off('data', look).off('close', look)
  })
}
