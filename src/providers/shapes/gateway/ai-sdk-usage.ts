// The AI SDK's usage object: nested since version 3, flat before, one figure for embeddings. Must
// stay true: a later value replaces the earlier one, field by field; nothing is summed.

import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toObject } from '../json-leaves.ts'

export class AiSdkUsage {
  #input: number | null = null
  #output: number | null = null
  #cacheRead: number | null = null
  #cacheWrite: number | null = null
  #reasoning: number | null = null

  /** Ignores what is not a usage object. */
  read(value: unknown): void {
    const usage = toObject(value)
    if (usage === null) return
    const input = toObject(usage['inputTokens'])
    const output = toObject(usage['outputTokens'])
    this.#input =
      toWhole(usage['inputTokens'], ['noCache', 'cacheRead', 'cacheWrite']) ??
      toFigure(usage['tokens']) ??
      this.#input
    this.#output = toWhole(usage['outputTokens'], ['text', 'reasoning']) ?? this.#output
    this.#cacheRead =
      toFigure(input?.['cacheRead']) ?? toFigure(usage['cachedInputTokens']) ?? this.#cacheRead
    this.#cacheWrite = toFigure(input?.['cacheWrite']) ?? this.#cacheWrite
    this.#reasoning =
      toFigure(output?.['reasoning']) ?? toFigure(usage['reasoningTokens']) ?? this.#reasoning
  }

  /** Null until a whole figure of input or output was seen. */
  tokens(): TokenCounts | null {
    if (this.#input === null && this.#output === null) return null
    const input = this.#input ?? 0
    const output = this.#output ?? 0
    const cacheRead = Math.min(this.#cacheRead ?? 0, input)
    return createTokenCounts({
      input,
      output,
      cacheRead,
      // How long a cache write lives is not reported; the shorter time is every provider's default.
      cacheWrite5m: Math.min(this.#cacheWrite ?? 0, input - cacheRead),
      reasoning: Math.min(this.#reasoning ?? 0, output),
    })
  }
}

/** A figure, the total of an object, or the sum of its parts where only they are reported. */
function toWhole(value: unknown, parts: readonly string[]): number | null {
  const figures = toObject(value)
  return figures === null ? toFigure(value) : (toFigure(figures['total']) ?? sum(figures, parts))
}

function sum(figures: JsonObject, parts: readonly string[]): number | null {
  const counts = parts.map((part) => toFigure(figures[part])).filter((count) => count !== null)
  return counts.length === 0 ? null : counts.reduce((total, count) => total + count, 0)
}
