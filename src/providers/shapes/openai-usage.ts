// The usage object of OpenAI's chat completions, which most other providers have taken over. Must
// stay true: a stream's later value replaces the earlier one, field by field, and nothing is summed.

import { createTokenCounts } from '../../core/token-counts.ts'
import type { TokenCounts } from '../../core/token-counts.ts'
import { toCount, toObject } from './json-leaves.ts'

type TokenFigures = { -readonly [Kind in keyof TokenCounts]?: number }

export interface OpenaiUsage {
  /** Takes in a usage object; anything else changes nothing. */
  read(usage: unknown): void
  /** Null until a whole figure of input or output was seen. */
  tokens(): TokenCounts | null
}

export function createOpenaiUsage(): OpenaiUsage {
  const figures: TokenFigures = {}

  function take(kind: keyof TokenCounts, ...values: readonly unknown[]): void {
    const count = values.map(toCount).find((value) => value !== null)
    if (count !== undefined && count !== null) figures[kind] = count
  }

  return {
    read(value) {
      const usage = toObject(value)
      if (usage === null) return
      const inputDetails = toObject(usage['prompt_tokens_details'])
      const outputDetails = toObject(usage['completion_tokens_details'])
      take('input', usage['prompt_tokens'])
      take('output', usage['completion_tokens'])
      take('cacheRead', inputDetails?.['cached_tokens'], usage['prompt_cache_hit_tokens'])
      // The time that a written cache lives is not said here; the shorter is every provider's default.
      const written = usage['cache_creation_input_tokens']
      take('cacheWrite5m', inputDetails?.['cache_write_tokens'], written)
      take('inputAudio', inputDetails?.['audio_tokens'])
      take('inputImage', inputDetails?.['image_tokens'])
      take('reasoning', outputDetails?.['reasoning_tokens'])
      take('outputAudio', outputDetails?.['audio_tokens'])
      take('outputImage', outputDetails?.['image_tokens'])
    },
    tokens() {
      const { input, output } = figures
      if (input === undefined && output === undefined) return null
      return withinWhole(createTokenCounts(figures))
    },
  }
}

/** A part that exceeds its whole would be charged twice, so it is cut to what the whole leaves. */
function withinWhole(counts: TokenCounts): TokenCounts {
  const cacheRead = Math.min(counts.cacheRead, counts.input)
  return {
    input: counts.input,
    output: counts.output,
    cacheRead,
    cacheWrite5m: Math.min(counts.cacheWrite5m, counts.input - cacheRead),
    cacheWrite1h: counts.cacheWrite1h,
    inputAudio: Math.min(counts.inputAudio, counts.input),
    inputImage: Math.min(counts.inputImage, counts.input),
    reasoning: Math.min(counts.reasoning, counts.output),
    outputAudio: Math.min(counts.outputAudio, counts.output),
    outputImage: Math.min(counts.outputImage, counts.output),
  }
}
