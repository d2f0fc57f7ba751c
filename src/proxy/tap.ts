// Reads a copy of a call's bytes while they pass. The caller's chunk is written first, then the tap
// is fed; it is bounded, may give up, and a fault in it costs a reading at most.

import type { Meter } from '../core/telemetry.ts'
import type { MatchedOperation, Reading, RequestView } from '../providers/provider.ts'
import type { ResponseSteps, ResponseView, UsageReader } from '../providers/provider.ts'
import type { ByteBudget } from '../wire/byte-budget.ts'
import { createDecoder } from '../wire/http/content-coding.ts'
import type { Decoder } from '../wire/http/content-coding.ts'
import type { ResponseHead } from '../wire/http/http-head.ts'
import type { EstimateJob, KeptTexts } from '../estimates/estimates.ts'
import { PacedFeed, SLICE_BYTES, whenFed } from '../wire/paced-feed.ts'
import { toMessageCoding } from '../wire/websocket/websocket-messages.ts'
import { TunnelTap } from './socket/tunnel-tap.ts'
import type { TurnTime } from '../wire/turn-time.ts'
import { waitAtMost } from '../wire/wait-at-most.ts'
import { withDims } from './body-dims.ts'
import type { BodyDims } from './body-dims.ts'
import { RequestTap } from './request-tap.ts'

export interface TapOptions {
  readonly operation: MatchedOperation | null
  readonly request: RequestView
  /** What a compressed response may be decoded to, if that is a hundred times its size or more. */
  readonly bytesMax: number
  readonly meter: Meter
  readonly turn: TurnTime
  /** What may wait to be read beyond a call's own bytes, over all calls of a worker. */
  readonly budget: ByteBudget
  /** Null where tokens that were not reported are left unknown. */
  readonly kept?: KeptTexts | null
  readonly isRequestKept?: boolean
  /** Fed as the reader of the model is; null where none are looked for. */
  readonly bodyDims?: BodyDims | null
}

export interface Tapped {
  readonly requestedModel: string | null
  /** Null where no reader knows the operation, or there was no response. */
  readonly reading: Reading | null
  /** Where text was produced and its tokens were not reported; the receiver drops it. */
  readonly awaiting?: AwaitingEstimate
}

export interface AwaitingEstimate {
  readonly kept: KeptTexts
  readonly job: Omit<EstimateJob, 'keyId'>
}

/** Only what was made to take long is not read by then. */
export const READ_AFTER_END_MS_MAX = 30_000

export class Tap {
  readonly #options: TapOptions
  readonly #request: RequestTap
  #isAnswered = false
  #usageReader: UsageReader | null = null
  #decoder: Decoder | null = null
  #tunnel: TunnelTap | null = null
  /** Null until a piece comes that is large enough to take long. */
  #paced: PacedFeed | null = null
  /** Null where nothing is kept, or no longer. */
  #kept: KeptTexts | null
  #isBroken = false
  /** False when the body's coding was broken or unknown. */
  #isIntact = true

  constructor(options: TapOptions) {
    this.#options = options
    const { operation, kept, isRequestKept, bodyDims = null } = options
    const modelReader = operation?.createModelReader(options.request) ?? null
    const reader = bodyDims === null ? modelReader : withDims(modelReader, bodyDims)
    this.#request = new RequestTap(reader, options)
    this.#kept = kept ?? null
    if (isRequestKept === false) this.#kept?.dropRequest()
  }

  /** The bytes may be kept: their memory must not be used again. */
  feedRequest(bytes: Uint8Array): void {
    this.#kept?.addRequest(bytes)
    this.#request.feed(bytes)
  }

  startResponse(response: ResponseView): void {
    const { operation, request } = this.#options
    if (operation === null) return
    this.#isAnswered = response.status < 400
    this.#usageReader = operation.createUsageReader(request, response)
    const isKept = this.#usageReader.keptTextBytes !== undefined && this.#kept !== null
    if (!isKept) this.abandonTexts()
    const coding = response.header('content-encoding')
    if (coding === null) return
    try {
      this.#decoder = createDecoder(coding, {
        ...this.#options,
        output: (bytes) => this.#feedReader(bytes),
        overflowed: () => this.#overflow(),
      })
    } catch {
      // Where there is no memory for another decoder zlib throws.
      this.#break()
    }
  }

  /** The connection was upgraded. Null where what is said on it cannot be read. */
  startTunnel(answer: ResponseHead, steps: ResponseSteps): TunnelTap | null {
    const { operation, request, budget } = this.#options
    const coding = operation?.tunnel === undefined ? null : toMessageCoding(answer)
    if (operation?.tunnel === undefined || coding === null) return null
    const reader = operation.tunnel.createUsageReader(request, steps)
    this.#request.end()
    const readModel = this.#request.model === null ? operation.tunnel.readModel : null
    this.#tunnel = new TunnelTap({ reader, readModel: readModel ?? null, coding, budget })
    return this.#tunnel
  }

  feedResponse(bytes: Uint8Array): void {
    if (this.#usageReader === null || this.#isBroken) return
    if (this.#decoder === null) return this.#feedReader(bytes)
    try {
      this.#decoder.feed(bytes)
    } catch {
      // As when it was created: a further member of the body needs a decoder of its own.
      this.#break()
    }
  }

  /** Nothing more will be fed. Calls back, maybe after the call's end, when `end` may be called. */
  whenRead(done: () => void): void {
    waitAtMost({
      ms: READ_AFTER_END_MS_MAX,
      start: (read) => this.#whenDecoded(read),
      expired: () => this.#overflow(),
      done,
    })
  }

  #whenDecoded(done: () => void): void {
    if (this.#tunnel !== null) return this.#tunnel.whenRead(done)
    const decoder = this.#decoder
    const fed = (): void => whenFed(this.#paced, () => this.#request.whenFed(done))
    if (decoder === null || this.#isBroken) return fed()
    decoder.end((isIntact) => {
      this.#isIntact = isIntact
      fed()
    })
  }

  /** Called once. `isWhole` is false when the call broke off. */
  end(isWhole: boolean): Tapped {
    this.#request.end()
    if (this.#tunnel?.hasOverflowed === true) this.#overflow()
    const reading = this.#finish(isWhole && this.#isIntact)
    if (reading?.skippedEvents) this.#options.meter.add('sseSkipped', reading.skippedEvents)
    const requestedModel = this.#request.model ?? this.#tunnel?.requestedModel ?? null
    const awaiting = this.#toAwaiting(reading, requestedModel)
    return awaiting === null ? { requestedModel, reading } : { requestedModel, reading, awaiting }
  }

  /** No estimate will be asked for: the texts are useless, or the call's end will not come. */
  abandonTexts(): void {
    this.#kept?.drop()
    this.#kept = null
    this.#usageReader?.dropText?.()
  }

  #toAwaiting(reading: Reading | null, requestedModel: string | null): AwaitingEstimate | null {
    const kept = this.#kept
    this.#kept = null
    if (kept === null) return null
    const isInputKnown = (reading?.tokens ?? null) !== null
    const request = isInputKnown ? null : kept.request
    if (reading?.text === undefined || kept.isDropped || (request === null && !isInputKnown)) {
      kept.drop()
      return null
    }
    const coding = this.#options.request.header('content-encoding')
    const { text } = reading
    return { kept, job: { model: reading.model ?? requestedModel, request, coding, text } }
  }

  #feedReader(bytes: Uint8Array): void {
    if (bytes.length <= SLICE_BYTES && this.#paced === null) return this.#readUsage(bytes)
    const { turn, budget } = this.#options
    this.#paced ??= new PacedFeed({
      turn,
      budget,
      feed: (piece) => this.#readUsage(piece),
      overflowed: () => this.#overflow(),
    })
    this.#paced.feed(bytes)
  }

  #overflow(): void {
    if (this.#isBroken) return
    this.#options.meter.add('tapOverflows', 1)
    this.#isBroken = true
    this.#decoder?.cancel()
    this.#paced?.cancel()
    this.#tunnel?.cancel()
  }

  #readUsage(bytes: Uint8Array): void {
    if (this.#isBroken) return
    this.#usageReader?.feed(bytes)
    if (this.#kept !== null) this.#countTexts(this.#kept)
  }

  #countTexts(kept: KeptTexts): void {
    kept.setTextBytes(this.#usageReader?.keptTextBytes ?? 0)
    if (kept.isDropped) this.abandonTexts()
  }

  /** What was read before an overflow or a fault still counts, as a part. */
  #finish(isWhole: boolean): Reading | null {
    const isRead = isWhole && !this.#isBroken
    const reading = (this.#tunnel ?? this.#usageReader)?.end(isRead) ?? null
    if (reading === null || !this.#isAnswered) return reading
    return this.#request.complete(reading, isRead)
  }

  /** It costs a reading, never a caller's call, and is counted. */
  #break(): void {
    this.#isBroken = true
    this.#options.meter.add('tapFailures', 1)
  }
}
