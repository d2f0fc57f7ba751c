// Reads a copy of a call's bytes while they pass. The caller's chunk is written first, then the tap is
// fed; it is bounded, it may give up, and whatever goes wrong in it stays in it.

import type { Meter } from '../core/telemetry.ts'
import type {
  ModelReader,
  Operation,
  Reading,
  RequestView,
  ResponseView,
} from '../providers/provider.ts'
import type { UsageReader } from '../providers/provider.ts'
import { createDecoder } from '../wire/content-coding.ts'
import type { Decoder } from '../wire/content-coding.ts'

export interface TapOptions {
  readonly operation: Operation | null
  readonly request: RequestView
  /** Decoded bytes of a response that are read at the most. */
  readonly bytesMax: number
  readonly meter: Meter
}

export interface Tapped {
  readonly requestedModel: string | null
  /** Null where no reader knows the operation, or there was no response. */
  readonly reading: Reading | null
}

const MALFORMED: Reading = {
  kind: 'malformed',
  model: null,
  tokens: null,
  toolCalls: {},
  serviceTier: null,
  billing: null,
  hasError: false,
}

export class Tap {
  readonly #options: TapOptions
  #modelReader: ModelReader | null
  #requestedModel: string | null = null
  #usageReader: UsageReader | null = null
  /** Null for a body that is not compressed. */
  #decoder: Decoder | null = null
  #bytesLeft: number
  #isBroken = false
  /** False when the body's coding was broken or unknown. */
  #isIntact = true

  constructor(options: TapOptions) {
    this.#options = options
    this.#bytesLeft = options.bytesMax
    this.#modelReader = options.operation?.createModelReader(options.request) ?? null
  }

  feedRequest(bytes: Uint8Array): void {
    if (this.#modelReader === null) return
    try {
      if (this.#modelReader.feed(bytes)) this.#endRequest()
    } catch {
      this.#break()
    }
  }

  startResponse(response: ResponseView): void {
    const { operation, request } = this.#options
    if (operation === null) return
    try {
      this.#usageReader = operation.createUsageReader(request, response)
      const coding = response.header('content-encoding')
      if (coding !== null) {
        this.#decoder = createDecoder(coding, (bytes) => this.#feedReader(bytes))
      }
    } catch {
      this.#break()
    }
  }

  feedResponse(bytes: Uint8Array): void {
    if (this.#usageReader === null || this.#isBroken) return
    if (this.#decoder === null) return this.#feedReader(bytes)
    try {
      this.#decoder.feed(bytes)
    } catch {
      this.#break()
    }
  }

  /** Nothing more will be fed. Decoding may end later than the call: `end` may be called once this was. */
  whenDecoded(done: () => void): void {
    const decoder = this.#decoder
    if (decoder === null || this.#isBroken) return done()
    decoder.end((isIntact) => {
      this.#isIntact = isIntact
      done()
    })
  }

  /** Called once. `isWhole` is false when the call broke off. */
  end(isWhole: boolean): Tapped {
    try {
      this.#endRequest()
    } catch {
      this.#break()
    }
    const reading = this.#finish(isWhole && this.#isIntact)
    if (reading?.skippedEvents) this.#options.meter.add('sseSkipped', reading.skippedEvents)
    return { requestedModel: this.#requestedModel, reading }
  }

  #endRequest(): void {
    const reader = this.#modelReader
    this.#modelReader = null
    if (reader !== null) this.#requestedModel = reader.end()
  }

  #feedReader(bytes: Uint8Array): void {
    if (this.#isBroken) return
    this.#bytesLeft -= bytes.length
    if (this.#bytesLeft < 0) {
      this.#options.meter.add('tapOverflows', 1)
      this.#isBroken = true
      this.#decoder?.cancel()
      return
    }
    try {
      this.#usageReader?.feed(bytes)
    } catch {
      this.#break()
    }
  }

  /** What was read before an overflow or a fault still counts, as a part. */
  #finish(isWhole: boolean): Reading | null {
    const reader = this.#usageReader
    if (reader === null) return this.#isBroken ? MALFORMED : null
    try {
      return reader.end(isWhole && !this.#isBroken)
    } catch {
      this.#break()
      return MALFORMED
    }
  }

  /** A reader's defect costs a reading, never a caller's call; it is counted. */
  #break(): void {
    this.#isBroken = true
    this.#modelReader = null
    this.#options.meter.add('tapFailures', 1)
  }
}
