// A request's body on its way to the upstream: passed on as it comes, or kept until there is a
// connection or its models are known. Must stay true: what goes on is what came, in its order, and
// only a caller with more to send is ever paused.

import type { Socket } from 'node:net'

import { BodyScanner } from '../wire/http/body-scanner.ts'
import type { RequestHead } from '../wire/http/http-head.ts'
import { isForWeir, PassedTrailers } from '../wire/http/passed-trailers.ts'
import type { Call } from './admission.ts'
import type { CallRecord } from './call-record.ts'
import type { CallerSide } from './caller-side.ts'
import { BodyBuffer } from '../policy/body-buffer.ts'
import { Pace } from '../policy/pace.ts'
import type { BodyReading, CallPolicy } from '../policy/policy.ts'
import { isHeadOnly } from '../policy/rerouting.ts'
import type { Refusal } from '../policy/refusal.ts'
import type { ProxyServices } from './services.ts'

export interface RequestBodyOptions {
  readonly call: Call
  readonly caller: CallerSide
  readonly services: ProxyServices
  readonly record: CallRecord
}

/** For a buffered body: null lets the call go on. */
export type Judged = (refusal: Refusal | null) => void

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

export class RequestBody {
  readonly #options: RequestBodyOptions
  readonly scanner: BodyScanner
  /** Few requests have any. */
  #trailers: PassedTrailers | null = null
  /** Null where nothing has to be known before the call may go on. */
  readonly #buffer: BodyBuffer | null
  /** Pieces that wait for the connection, and the connection while there is one. */
  #pieces: Buffer[] = []
  #upstream: Socket | null = null
  #isSent = false
  readonly #pace: Pace
  #isOver = false
  /** The caller may send, if it waited for "100 Continue". */
  isContinued = false
  hasSentContinue = false

  constructor(options: RequestBodyOptions, judged: Judged) {
    const { call } = options
    this.#options = options
    // What decides about a call whose models count must not come behind its body.
    this.scanner = new BodyScanner(call.head.framing, call.policy === null ? undefined : isHeadOnly)
    this.#buffer = call.body === null ? null : this.#createBuffer(call.body, judged)
    // What is passed on as it comes may take its time while anything comes.
    const { limits } = options.services
    this.#pace = new Pace(options.services, call.body === null ? 0 : limits.policyPaceBytesMin)
  }

  #createBuffer(body: BodyReading, judged: Judged): BodyBuffer {
    const { call, caller, services } = this.#options
    return new BodyBuffer(body, {
      policy: call.policy as CallPolicy,
      services,
      framing: call.head.framing,
      budget: caller.state.bufferBudget,
      decodes: caller.state.decodes,
      drained: () => this.#resumeCaller(),
      judged,
    })
  }

  /** The caller has sent all of it. */
  get isDone(): boolean {
    return this.scanner.isDone
  }

  get isPassedOn(): boolean {
    return this.scanner.isDone && this.#buffer?.isEmpty !== false
  }

  get fault(): string | null {
    return this.scanner.fault
  }

  get isBuffering(): boolean {
    return this.#buffer?.isWaiting === true
  }

  /** Some of it was kept for its models, and may not be sent yet. */
  get wasBuffered(): boolean {
    return this.#buffer !== null
  }

  get waiting(): readonly Buffer[] {
    return this.#buffer?.waiting ?? this.#pieces
  }

  /** While it is buffered the upstream cannot say "100 Continue": then it is for us to say. */
  askForMore(): void {
    const { call, caller } = this.#options
    // Whatever it waits for, from now on it is the caller's turn.
    this.isContinued = true
    if (this.isDone || call.head.minor === 0 || !isContinueWanted(call.head)) return
    this.hasSentContinue = true
    caller.socket.write(CONTINUE)
  }

  /** Takes bytes from an offset on; returns the offset after the last one taken. */
  feed(bytes: Buffer, from: number): number {
    const { record } = this.#options
    const scanner = this.scanner
    const end = scanner.scan(bytes, from)
    if (scanner.fault !== null) return end
    if (scanner.isDone) this.#pace.stop()
    else this.#pace.came(end - from)
    if (end === from) return end
    record.requestBytes += end - from
    if (this.#buffer !== null) {
      this.#feedBuffer(this.#buffer, bytes, this.#toPass(bytes, { from, end }))
      return end
    }
    const isWaiting = !this.#isSent
    this.#pass(this.#toPass(bytes, { from, end }))
    // What waits is read when it has been sent, so that nothing waits for our reading.
    if (!isWaiting || scanner.isChunked) this.#read(bytes)
    return end
  }

  #toPass(bytes: Buffer, { from, end }: { from: number; end: number }): Buffer {
    const { trailersAt } = this.scanner
    if (trailersAt > end) return bytes.subarray(from, end)
    this.#trailers ??= new PassedTrailers(isForWeir)
    const trailers = this.#trailers.pass(bytes.subarray(trailersAt, end))
    return Buffer.concat([bytes.subarray(from, trailersAt), trailers])
  }

  #feedBuffer(buffer: BodyBuffer, bytes: Buffer, piece: Buffer): void {
    const scanner = this.scanner
    if (scanner.isDone) this.#options.record.received()
    this.#read(bytes)
    const hasRoom = buffer.take(piece, scanner.payloadOf(bytes))
    if (!hasRoom && !scanner.isDone) this.#options.caller.socket.pause()
    if (scanner.isDone) buffer.end()
  }

  #pass(piece: Buffer): void {
    const { socket } = this.#options.caller
    if (this.#isSent) {
      if (this.#upstream?.write(piece) === false) socket.pause()
      return
    }
    this.#pieces.push(piece)
    // Paused, we would not notice that a caller which has sent all has left.
    if (!this.scanner.isDone) socket.pause()
  }

  #read(bytes: Buffer): void {
    const { payload } = this.scanner
    const { tap } = this.#options.record
    for (let at = 0; at < payload.length; at += 2) {
      tap.feedRequest(bytes.subarray(payload[at], payload[at + 1]))
    }
  }

  /** What goes out with the head; the rest follows as it comes. */
  takeFirst(upstream: Socket): readonly Buffer[] {
    this.#isSent = true
    this.#upstream = upstream
    return this.#buffer === null ? this.#pieces : this.#buffer.takeFirst()
  }

  readFirst(): void {
    const { tap } = this.#options.record
    // Chunks were read as they came, without their framing.
    if (!this.scanner.isChunked) for (const piece of this.#pieces) tap.feedRequest(piece)
    this.#pieces = []
  }

  /** The upstream has answered fully or is gone: what still comes is dropped. */
  stop(): void {
    this.#upstream = null
  }

  drained(upstream: Socket): void {
    this.#buffer?.send(upstream)
    if (!upstream.writableNeedDrain) this.#resumeCaller()
  }

  /** Its time starts again: until now it was we who made it wait. */
  #resumeCaller(): void {
    if (this.#isOver || this.isDone) return
    this.#pace.restart()
    this.#options.caller.socket.resume()
  }

  /** False while we make the caller wait, or the upstream has not yet said "100 Continue". */
  isOverdue(nowMs: number): boolean {
    if (!this.#pace.isOverdue(nowMs)) return false
    const { call, caller } = this.#options
    const isWaiting = call.head.isExpecting && !this.isContinued
    return !isWaiting && !caller.socket.isPaused()
  }

  becomeTunnel(): void {
    this.#pace.stop()
  }

  release(): void {
    this.#isOver = true
    this.#buffer?.release()
  }
}

function isContinueWanted(head: RequestHead): boolean {
  return head.isExpecting && head.lines.find('expect')?.toLowerCase() === '100-continue'
}
