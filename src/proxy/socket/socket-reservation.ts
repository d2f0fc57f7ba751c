// What the limiter is asked for a response on a socket, which may end before it has answered.

import type { Done, Reservation } from '../../limits/call-reservation.ts'
import type { LimitedCall } from '../../limits/limited-call.ts'
import type { Limiter } from '../../limits/limiter.ts'

/** As its message shows it. */
export type ResponseSize = Pick<LimitedCall, 'requestBytes' | 'findOutputMax'>

export type Decided = Done

export type SocketReservation = Pick<Reservation, 'release'>

export const NOTHING_RESERVED: SocketReservation = { release: () => {} }

/** A response that ends before it was let in counts all the same: it has run. */
export function reserve(limiter: Limiter, call: LimitedCall, decided: Decided): SocketReservation {
  let reserved: SocketReservation | null = null
  let isDecided = false
  let isOver = false
  const settle = (): void => {
    if (isDecided && isOver) reserved?.release()
  }
  reserved = limiter.reserve(call, (refusal) => {
    isDecided = true
    decided(refusal)
    settle()
  })
  settle()
  return {
    release: () => {
      isOver = true
      settle()
    },
  }
}
