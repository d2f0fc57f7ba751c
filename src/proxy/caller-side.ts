// The caller's connection as far as a call needs it, and what the calls of a worker share.

import type { Socket } from 'node:net'

import type { BodyScanner } from '../wire/http/body-scanner.ts'
import type { CallSeries } from './call-series.ts'
import type { ByteBudget } from '../wire/byte-budget.ts'
import type { CallerSocket } from './caller-socket.ts'
import type { DecodeQueue } from '../policy/decode-queue.ts'
import type { CredentialGuards } from '../wire/http/credential-guard.ts'
import type { OpenCalls } from './open-calls.ts'
import type { OpenSockets } from './socket/open-sockets.ts'
import type { Refusal } from '../policy/refusal.ts'
import type { SendBuffer } from './send-buffer.ts'
import type { TurnTime } from '../wire/turn-time.ts'

export interface RelayState {
  readonly calls: OpenCalls
  readonly sendBuffer: SendBuffer
  readonly series: CallSeries
  readonly bufferBudget: ByteBudget
  readonly tapBudget: ByteBudget
  readonly decodes: DecodeQueue
  readonly turn: TurnTime
  readonly guards: CredentialGuards
  readonly sockets: OpenSockets
}

/** What a connection is busy with: a call, or a request that the API answers. */
export interface Exchange {
  /** The caller has nothing more to send for it. */
  readonly isRequestDone: boolean
  readonly isUntilClose: boolean
  start(): void
  /** Takes the body's bytes from an offset on; returns the offset after the last one taken. */
  feedRequest(bytes: Buffer, from: number): number
  callerGone(): void
  callerDrained(): void
  checkDeadline(nowMs: number): void
}

export interface CallerSide {
  readonly socket: Socket
  readonly connection: CallerSocket
  readonly state: RelayState
  /**
   * Whether the connection ends after this response; asked once, when the head is written.
   * `isEarly`: the request has not come whole, and what is left of it will not be read.
   */
  willClose(isEarly: boolean): boolean
  /** Sends an answer of Weir's own; only while nothing else has been sent. */
  answer(refusal: Refusal, isEarly: boolean): void
  /** Answers a call that never left, and ends it. The rest of the request's `body` is dropped. */
  deny(refusal: Refusal, body: BodyScanner): void
  /** The call is over. `canContinue` is false when the connection cannot carry another one. */
  callEnded(canContinue: boolean): void
  /** The call broke off in a body that the connection's end would have ended: it is reset. */
  callBrokeOff(): void
  /** Ends the connection at once, without what waits to be written. */
  cut(): void
  /** The connection is now a tunnel; returns bytes that came ahead of it. */
  becomeTunnel(): Buffer
}
