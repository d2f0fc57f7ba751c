// Callers at a steady pace on kept-alive connections, as a company's traffic is: what a call takes
// is then how long it waits for anything, not how many others were sent at once. A call that is not
// answered with 200, or not to its end, fails the benchmark.

import { connect } from 'node:net'
import type { Socket } from 'node:net'

import { AnswerReader } from '../relay/answer-reader.ts'
import type { Contender } from '../relay/contender.ts'

export interface PacedCallers {
  /** What each call of that time took in milliseconds, from sending it to its last byte. */
  run(seconds: number): Promise<readonly number[]>
  close(): Promise<void>
}

const CONNECTIONS = 32
const CALLS_PER_SECOND = 500
const TICK_MS = 2
const END_LOOK_MS = 5

interface Caller {
  readonly socket: Socket
  sentAt: number
}

export async function openPacedCallers(
  contender: Contender,
  request: Buffer,
  callsPerSecond = CALLS_PER_SECOND,
): Promise<PacedCallers> {
  const idle: Caller[] = []
  let taken: number[] = []
  let fault: Error | null = null
  let isClosing = false

  function openCaller(): Promise<void> {
    return new Promise((resolve, reject) => {
      const reader = new AnswerReader()
      const socket = connect({ host: '127.0.0.1', port: contender.port, noDelay: true })
      const caller: Caller = { socket, sentAt: 0 }
      const fail = (error: Error): void => {
        if (!isClosing) fault ??= error
        reject(error)
      }
      socket.once('connect', () => {
        idle.push(caller)
        resolve()
      })
      socket.on('error', fail)
      socket.on('close', () => fail(new Error('A connection was closed.')))
      socket.on('data', (bytes: Buffer) => {
        try {
          if (!reader.feed(bytes)) return
        } catch (error) {
          return fail(error as Error)
        }
        taken.push(performance.now() - caller.sentAt)
        contender.answered += 1
        idle.push(caller)
      })
    })
  }

  function send(): boolean {
    // The one that has rested longest, so that all of them stay in use.
    const caller = idle.shift()
    if (caller === undefined) return false
    caller.sentAt = performance.now()
    caller.socket.write(request)
    return true
  }

  for (let count = 0; count < CONNECTIONS; count += 1) await openCaller()
  return {
    run: (seconds) =>
      new Promise((resolve, reject) => {
        taken = []
        const startedAt = performance.now()
        const wanted = seconds * callsPerSecond
        let sent = 0
        const timer = setInterval(() => {
          const due = ((performance.now() - startedAt) / 1000) * callsPerSecond
          while (sent < Math.min(due, wanted) && send()) sent += 1
          if (fault === null && sent < wanted) return
          clearInterval(timer)
          void untilAnswered()
        }, TICK_MS)
        async function untilAnswered(): Promise<void> {
          while (fault === null && idle.length < CONNECTIONS) {
            await new Promise((look) => setTimeout(look, END_LOOK_MS))
          }
          if (fault === null) resolve(taken)
          else reject(fault)
        }
      }),
    close: async () => {
      isClosing = true
      for (const { socket } of idle) socket.destroy()
    },
  }
}
