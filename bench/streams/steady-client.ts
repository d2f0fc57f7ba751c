// Callers that each keep one stream open and time every event on it: from the moment that the
// upstream stamped it to the moment that its bytes are here. Both clocks are the machine's own
// monotonic one.

import { connect } from 'node:net'
import type { Socket } from 'node:net'

import { AnswerReader } from '../harness/answer-reader.ts'
import type { Contender } from '../harness/contender.ts'

export interface SteadyClient {
  /** Streams that are open now. */
  open(): number
  /** The delays of all events since the last time this was asked, in milliseconds. */
  takeDelays(): readonly number[]
  /** Resolves when every stream has come to its end; fails when one broke off. */
  untilEnded(): Promise<void>
  close(): Promise<void>
}

/** How many may be on their way to being open. */
export const OPENING_MAX = 64
const STAMP = /"stamp":"(\d+)"/g
const NS_PER_MS = 1e6
const EVENT_END = '\n\n'

/** Resolves when all streams are open: each has been answered with 200. */
export async function openSteadyClient(
  contender: Contender,
  request: Buffer,
  streams: number,
): Promise<SteadyClient> {
  const sockets = new Set<Socket>()
  const ends: Promise<void>[] = []
  let delays: number[] = []
  let left = streams
  const openers = Array.from({ length: OPENING_MAX }, async () => {
    while (left-- > 0) {
      const stream = openStream(contender, request, (delay) => delays.push(delay))
      sockets.add(stream.socket)
      stream.socket.once('close', () => sockets.delete(stream.socket))
      ends.push(stream.ended)
      // The end is awaited later; until then a failure must not count as unhandled.
      stream.ended.catch(() => {})
      await stream.begun
    }
  })
  await Promise.all(openers)
  return {
    open: () => sockets.size,
    takeDelays: () => {
      const taken = delays
      delays = []
      return taken
    },
    untilEnded: async () => {
      await Promise.all(ends)
      contender.answered += streams
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function openStream({ name, port }: Contender, request: Buffer, delayed: (ms: number) => void) {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const reader = new AnswerReader()
  /** An event that has not come in full. */
  let part = ''
  const socket = connect({ host: '127.0.0.1', port, noDelay: true }, () => socket.write(request))
  const fail = (cause: Error): void => {
    const error = new Error(`${name}: a stream broke off. ${cause.message}`, { cause })
    begun.reject(error)
    ended.reject(error)
    socket.destroy()
  }
  socket.on('data', (bytes: Buffer) => {
    const now = process.hrtime.bigint()
    try {
      const isEnd = reader.feed(bytes)
      if (reader.isInBody || isEnd) begun.resolve()
      const text = part + bytes.toString('latin1')
      const whole = text.slice(0, text.lastIndexOf(EVENT_END) + 1)
      part = text.slice(whole.length)
      for (const [, stamp = ''] of whole.matchAll(STAMP)) {
        delayed(Number(now - BigInt(stamp)) / NS_PER_MS)
      }
      if (!isEnd) return
      ended.resolve()
      socket.destroy()
    } catch (error) {
      fail(error as Error)
    }
  })
  socket.on('error', fail)
  // Nothing more happens where the end came first.
  socket.on('close', () => fail(new Error('The connection was closed.')))
  return { socket, begun: begun.promise, ended: ended.promise }
}
