// What each model used where several work for one call, or one works several times. Must stay true:
// the whole is the sum of the shares, their number is bounded, since the names come from outside,
// and many short requests never look like one long one, which has another price.

import { addTokenCounts } from '../../core/token-counts.ts'
import type { TokenCounts } from '../../core/token-counts.ts'
import type { UsageShare } from '../../core/usage-event.ts'

export const SHARES_MAX = 64
/** Models beyond the limit: no price book knows it, so the cost is a gap, no guess. */
export const OTHER_MODELS = '(other models)'
/** No provider's price rises with the length of a prompt before this many tokens. */
export const LONG_INPUT = 128_000

interface Sum {
  readonly model: string | null
  tokens: TokenCounts
  largestInput: number
}

export class ModelShares {
  readonly #short = new Map<string | null, Sum>()
  /** Each for itself: which of them are long enough for a higher price, the price book knows. */
  readonly #long: Sum[] = []
  #tokens: TokenCounts | null = null

  /** The sum; null while no one has used anything. */
  get tokens(): TokenCounts | null {
    return this.#tokens
  }

  /** One request's. `model`: null for the call's own. */
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

  /** Undefined where the call's own figures say it all. */
  toShares(own: string | null): readonly UsageShare[] | undefined {
    const [first, ...others] = this.toList()
    if (first === undefined) return undefined
    const isOwn = first.model === null || first.model === own
    const isAll = others.length === 0 && isOwn && first.largestInput === undefined
    return isAll ? undefined : [first, ...others]
  }
}
