// What each model used, where one call ran several or one several times. Must stay true: shares add
// up to the whole and are bounded; short requests never add up to a long one's price.

import { addTokenCounts } from '../../core/token-counts.ts'
import type { TokenCounts } from '../../core/token-counts.ts'
import type { UsageShare } from '../../core/usage-event.ts'

export const SHARES_MAX = 64
/** For models beyond the limit: without a price, the cost is a gap, not a guess. */
export const OTHER_MODELS = '(other models)'
/** No provider charges long prompts more below this many tokens. */
export const LONG_INPUT = 128_000

interface Sum {
  readonly model: string | null
  tokens: TokenCounts
  largestInput: number
}

export class ModelShares {
  readonly #short = new Map<string | null, Sum>()
  /** One by one: the price tables know which are long enough for a higher price. */
  readonly #long: Sum[] = []
  #tokens: TokenCounts | null = null

  /** The sum; null while nothing was used. */
  get tokens(): TokenCounts | null {
    return this.#tokens
  }

  /** For one request. `model` is null for the call's own. */
  add(model: string | null, tokens: TokenCounts): void {
    this.#tokens = this.#tokens === null ? tokens : addTokenCounts(this.#tokens, tokens)
    const isFull = this.#short.size + this.#long.length >= SHARES_MAX
    const isLong = tokens.input > LONG_INPUT
    if (isLong && !isFull) {
      this.#long.push({ model, tokens, largestInput: tokens.input })
      return
    }
    const name = isLong || (isFull && !this.#short.has(model)) ? OTHER_MODELS : model
    const sum = this.#short.get(name)
    if (sum === undefined) {
      this.#short.set(name, { model: name, tokens, largestInput: tokens.input })
    } else {
      sum.tokens = addTokenCounts(sum.tokens, tokens)
      sum.largestInput = Math.max(sum.largestInput, tokens.input)
    }
  }

  toList(): readonly UsageShare[] {
    return [...this.#short.values(), ...this.#long].map(({ model, tokens, largestInput }) => {
      const isKnownFromSum = tokens.input <= LONG_INPUT || tokens.input === largestInput
      return isKnownFromSum ? { model, tokens } : { model, tokens, largestInput }
    })
  }

  /** Undefined where the call's own figures are enough. */
  toShares(own: string | null): readonly UsageShare[] | undefined {
    const [first, ...others] = this.toList()
    if (first === undefined) return undefined
    const isOwn = first.model === null || first.model === own
    const isAll = others.length === 0 && isOwn && first.largestInput === undefined
    return isAll ? undefined : [first, ...others]
  }
}
