// The usage object of OpenAI's chat completions, which most other providers have taken over. Must
// stay true: a stream's later value replaces the earlier one, field by field, and nothing is summed.

import type { TokenCounts } from '../../core/token-counts.ts'
import { toCount, toObject } from './json-leaves.ts'

type TokenFigures = { -readonly [Kind in keyof TokenCounts]: number | null }

export class OpenaiUsage {
  readonly #figures: TokenFigures = {
    input: null,
    output: null,
    cacheRead: null,
    cacheWrite5m: null,
    cacheWrite1h: null,
    inputAudio: null,
    inputImage: null,
    reasoning: null,
    outputAudio: null,
    outputImage: null,
  }

  /** Takes in a usage object; anything else changes nothing. */
  read(value: unknown): void {
    const usage = toObject(value)
    if (usage === null) return
    const figures = this.#figures
    figures.input = toCount(usage['prompt_tokens']) ?? figures.input
    figures.output = toCount(usage['completion_tokens']) ?? figures.output
    const input = toObject(usage['prompt_tokens_details'])
    figures.cacheRead =
      toCount(input?.['cached_tokens']) ??
      toCount(usage['prompt_cache_hit_tokens']) ??
      figures.cacheRead
    // The time that a written cache lives is not said here; the shorter is every provider's default.
    figures.cacheWrite5m =
      toCount(input?.['cache_write_tokens']) ??
      toCount(usage['cache_creation_input_tokens']) ??
      figures.cacheWrite5m
    if (input !== null) {
      figures.inputAudio = toCount(input['audio_tokens']) ?? figures.inputAudio
      figures.inputImage = toCount(input['image_tokens']) ?? figures.inputImage
    }
    const output = toObject(usage['completion_tokens_details'])
    if (output === null) return
    figures.reasoning = toCount(output['reasoning_tokens']) ?? figures.reasoning
    figures.outputAudio = toCount(output['audio_tokens']) ?? figures.outputAudio
    figures.outputImage = toCount(output['image_tokens']) ?? figures.outputImage
  }

  /** Null until a whole figure of input or output was seen. */
  tokens(): TokenCounts | null {
    const { input, output } = this.#figures
    return input === null && output === null ? null : withinWhole(this.#figures)
  }
}

/** A part that exceeds its whole would be charged twice, so it is cut to what the whole leaves. */
function withinWhole(figures: TokenFigures): TokenCounts {
  const input = figures.input ?? 0
  const output = figures.output ?? 0
  const cacheRead = Math.min(figures.cacheRead ?? 0, input)
  return {
    input,
    output,
    cacheRead,
    cacheWrite5m: Math.min(figures.cacheWrite5m ?? 0, input - cacheRead),
    cacheWrite1h: figures.cacheWrite1h ?? 0,
    inputAudio: Math.min(figures.inputAudio ?? 0, input),
    inputImage: Math.min(figures.inputImage ?? 0, input),
    reasoning: Math.min(figures.reasoning ?? 0, output),
    outputAudio: Math.min(figures.outputAudio ?? 0, output),
    outputImage: Math.min(figures.outputImage ?? 0, output),
  }
}
