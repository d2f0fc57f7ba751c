// The responses on a socket, each a call: admitted when it is asked for, or when it begins where it
// is not asked for, and recorded when it ends. The upgrade's own call is the first response's. Must
// stay true: a response that began has one call, and each call one open and one close line.

import { createRequestId } from '../../core/ids.ts'
import { findOutputTokensMax } from '../../limits/expected-cost.ts'
import type { LimitedCall } from '../../limits/limited-call.ts'
import { refuse } from '../../policy/refusal.ts'
import type { Refusal } from '../../policy/refusal.ts'
import type { JudgeAsk, Verdict } from '../../policy/tunnel-guard.ts'
import { NO_READING } from '../../providers/provider.ts'
import type { AskedResponse, Reading, ResponseSteps } from '../../providers/provider.ts'
import type { Call } from '../admission.ts'
import { CallRecord } from '../call-record.ts'
import type { RelayState } from '../caller-side.ts'
import { recordDenial } from '../record.ts'
import type { CallOutcome } from '../record.ts'
import { JOURNAL_FULL } from '../request.ts'
import type { ProxyServices } from '../services.ts'
import type { Tapped } from '../tap.ts'
import { toLimitedCall } from '../to-limited-call.ts'
import { SocketKey } from './socket-key.ts'
import { NOTHING_RESERVED, reserve } from './socket-reservation.ts'
import type { SocketReservation } from './socket-reservation.ts'
import type { Decided, ResponseSize } from './socket-reservation.ts'

export interface SocketCallsOptions {
  readonly call: Call
  readonly services: ProxyServices
  readonly state: RelayState
  /** The upgrade's own call, which was admitted and opened as any other. */
  readonly record: CallRecord
  releaseFirst(): void
  /** So far, over all calls. */
  bytes(): { readonly sent: number; readonly received: number }
  /** The model in the caller's messages, where a response's own does not name it. */
  namedModel(): string | null
  /** False where the socket has to be closed for each refusal. */
  readonly canAnswer: boolean
  /** Says to the caller why its message was not passed on. */
  answer(refusal: Refusal, requestId: string): void
  cut(refusal: Refusal): void
}

export interface SocketEnd {
  readonly by: 'caller' | 'upstream'
  /** The upstream has said that it ends. */
  readonly isAnnounced: boolean
  /** Null where Weir did not end it. */
  readonly refusal: Refusal | null
}

/** Running or asked for at once; what begins beyond them is a part of the oldest. */
export const SOCKET_CALLS_MAX = 32
const TOO_MANY = refuse('rate_limited', 'Too many responses run on this socket at once.')

type ResponseOutcome = Pick<CallOutcome, 'status' | 'errorCode'>

interface SocketCall {
  readonly call: Call
  readonly record: CallRecord
  /** Idle: it may be the next that is asked for or begins. */
  stage: 'idle' | 'reserving' | 'asked' | 'begun'
  requestedModel: string | null
  reservation: SocketReservation
}

export class SocketCalls implements ResponseSteps {
  readonly #options: SocketCallsOptions
  readonly #key: SocketKey
  /** Those that have not ended, in the order in which they came. */
  #calls: SocketCall[]
  #bytesBefore = { sent: 0, received: 0 }
  #isOver = false
  /** Why the last one was denied: it is recorded. */
  #denied: Refusal | null = null
  /** The last budget that denied one, until one is let in. */
  #usedUp: Refusal | null = null

  constructor(options: SocketCallsOptions) {
    this.#options = options
    const { call, record, services } = options
    this.#key = new SocketKey(call, services)
    const reservation = { release: () => options.releaseFirst() }
    this.#calls = [{ call, record, stage: 'idle', requestedModel: null, reservation }]
  }

  /** Closes the socket of a key that may no longer be used. */
  check(): void {
    const refusal = this.#isOver ? null : this.#key.findRefusal()
    if (refusal !== null) this.#options.cut(refusal)
  }

  readonly ask: JudgeAsk = (message, done) => {
    const { call } = this.#options
    const asked = call.operation?.tunnel?.readAsk(message) ?? null
    if (asked === null) return false
    const refusal = this.#key.findRefusal()
    const idle = this.#find('idle')
    if (refusal !== null) done(refusal)
    else if (idle !== undefined) this.#askIdle(idle, asked, done)
    else this.#askAnother(message, asked, done)
    return true
  }

  /** It was let in, maybe long ago. */
  #askIdle(own: SocketCall, asked: AskedResponse, done: (verdict: Verdict) => void): void {
    own.requestedModel = asked.model
    const limited = this.#toLimited(own)
    const refusal = limited === null ? null : this.#options.services.limiter.findUsedUp(limited)
    if (refusal !== null) return done(refusal)
    own.stage = 'asked'
    done('pass')
  }

  #askAnother(message: Buffer, asked: AskedResponse, done: (verdict: Verdict) => void): void {
    const isFull = this.#calls.length >= SOCKET_CALLS_MAX
    const own = this.#add('reserving', asked.model)
    if (isFull) return this.#deny(own, TOO_MANY, done)
    const size = {
      requestBytes: message.length,
      findOutputMax: () => findOutputTokensMax(message),
    }
    this.#reserve(own, size, (refusal) => {
      if (this.#isOver) return
      if (refusal !== null) this.#deny(own, refusal, done)
      else this.#open(own, done)
    })
  }

  #open(own: SocketCall, done: (verdict: Verdict) => void): void {
    const refused = (): void => this.#deny(own, JOURNAL_FULL, done)
    if (!this.#options.services.journal.canOpen()) return refused()
    own.record.open({
      openLineWritten: () => {
        if (this.#isOver) return
        own.stage = 'asked'
        this.#usedUp = null
        done('pass')
      },
      openLineRefused: refused,
    })
  }

  /** The message stays here; the socket stays open where its caller can be told otherwise. */
  #deny(own: SocketCall, refusal: Refusal, done: (verdict: Verdict) => void): void {
    if (this.#isOver) return
    const { services, canAnswer } = this.#options
    this.#remove(own)
    services.meter.add('refusals', 1, refusal.code)
    if (own.record.openLine === 'none') own.record.deny(refusal)
    else own.record.closeRead('cut', refusal.code, { requestedModel: null, reading: null })
    this.#denied = refusal
    if (refusal.code === 'budget_exceeded') this.#usedUp = refusal
    if (!canAnswer || this.#isUsedUp) return done(refusal)
    this.#options.answer(refusal, own.call.opening.id)
    done('drop')
  }

  /** Its budget has nothing left, and what runs of it has ended. */
  get #isUsedUp(): boolean {
    return this.#usedUp !== null && !this.#isBusy
  }

  get #isBusy(): boolean {
    return this.#calls.some(({ stage }) => stage !== 'idle')
  }

  began(): void {
    const asked = this.#find('asked') ?? this.#find('idle')
    if (asked !== undefined) {
      asked.stage = 'begun'
      asked.record.upgraded()
      return
    }
    if (this.#calls.length >= SOCKET_CALLS_MAX) return
    const own = this.#add('begun', null)
    // It runs already: what refuses it ends the socket.
    const cut = (refusal: Refusal | null): void => this.#cutSoon(refusal)
    own.record.open({ openLineWritten() {}, openLineRefused: () => cut(JOURNAL_FULL) })
    if (this.#isOver) return
    cut(this.#key.findRefusal())
    this.#reserve(own, null, cut)
  }

  ended(reading: Reading): void {
    if (this.#running === undefined) this.began()
    const own = this.#running
    if (own === undefined) return
    this.#remove(own)
    const outcome = { status: 'delivered', errorCode: null } as const
    this.#close(own, outcome, { requestedModel: own.requestedModel, reading })
    if (this.#isUsedUp) this.#cutSoon(this.#usedUp)
  }

  /** Not while a message is being read. */
  #cutSoon(refusal: Refusal | null): void {
    if (refusal === null || this.#isOver) return
    queueMicrotask(() => this.#options.cut(refusal))
  }

  get #running(): SocketCall | undefined {
    return this.#find('begun') ?? this.#find('asked') ?? this.#find('idle')
  }

  /** Another that is asked for may take its place. */
  refused(): void {
    const own = this.#calls.findLast(({ stage }) => stage === 'asked')
    if (own !== undefined) own.stage = 'idle'
  }

  /** The socket is over. What waits to be inflated of its messages is read before the records. */
  end(end: SocketEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const own of this.#calls) this.#leave(own)
    const { tap } = this.#options.record
    tap.whenRead(() => {
      const status = this.#toStatus(end)
      // Where nothing runs nothing is missing.
      const isWhole = status === 'delivered' || !this.#isBusy
      this.#endRest(end, status, tap.end(isWhole))
    })
  }

  #toStatus({ by, isAnnounced, refusal }: SocketEnd): CallOutcome['status'] {
    if (refusal !== null) return 'aborted'
    if (isAnnounced || !this.#isBusy) return 'delivered'
    return by === 'caller' ? 'aborted' : 'cut'
  }

  #endRest({ refusal }: SocketEnd, status: CallOutcome['status'], tapped: Tapped): void {
    // Figures that belong to no response, or what could not be read, have a call all the same.
    const isDue = tapped.reading !== null && tapped.reading.isCharged !== false
    if (this.#running === undefined && isDue) this.began()
    const owner = this.#running
    const isNew = refusal !== null && refusal !== this.#denied && refusal !== this.#usedUp
    if (isNew) this.#options.services.meter.add('refusals', 1, refusal.code)
    if (owner === undefined && isNew) {
      recordDenial(this.#toCall().opening, refusal, this.#options.services)
    }
    const errorCode = refusal?.code ?? null
    for (const own of this.#calls) {
      // Never opened: it waited to be let in.
      if (own.record.openLine === 'none') continue
      const { requestedModel } = own
      const unread = own.stage === 'idle' ? IDLE_READING : NO_READING
      const read = own === owner ? tapped : { requestedModel, reading: unread }
      const outcome = { status: own === owner ? status : 'aborted', errorCode }
      this.#close(own, outcome, read)
    }
    this.#calls = []
  }

  #find(stage: SocketCall['stage']): SocketCall | undefined {
    return this.#calls.find((each) => each.stage === stage)
  }

  #toCall(): Call {
    const { call, services } = this.#options
    const startedAt = services.clock.now()
    const opening = { ...call.opening, id: createRequestId(startedAt), startedAt }
    return { ...call, opening, headAt: services.clock.monotonic() }
  }

  #add(stage: 'reserving' | 'begun', requestedModel: string | null): SocketCall {
    const { services, state } = this.#options
    const call = this.#toCall()
    const record = new CallRecord(call, services, state)
    if (stage === 'begun') record.upgraded()
    const own: SocketCall = { call, record, stage, requestedModel, reservation: NOTHING_RESERVED }
    if (this.#isOver) record.end()
    this.#calls.push(own)
    return own
  }

  #remove(own: SocketCall): void {
    this.#calls = this.#calls.filter((each) => each !== own)
    this.#leave(own)
  }

  #leave(own: SocketCall): void {
    own.record.upgraded()
    own.record.end()
    own.reservation.release()
  }

  #close(own: SocketCall, outcome: ResponseOutcome, read: Tapped): void {
    const before = this.#bytesBefore
    const bytes = this.#options.bytes()
    this.#bytesBefore = bytes
    own.record.requestBytes = bytes.sent - before.sent
    own.record.responseBytes = bytes.received - before.received
    const requestedModel = read.requestedModel ?? this.#options.namedModel()
    const { status, errorCode } = outcome
    own.record.closeRead(status, errorCode, { ...read, requestedModel })
  }

  #reserve(own: SocketCall, size: ResponseSize | null, decided: Decided): void {
    const limited = this.#toLimited(own)
    if (limited === null) return decided(null)
    const { limiter } = this.#options.services
    own.reservation = reserve(limiter, { ...limited, ...size }, decided)
  }

  /** Null where nothing limits it. */
  #toLimited({ call, requestedModel }: SocketCall): LimitedCall | null {
    const key = this.#key.current
    if (key === undefined || !this.#options.services.limiter.limits(key)) return null
    const known = toLimitedCall(call, key, () => [])
    return { ...known, findModel: () => requestedModel ?? known.findModel() }
  }
}

/** An error was the answer to it, or nothing was asked. */
const IDLE_READING: Reading = { ...NO_READING, isCharged: false }
