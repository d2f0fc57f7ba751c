// Splits what a call used into lines of count and rate. Must stay true: every token is charged
// exactly once, and any uncertainty makes the whole call unpriced.

import type { TokenCounts } from '../../core/token-counts.ts'
import type { UsageEvent, UsageShare } from '../../core/usage-event.ts'
import { rateFor } from './price-table.ts'
import type { Rate, Rates, TokenUnit } from './price-table.ts'
import { REQUEST_UNIT, UNIT_NAMES } from './rate-text.ts'

export interface Charge {
  readonly unit: string
  readonly count: number
  /** USD in 1e-24 for one. */
  readonly rate: bigint
}

export type ChargeFault =
  | { readonly kind: 'no-rate'; readonly unit: string }
  | { readonly kind: 'contradiction' }

export interface UsedUnits
  extends Pick<UsageShare, 'tokens' | 'largestInput'>, Pick<UsageEvent, 'toolCalls'> {
  /** The fee of the call is charged with another part of it. */
  readonly isFeeElsewhere?: boolean
}

const CONTRADICTION: ChargeFault = Object.freeze({ kind: 'contradiction' })

/** A fault where a rate is missing for something used, or the counts contradict each other. */
export function toCharges(used: UsedUnits, rates: Rates): readonly Charge[] | ChargeFault {
  if (!isSound(used.tokens)) return CONTRADICTION
  const bill = new Bill(used, rates)
  return bill.chargeInput() ?? bill.chargeOutput() ?? bill.chargeUnits() ?? bill.charges
}

export function isFault(charges: readonly Charge[] | ChargeFault): charges is ChargeFault {
  return !Array.isArray(charges)
}

class Bill {
  readonly charges: Charge[] = []
  readonly #used: UsedUnits
  readonly #rates: Rates
  readonly #promptLength: number

  constructor(used: UsedUnits, rates: Rates) {
    this.#used = used
    this.#rates = rates
    this.#promptLength = used.largestInput ?? used.tokens.input
  }

  // A part without its own rate stays in the whole. A cached token can also be an audio or image
  // token: parts count as separate while they fit into the input; the rest is charged as cached.
  chargeInput(): ChargeFault | null {
    const { tokens } = this.#used
    const rates = this.#rates.tokens
    let rest = tokens.input
    const cachedRest = this.#chargeCachedParts()
    if (cachedRest < 0) return CONTRADICTION
    rest -= tokens.cacheRead - cachedRest
    rest -= this.#chargePart('cacheRead', cachedRest, rates.cacheRead)
    rest -= this.#chargePart('cacheWrite5m', tokens.cacheWrite5m, rates.cacheWrite5m)
    // A longer write costs more than a shorter one, by a factor that differs between providers.
    const isGuess = rates.cacheWrite1h === undefined && rates.cacheWrite5m !== undefined
    if (isGuess && tokens.cacheWrite1h > 0) {
      return { kind: 'no-rate', unit: UNIT_NAMES.cacheWrite1h }
    }
    rest -= this.#chargePart('cacheWrite1h', tokens.cacheWrite1h, rates.cacheWrite1h)
    if (rest < 0) return CONTRADICTION
    if (rates.inputAudio !== undefined) {
      if (tokens.inputAudio > tokens.input) return CONTRADICTION
      rest -= this.#chargePart('inputAudio', Math.min(tokens.inputAudio, rest), rates.inputAudio)
    }
    if (rates.inputImage !== undefined) {
      if (tokens.inputImage > tokens.input) return CONTRADICTION
      rest -= this.#chargePart('inputImage', Math.min(tokens.inputImage, rest), rates.inputImage)
    }
    return this.#charge(UNIT_NAMES.input, rest, rates.input)
  }

  /** The cached reads that are left; below zero where the parts are more than the whole. */
  #chargeCachedParts(): number {
    const { cacheRead, cacheReadAudio = 0, cacheReadImage = 0 } = this.#used.tokens
    if (cacheReadAudio + cacheReadImage > cacheRead) return -1
    const rates = this.#rates.tokens
    const audio = this.#chargePart('cacheReadAudio', cacheReadAudio, rates.cacheReadAudio)
    const image = this.#chargePart('cacheReadImage', cacheReadImage, rates.cacheReadImage)
    return cacheRead - audio - image
  }

  chargeOutput(): ChargeFault | null {
    const { tokens } = this.#used
    const rates = this.#rates.tokens
    let rest = tokens.output
    rest -= this.#chargePart('reasoning', tokens.reasoning, rates.reasoning)
    rest -= this.#chargePart('outputAudio', tokens.outputAudio, rates.outputAudio)
    rest -= this.#chargePart('outputImage', tokens.outputImage, rates.outputImage)
    if (rest < 0) return CONTRADICTION
    return this.#charge(UNIT_NAMES.output, rest, rates.output)
  }

  chargeUnits(): ChargeFault | null {
    const { toolCalls, request } = this.#rates
    for (const kind in this.#used.toolCalls) {
      const count = this.#used.toolCalls[kind] as number
      if (!isCount(count)) return CONTRADICTION
      const rate = ownRate(toolCalls, kind) ?? ownRate(toolCalls, withoutSize(kind))
      const fault = this.#charge(kind, count, rate)
      if (fault !== null) return fault
    }
    if (request === null || this.#used.isFeeElsewhere === true) return null
    return this.#charge(REQUEST_UNIT, 1, request)
  }

  #chargePart(unit: TokenUnit, count: number, rate: Rate | undefined): number {
    if (rate === undefined) return 0
    this.#charge(UNIT_NAMES[unit], count, rate)
    return count
  }

  #charge(unit: string, count: number, rate: Rate | undefined): ChargeFault | null {
    if (count === 0) return null
    if (rate === undefined) return { kind: 'no-rate', unit }
    this.charges.push({ unit, count, rate: rateFor(rate, this.#promptLength) })
    return null
  }
}

/** Kinds come from upstreams, and one may have the name of an inherited property. */
function ownRate(rates: Rates['toolCalls'], kind: string): Rate | undefined {
  return Object.hasOwn(rates, kind) ? rates[kind] : undefined
}

const SIZED = /^(image|video)_(?:hd_)?\d+x\d+(_ms)?$/

/** A price for `image` is one for images of every size that has none of its own. */
function withoutSize(kind: string): string {
  return kind.replace(SIZED, '$1$2')
}

function isSound(tokens: TokenCounts): boolean {
  for (const unit in tokens) if (!isCount(tokens[unit as TokenUnit] ?? 0)) return false
  return true
}

function isCount(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 0
}
