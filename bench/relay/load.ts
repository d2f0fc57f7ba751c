// The load generator: a number of kept-alive connections, each with one call after the other. Must
// stay true: a call that is not answered with 200, or not to its end, fails the benchmark.

import { connect } from 'node:net'

import { AnswerReader } from './answer-reader.ts'
import type { Contender } from './contender.ts'

export interface Load {
  readonly request: Buffer
  readonly connections: number
  readonly calls: number
}

export interface LoadFigures {
  readonly seconds: number
  /** From sending to the last byte, ascending. */
  readonly latenciesMs: Float64Array
  /** Pieces in which an answer came, on average: how much was gathered on its way. */
  readonly pieces: number
}

const READ_BYTES = 65_536
const STALLED_MS = 60_000

export async function runCalls(contender: Contender, load: Load): Promise<LoadFigures> {
  const latenciesMs = new Float64Array(load.calls)
  let begun = 0
  let ended = 0
  let pieces = 0
  const startedAt = performance.now()
  // A share of the calls for each connection would leave the last of them alone at the end.
  const takeCall = (): boolean => begun < load.calls && ++begun > 0
  const endCall = (ms: number): void => void (latenciesMs[ended++] = ms)
  const callers = Array.from({ length: Math.min(load.connections, load.calls) }, async () => {
    const came = await runCaller({ port: contender.port, request: load.request, takeCall, endCall })
    pieces += came
  })
  try {
    await Promise.all(callers)
  } catch (cause) {
    throw new Error(`${contender.name}: ${(cause as Error).message}`, { cause })
  }
  const seconds = (performance.now() - startedAt) / 1000
  contender.answered += ended
  return { seconds, latenciesMs: latenciesMs.sort(), pieces: pieces / ended }
}

interface CallerOptions {
  readonly port: number
  readonly request: Buffer
  /** False when all calls are taken. */
  readonly takeCall: () => boolean
  readonly endCall: (ms: number) => void
}

/** Returns the number of pieces in which its answers came. */
function runCaller({ port, request, takeCall, endCall }: CallerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader()
    let sentAt = 0
    let isOver = false

    function end(error?: Error): void {
      if (isOver) return
      isOver = true
      socket.destroy()
      if (error === undefined) resolve(reader.pieces)
      else reject(error)
    }
    function send(): void {
      if (!takeCall()) return end()
      sentAt = performance.now()
      socket.write(request)
    }
    function read(size: number, buffer: Uint8Array): boolean {
      try {
        if (reader.feed((buffer as Buffer).subarray(0, size))) {
          endCall(performance.now() - sentAt)
          send()
        }
      } catch (error) {
        end(error as Error)
      }
      return true
    }

    const onread = { buffer: Buffer.allocUnsafe(READ_BYTES), callback: read }
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread }, send)
    socket.setTimeout(STALLED_MS, () => end(new Error('A call was not answered in time.')))
    socket.on('error', end)
    socket.on('close', () => end(new Error('The connection was closed in the middle of a call.')))
  })
}
