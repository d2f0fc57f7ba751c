// How a request steers the simulated upstream, so that any SDK can steer it: by plain strings in
// the body's `metadata`, or behind a question mark in the model's name, where an SDK has no
// metadata (`acme/writer?chunks=3&fail=status-500`). Unknown words are left to others.

import { parseMoney } from '../../src/core/money.ts'
import type { Money } from '../../src/core/money.ts'

export type Fault =
  | { readonly kind: 'status'; readonly status: number }
  /** The connection is closed in answer to the request. */
  | { readonly kind: 'cut-before-head' }
  /** The connection is closed after so many pieces of text; of a JSON answer half is sent. */
  | { readonly kind: 'cut-after'; readonly chunks: number }
  /** An error event comes inside the stream. */
  | { readonly kind: 'error-after'; readonly chunks: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'hang-after'; readonly chunks: number }

export interface Steering {
  /** The model's name without its steering. */
  readonly model: string
  /** The model that is said to have run, after a fallback. */
  readonly servedModel: string
  /** Into how many pieces the answer's text is cut. */
  readonly chunks: number
  /** Before the head of the answer and before each piece. */
  readonly delayMs: number
  readonly fault: Fault | null
  readonly isByok: boolean
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  readonly cachedTokens: number
  readonly reasoningTokens: number
  readonly cost: Money | null
  readonly marketCost: Money | null
}

const CHUNKS_DEFAULT = 8
const CHUNKS_MAX = 1_000_000
const DELAY_MS_MAX = 600_000
const FAULT_AFTER = /^(cut-after|error-after|hang-after)-(\d{1,7})$/
const FAULT_STATUS = /^status-([45]\d\d)$/

/** Throws a sentence that says what is wrong with the steering. */
export function parseSteering(model: string, metadata: unknown): Steering {
  const mark = model.indexOf('?')
  const name = mark === -1 ? model : model.slice(0, mark)
  const inName = new URLSearchParams(mark === -1 ? '' : model.slice(mark + 1))
  const words = new Map<string, string>([...toPairs(metadata), ...inName])
  return {
    model: name,
    servedModel: words.get('served_model') ?? name,
    chunks: toInteger(words, 'chunks', CHUNKS_MAX) ?? CHUNKS_DEFAULT,
    delayMs: toInteger(words, 'delay_ms', DELAY_MS_MAX) ?? 0,
    fault: toFault(words.get('fail')),
    isByok: words.get('byok') === 'true',
    promptTokens: toInteger(words, 'prompt_tokens'),
    completionTokens: toInteger(words, 'completion_tokens'),
    cachedTokens: toInteger(words, 'cached_tokens') ?? 0,
    reasoningTokens: toInteger(words, 'reasoning_tokens') ?? 0,
    cost: toMoney(words, 'cost'),
    marketCost: toMoney(words, 'market_cost'),
  }
}

function toPairs(metadata: unknown): [string, string][] {
  if (typeof metadata !== 'object' || metadata === null) return []
  return Object.entries(metadata).filter((pair): pair is [string, string] => {
    return typeof pair[1] === 'string'
  })
}

function toInteger(
  words: ReadonlyMap<string, string>,
  name: string,
  max = Number.MAX_SAFE_INTEGER,
): number | null {
  const word = words.get(name)
  if (word === undefined) return null
  const value = /^\d{1,16}$/.test(word) ? Number(word) : NaN
  if (!(value <= max)) throw new Error(`${name} must be a whole number of at most ${max}: ${word}`)
  return value
}

function toMoney(words: ReadonlyMap<string, string>, name: string): Money | null {
  const word = words.get(name)
  if (word === undefined) return null
  const amount = parseMoney(word)
  if (amount === null) throw new Error(`${name} must be a decimal number of USD: ${word}`)
  return amount
}

function toFault(word: string | undefined): Fault | null {
  if (word === undefined) return null
  if (word === 'hang' || word === 'cut-before-head') return { kind: word }
  const status = FAULT_STATUS.exec(word)
  if (status !== null) return { kind: 'status', status: Number(status[1]) }
  const after = FAULT_AFTER.exec(word)
  if (after === null) throw new Error(`fail is not known: ${word}`)
  const kind = after[1] as 'cut-after' | 'error-after' | 'hang-after'
  return { kind, chunks: Number(after[2]) }
}
