// The simulated upstream, in a process of its own so that its work is charged to no process under
// test. It frames requests by their length, looks at nothing else, and answers with bytes made
// beforehand.

import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

import {
  createChatAnswer,
  createStreamEnd,
  createStreamEvent,
  createStreamHead,
} from './answers.ts'
import { EVENTS_PER_STREAM } from './calls.ts'
import { openSteadyStreams } from './steady-streams.ts'
import type { AnswerKind, FromUpstream, ToUpstream } from './messages.ts'

const HEAD_END = '\r\n\r\n'
const HEAD_BYTES_MAX = 65_536
/** Long enough for a proxy to have dealt with one event before the next comes. */
const PACE_MS = 2

const chatAnswer = createChatAnswer()
const streamHead = createStreamHead()
const streamEnd = createStreamEnd()
const streamEvents = Array.from({ length: EVENTS_PER_STREAM - 1 }, (_, index) =>
  createStreamEvent(` word-${index}`),
)
const steadyStreams = openSteadyStreams()
/** Which event is next on each. */
const pacedStreams = new Map<Socket, number>()
let answerKind: AnswerKind = 'chat'

function answer(socket: Socket): void {
  switch (answerKind) {
    case 'chat':
      socket.write(chatAnswer)
      return
    case 'stream':
      socket.write(streamHead)
      setImmediate(() => stream(socket, 0))
      return
    case 'paced':
      socket.write(streamHead)
      pacedStreams.set(socket, 0)
      return
    case 'steady':
      steadyStreams.add(socket)
  }
}

/**
 * An event a turn of the loop: several in one write would spare the proxies what is to be measured.
 */
function stream(socket: Socket, index: number): void {
  const event = streamEvents[index]
  if (event === undefined) {
    socket.write(streamEnd)
    return
  }
  socket.write(event)
  setImmediate(() => stream(socket, index + 1))
}

/** An event on each stream; one timer for all of them, since thousands of them would be felt. */
function streamPaced(): void {
  for (const [socket, index] of pacedStreams) {
    socket.write(streamEvents[index] ?? streamEnd)
    if (index < streamEvents.length) pacedStreams.set(socket, index + 1)
    else pacedStreams.delete(socket)
  }
}

/** Calls back at the end of each request. */
function readRequests(socket: Socket, received: () => void): void {
  let head: Buffer | null = null
  let bodyLeft = 0
  socket.on('data', (bytes: Buffer) => {
    let rest = bytes
    while (rest.length > 0) {
      if (bodyLeft > 0) {
        const taken = Math.min(bodyLeft, rest.length)
        bodyLeft -= taken
        rest = rest.subarray(taken)
        if (bodyLeft === 0) received()
        continue
      }
      const known: Buffer = head === null ? rest : Buffer.concat([head, rest])
      const end = known.indexOf(HEAD_END)
      if (end === -1) {
        if (known.length > HEAD_BYTES_MAX) socket.destroy()
        head = known
        return
      }
      head = null
      bodyLeft = readLength(known.toString('latin1', 0, end))
      rest = known.subarray(end + HEAD_END.length)
      if (bodyLeft === 0) received()
    }
  })
}

function readLength(head: string): number {
  const match = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (match !== null) return Number(match[1])
  if (/\r\ntransfer-encoding:/i.test(head)) throw new Error(`A body without a length:\n${head}`)
  return 0
}

const server = createServer({ noDelay: true }, (socket) => {
  // A proxy that is stopped may cut its connections: the benchmark sees that at its own end.
  socket.on('error', () => socket.destroy())
  socket.once('close', () => pacedStreams.delete(socket))
  readRequests(socket, () => answer(socket))
})

function report(): void {
  const { port } = server.address() as AddressInfo
  const message: FromUpstream = {
    port,
    steady: steadyStreams.size(),
    events: steadyStreams.events(),
  }
  process.send?.(message)
}

process.on('message', (message: ToUpstream) => {
  if (message.kind === 'answer') answerKind = message.answer
  else steadyStreams.release()
  report()
})
setInterval(streamPaced, PACE_MS).unref()
process.once('disconnect', () => process.exit(0))
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, report)
