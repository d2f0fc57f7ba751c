// The simulated upstream, in a process of its own so that its work is charged to no process under
// test. It frames requests by their length, looks at nothing else, and answers with bytes made
// beforehand.

import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

import {
  createChatAnswer,
  createStreamEnd,
  createStreamEvent,
  createStreamHead,
} from './answers.ts'
import type { AnswerKind } from './answers.ts'
import { EVENTS_PER_STREAM } from './calls.ts'
import { answerParent } from '../../test/fakes/servers/child.ts'

export interface ToUpstream {
  /** For every request from now on. */
  readonly answer?: AnswerKind
  /** Ends every steady stream as a finished call. */
  readonly isRelease?: boolean
}

const HEAD_END = '\r\n\r\n'
const HEAD_BYTES_MAX = 65_536
/** Long enough for a proxy to have dealt with one event before the next comes. */
const PACE_MS = 2
const STEADY_MS = 5000
/** Streams begin at once, and their events go out evenly: a burst would measure its own queue. */
const STEADY_STEP_MS = 1237

const chatAnswer = createChatAnswer()
const streamHead = createStreamHead()
const streamEnd = createStreamEnd()
const streamEvents = Array.from({ length: EVENTS_PER_STREAM - 1 }, (_, index) =>
  createStreamEvent(` word-${index}`),
)
const steadyStreams = new Set<Socket>()
let steadyBegun = 0
let answerKind: AnswerKind = 'chat'

function answer(socket: Socket): void {
  if (answerKind === 'chat') return void socket.write(chatAnswer)
  socket.write(streamHead)
  if (answerKind === 'steady') streamSteadily(socket)
  else if (answerKind === 'stream') stream(socket, setImmediate)
  else stream(socket, (next) => setTimeout(next, PACE_MS))
}

/** Each event by itself: several in one write would spare the proxies what is to be measured. */
function stream(socket: Socket, pause: (next: () => void) => unknown, index = 0): void {
  pause(() => {
    const event = streamEvents[index]
    socket.write(event ?? streamEnd)
    if (event !== undefined) stream(socket, pause, index + 1)
  })
}

/** Events with the moment at which they were sent, on a clock that a machine's processes share. */
function streamSteadily(socket: Socket): void {
  steadyStreams.add(socket)
  const send = (): void => {
    if (!steadyStreams.has(socket)) return
    socket.write(createStreamEvent(' word', String(process.hrtime.bigint())))
    setTimeout(send, STEADY_MS)
  }
  steadyBegun += 1
  setTimeout(send, (steadyBegun * STEADY_STEP_MS) % STEADY_MS)
}

function releaseSteady(): void {
  for (const socket of steadyStreams) socket.write(streamEnd)
  steadyStreams.clear()
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
  socket.once('close', () => steadyStreams.delete(socket))
  readRequests(socket, () => answer(socket))
})
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
await once(server, 'listening')
answerParent(({ answer: kind = answerKind, isRelease = false }: ToUpstream) => {
  answerKind = kind
  if (isRelease) releaseSteady()
  return { port: (server.address() as AddressInfo).port }
})
