// What is noted of one call while it runs, its lines in the journal and its figures in the metrics.
// A call has one open and one close line, with a "held" line between where its tokens must be
// counted; a call that never left has a close line alone.

import { OVERAGE_HEADER } from '../policy/paid-by-plan.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import type { JournalEntry } from '../journal/journal.ts'
import type { ResponseHead } from '../wire/http/http-head.ts'
import type { Call } from './admission.ts'
import { BodyRecord } from './agents/body-record.ts'
import type { RelayState } from './caller-side.ts'
import { REQUEST_BYTES_MAX } from '../estimates/estimates.ts'
import { recordDenial, toUsageEvent, withEstimate } from './record.ts'
import type { CallOutcome } from './record.ts'
import type { Refusal } from '../policy/refusal.ts'
import type { ProxyServices } from './services.ts'
import { Tap } from './tap.ts'
import type { Tapped } from './tap.ts'

interface Answered {
  readonly status: number
  readonly isStreamed: boolean
  readonly isTunnel: boolean
}

export class CallRecord {
  /** Whether its open line was handed to the journal, and has reached the operating system. */
  openLine: 'none' | 'pending' | 'written' = 'none'
  requestBytes = 0
  responseBytes = 0
  readonly #call: Call
  readonly #services: ProxyServices
  readonly #state: RelayState
  readonly #body: BodyRecord
  #tap: Tap | null = null
  // On the monotonic clock, for the time that Weir itself adds.
  #arrivedAt: number
  #connectingAt = 0
  #connectMs = 0
  #sentAt: number | null = null
  #answered: Answered | null = null
  #isPlan: boolean
  #firstByteAt: number | null = null
  #isClosed = false
  #isLineWritten = false
  #hasEnded = false

  constructor(call: Call, services: ProxyServices, state: RelayState) {
    this.#call = call
    this.#services = services
    this.#state = state
    this.#isPlan = call.isPlan
    this.#arrivedAt = call.headAt
    this.#body = new BodyRecord(call, services)
    state.series.openCalls.add(1)
  }

  /** Of a socket's responses, only the first has one. */
  get tap(): Tap {
    return (this.#tap ??= this.#createTap())
  }

  #createTap(): Tap {
    const [call, services, state] = [this.#call, this.#services, this.#state]
    const { framing } = call.head
    // Whether an unknown call produced text, or took any, is not known either.
    const isCounted = call.operation !== null && call.operation.isFree !== true
    // Known in advance to exceed what is kept: then nothing of the request is.
    const isRequestKept = framing.kind !== 'length' || framing.length <= REQUEST_BYTES_MAX
    return new Tap({
      operation: call.operation ?? call.route.provider.unknown,
      request: call.view,
      bytesMax: services.limits.tapBytesMax,
      meter: services.meter,
      turn: state.turn,
      budget: state.tapBudget,
      kept: (isCounted ? services.estimates?.keep(call.opening.keyId) : null) ?? null,
      isRequestKept,
      bodyDims: this.#body.reader,
    })
  }

  /** Notifies the request when the operating system has the line: no byte may leave before. */
  open(request: { openLineWritten(): void; openLineRefused(): void }): void {
    this.openLine = 'pending'
    this.#state.calls.opened()
    this.#services.journal.append({ kind: 'open', opening: this.#call.opening }, (refusal) => {
      this.openLine = refusal === 'dropped' ? 'none' : 'written'
      // A call that was never opened has no close line for a drain to wait for.
      if (refusal === 'dropped') this.#isLineWritten = true
      if (refusal === undefined) request.openLineWritten()
      else request.openLineRefused()
    })
  }

  /** The body has come, or as much as is needed. Time before that is the caller's, not Weir's. */
  received(): void {
    this.#arrivedAt = this.#services.clock.monotonic()
  }

  /** No connection is idle: a caller without Weir would have to wait for one too. */
  connecting(): void {
    this.#connectingAt = this.#services.clock.monotonic()
  }

  connected(): void {
    this.#connectMs += this.#services.clock.monotonic() - this.#connectingAt
  }

  sent(): void {
    this.#sentAt = this.#services.clock.monotonic()
  }

  answered(head: ResponseHead): void {
    if (head.header(OVERAGE_HEADER) === 'true') this.#isPlan = false
    const isStreamed = /^text\/event-stream/i.test(head.header('content-type') ?? '')
    this.#answer({ status: head.status, isStreamed, isTunnel: false })
  }

  /** It became a socket, or is a response on one. */
  upgraded(): void {
    if (this.#answered === null) this.#answer({ status: 101, isStreamed: false, isTunnel: true })
  }

  #answer(answered: Answered): void {
    this.#answered = answered
    this.#firstByteAt = this.#services.clock.now()
    if (answered.isStreamed || answered.isTunnel) this.#state.series.openStreams.add(1)
  }

  /** The caller has the beginning of the response, which had come at `arrivedAt`. */
  passedOn(arrivedAt: number): void {
    const { series } = this.#state
    const backMs = this.#services.clock.monotonic() - arrivedAt
    const sentAt = this.#sentAt as number
    series.addedTime.observe((this.#outMs(sentAt) + backMs) / 1000)
    series.firstByte(this.#call.opening.provider).observe((arrivedAt - sentAt) / 1000)
  }

  #outMs(sentAt: number): number {
    return sentAt - this.#arrivedAt - this.#connectMs
  }

  /** Fractions are subtracted: what comes to nothing may be a hair below it. */
  #ownMicros(sentAt: number): number {
    return Math.max(0, Math.round(this.#outMs(sentAt) * 1000))
  }

  /** The call has left Weir, whatever becomes of its record. A second call changes nothing. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const { series } = this.#state
    series.openCalls.add(-1)
    const answered = this.#answered
    if (answered?.isStreamed || answered?.isTunnel) series.openStreams.add(-1)
    if (this.openLine === 'none') this.#tap?.abandonTexts()
    this.#settle()
  }

  /** A drain waits for both: a call that is recorded may still be on its way to its caller. */
  #settle(): void {
    if (this.#isLineWritten && this.#hasEnded) this.#state.calls.closed()
  }

  #lineWritten(): void {
    this.#isLineWritten = true
    this.#settle()
  }

  deny(refusal: Refusal): void {
    recordDenial(this.#call.opening, refusal, this.#services)
  }

  /** `written` runs when the operating system has the line. A second call records nothing. */
  close(status: CallOutcome['status'], errorCode: string | null, written?: () => void): void {
    if (this.#isClosed) return
    const outcome = this.#toOutcome(status, errorCode)
    this.tap.whenRead(() => {
      this.#append(outcome, () => this.tap.end(outcome.status === 'delivered'), written)
    })
  }

  /** For a response on a socket, whose messages were read already. */
  closeRead(status: CallOutcome['status'], errorCode: string | null, read: Tapped): void {
    if (!this.#isClosed) this.#append(this.#toOutcome(status, errorCode), () => read)
  }

  #toOutcome(status: CallOutcome['status'], errorCode: string | null): CallOutcome {
    this.#isClosed = true
    return {
      status,
      httpStatus: this.#answered?.status ?? null,
      errorCode,
      isPlan: this.#isPlan,
      streamed: this.#answered?.isStreamed === true,
      isTunnel: this.#answered?.isTunnel === true,
      firstByteAt: this.#firstByteAt,
      ownMicros: this.#sentAt === null ? null : this.#ownMicros(this.#sentAt),
      endedAt: this.#services.clock.now(),
      requestBytes: this.requestBytes,
      responseBytes: this.responseBytes,
    }
  }

  #append(outcome: CallOutcome, read: () => Tapped, written?: () => void): void {
    let entry: JournalEntry | null = null
    this.#services.journal.append(
      () => (entry = this.#toEntry(outcome, read())),
      () => {
        if (entry?.kind === 'close') this.#lineWritten()
        written?.()
      },
    )
  }

  /** "Held" where tokens must still be counted: a kill meanwhile costs the tokens and no more. */
  #toEntry(outcome: CallOutcome, tapped: Tapped): JournalEntry {
    const event = this.#body.complete(toUsageEvent(this.#call, outcome, tapped))
    const { estimates, journal } = this.#services
    if (tapped.awaiting === undefined || estimates === null) return this.#conclude(event)
    const { kept, job } = tapped.awaiting
    let isPending = false
    let concluded: JournalEntry | null = null
    estimates.make(kept, { ...job, keyId: event.keyId }, (tokens) => {
      concluded = this.#conclude(tokens === null ? event : withEstimate(event, tokens))
      if (isPending) journal.append(concluded, () => this.#lineWritten())
    })
    if (concluded !== null) return concluded
    isPending = true
    return { kind: 'held', event }
  }

  #conclude(event: UsageEvent): JournalEntry {
    const { id, keyId, provider, startedAt } = this.#call.opening
    const { status, httpStatus, firstByteAt, endedAt } = event
    this.#state.series.ended(provider, status, httpStatus).add(1)
    if (event.violation !== undefined) this.#services.meter.add('policyViolations', 1)
    const { logCall } = this.#services
    if (logCall !== null) {
      const firstByteMs = firstByteAt === null ? null : firstByteAt - startedAt
      const durationMs = endedAt - startedAt
      logCall({ id, keyId, provider, status, httpStatus, firstByteMs, durationMs })
    }
    return { kind: 'close', event }
  }
}
