// What a call is expected to cost: the usual cost under its budget, more for a large request, less
// for one that limits its answer. Must stay true: it is quick, bounded, and wrong by a factor at
// most; the real cost replaces it when the call has ended.

import type { UsualCall } from '../core/budget-state.ts'
import type { Money } from '../core/money.ts'

export interface RequestSize {
  /** Null where it is not known in advance. */
  readonly requestBytes: number | null
  /** The most that the request lets the model produce; null where it does not say. */
  readonly outputTokensMax: number | null
}

/** One cent: of a budget under which nothing was charged yet. */
export const UNKNOWN_COST: Money = 10_000_000_000n

const SIZE_FACTOR_MIN = 1 / 4
const SIZE_FACTOR_MAX = 4
const OUTPUT_FACTOR_MIN = 1 / 10
/** Factors are numbers and money is none: they meet in millionths. */
const MILLION = 1_000_000

export function expectedCost(usual: UsualCall | null, size: RequestSize): Money {
  if (usual === null) return UNKNOWN_COST
  const factor = sizeFactor(usual, size) * outputFactor(usual, size)
  return (usual.cost * BigInt(Math.round(factor * MILLION))) / BigInt(MILLION)
}

function sizeFactor(usual: UsualCall, { requestBytes }: RequestSize): number {
  if (requestBytes === null || usual.requestBytes <= 0) return 1
  const factor = requestBytes / usual.requestBytes
  return Math.min(Math.max(factor, SIZE_FACTOR_MIN), SIZE_FACTOR_MAX)
}

function outputFactor(usual: UsualCall, { outputTokensMax }: RequestSize): number {
  if (outputTokensMax === null || outputTokensMax >= usual.outputTokens) return 1
  return Math.max(outputTokensMax / usual.outputTokens, OUTPUT_FACTOR_MIN)
}

export const SEARCHED_BYTES_MAX = 65_536

// With both quotes: inside a text they would be escaped.
const NAMES = [
  '"max_tokens"',
  '"max_completion_tokens"',
  '"max_output_tokens"',
  '"maxOutputTokens"',
  '"num_predict"',
].map((name) => Buffer.from(name))
const NUMBER = /^[ \t\r\n]*:[ \t\r\n]*(\d{1,9})(?!\d)/
const NUMBER_BYTES_MAX = 32

/** Of several limits the largest, since it is not known which one is in force. */
export function findOutputTokensMax(body: Buffer): number | null {
  const searched = body.subarray(0, SEARCHED_BYTES_MAX)
  let largest: number | null = null
  for (const name of NAMES) {
    const at = searched.indexOf(name)
    if (at === -1) continue
    const from = at + name.length
    const found = NUMBER.exec(body.toString('latin1', from, from + NUMBER_BYTES_MAX))?.[1]
    if (found !== undefined) largest = Math.max(largest ?? 0, Number(found))
  }
  return largest
}

export function firstBytes(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces
  if (first === undefined) return NOTHING
  if (pieces.length === 1 || first.length >= SEARCHED_BYTES_MAX) {
    return first.subarray(0, SEARCHED_BYTES_MAX)
  }
  const some: Buffer[] = []
  let bytes = 0
  for (const piece of pieces) {
    if (bytes >= SEARCHED_BYTES_MAX) break
    some.push(piece.subarray(0, SEARCHED_BYTES_MAX - bytes))
    bytes += piece.length
  }
  return Buffer.concat(some)
}

const NOTHING = Buffer.alloc(0)
