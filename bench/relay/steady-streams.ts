// Streams that stay open, each with an event every few seconds. Every event is stamped with the
// moment it was sent, on a clock that all processes of a machine share: this is how its way is
// timed.

import type { Socket } from 'node:net'

import { createStreamEnd, createStreamEvent, createStreamHead } from './answers.ts'

/** How often each stream has an event. */
export const EVENT_INTERVAL_MS = 5000
/** Events go out one by one, evenly: a burst would measure its own queue. */
const TICK_MS = 1

export interface SteadyStreams {
  /** Answers with the head of a stream and keeps it. */
  add(socket: Socket): void
  /** Ends all of them as finished calls. */
  release(): void
  size(): number
  events(): number
}

export function openSteadyStreams(): SteadyStreams {
  const head = createStreamHead()
  const end = createStreamEnd()
  const steady = new Set<Socket>()
  let turn = steady.values()
  let sent = 0
  let due = 0
  let tickedAt = process.hrtime.bigint()

  function sendNext(): void {
    let next = turn.next()
    if (next.done) {
      turn = steady.values()
      next = turn.next()
    }
    if (next.done) return
    next.value.write(createStreamEvent(' word', String(process.hrtime.bigint())))
    sent++
  }

  const timer = setInterval(() => {
    const now = process.hrtime.bigint()
    due += (Number(now - tickedAt) / 1e6) * (steady.size / EVENT_INTERVAL_MS)
    tickedAt = now
    for (; due >= 1; due--) sendNext()
  }, TICK_MS)
  timer.unref()

  return {
    add: (socket) => {
      steady.add(socket)
      socket.once('close', () => steady.delete(socket))
      socket.write(head)
    },
    release: () => {
      for (const socket of steady) socket.write(end)
      steady.clear()
    },
    size: () => steady.size,
    events: () => sent,
  }
}
