// A kept-alive connection with one call after the other. Must stay true: a call that is not
// answered with 200, or not to its end, fails the benchmark.

import { once } from 'node:events'
import { connect } from 'node:net'

import { AnswerReader } from './answer-reader.ts'

export interface Answer {
  /** From sending to the last byte. */
  readonly ms: number
  /** In which it came: how much was gathered on its way. */
  readonly pieces: number
  readonly bytes: number
  /** The head, with what came of the body in the same piece. */
  readonly beginning: string
}

export interface Connection {
  /** One call at a time. */
  ask(request: Buffer | string): Promise<Answer>
  readonly close: () => Promise<void>
}

/** Has room for the longest answer of the API. */
const READ_BYTES = 262_144
const STALLED_MS = 60_000

export async function openConnection(port: number): Promise<Connection> {
  const reader = new AnswerReader()
  let asked: PromiseWithResolvers<Answer> | null = null
  let sentAt = 0
  let fault: Error | null = null

  const fail = (error: Error): void => {
    fault ??= error
    asked?.reject(error)
  }
  const read = (length: number, buffer: Uint8Array): boolean => {
    const endedAt = performance.now()
    try {
      if (!reader.feed((buffer as Buffer).subarray(0, length))) return true
      const { pieces, bytes, beginning } = reader
      reader.reset()
      asked?.resolve({ ms: endedAt - sentAt, pieces, bytes, beginning })
      asked = null
    } catch (error) {
      fail(error as Error)
    }
    return true
  }
  // Read into one place again and again: garbage of this process would be taken for others' time.
  const onread = { buffer: Buffer.alloc(READ_BYTES), callback: read }
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread })
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('The connection was closed.')))
  socket.setTimeout(STALLED_MS, () => asked?.reject(new Error('A call was not answered in time.')))
  await once(socket, 'connect')
  return {
    ask(request) {
      if (fault !== null) return Promise.reject(fault)
      asked = Promise.withResolvers()
      sentAt = performance.now()
      socket.write(request)
      return asked.promise
    },
    close: async () => void socket.destroy(),
  }
}
