// OpenAI's usage object, which most other providers share, under all its members' names. Must stay
// true: a later value replaces the earlier one, field by field; nothing is summed.

import type { TokenCounts } from '../../../core/token-counts.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toCount, toObject } from '../json-leaves.ts'

// Chat completions, Responses, sound and assistants' runs each name these details differently.
const INPUT_DETAILS = [
  'prompt_tokens_details',
  'input_tokens_details',
  'input_token_details',
  'prompt_token_details',
]
const OUTPUT_DETAILS = [
  'completion_tokens_details',
  'output_tokens_details',
  'output_token_details',
]
/** Cached tokens, as other providers report them beside the total. */
const CACHED = ['prompt_cache_hit_tokens', 'num_cached_tokens', 'cached_tokens']

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

  /** Ignores what is not a usage object. */
  read(value: unknown): void {
    const usage = toObject(value)
    if (usage === null) return
    const figures = this.#figures
    const input = toCount(usage['prompt_tokens']) ?? toCount(usage['input_tokens'])
    const output = toCount(usage['completion_tokens']) ?? toCount(usage['output_tokens'])
    figures.input = input ?? figures.input
    figures.output = output ?? figures.output
    this.#readInput(usage, findDetails(usage, INPUT_DETAILS))
    const details = findDetails(usage, OUTPUT_DETAILS)
    if (details === null) return
    figures.reasoning = toCount(details['reasoning_tokens']) ?? figures.reasoning
    figures.outputAudio = toCount(details['audio_tokens']) ?? figures.outputAudio
    figures.outputImage = toCount(details['image_tokens']) ?? figures.outputImage
  }

  #readInput(usage: JsonObject, details: JsonObject | null): void {
    const figures = this.#figures
    figures.cacheRead =
      toCount(details?.['cached_tokens']) ?? findCount(usage, CACHED) ?? figures.cacheRead
    const written = toCount(details?.['cache_write_tokens'])
    const cacheWrite = written ?? toCount(usage['cache_creation_input_tokens'])
    if (cacheWrite !== null) {
      // A cache write without a reported lifetime has the shorter of two, here 30 minutes and 12
      // hours; the counts are named after the provider that had them first.
      const times = toObject(details?.['cache_write_tokens_details'])
      const long = Math.min(toCount(times?.['ttl_12h_tokens']) ?? 0, cacheWrite)
      figures.cacheWrite5m = cacheWrite - long
      figures.cacheWrite1h = long
    }
    if (details === null) return
    figures.inputAudio = toCount(details['audio_tokens']) ?? figures.inputAudio
    figures.inputImage = toCount(details['image_tokens']) ?? figures.inputImage
  }

  /** Servers that do not know yet report zeros. */
  get isKnown(): boolean {
    return (this.#figures.input ?? 0) + (this.#figures.output ?? 0) > 0
  }

  /** Null until a whole figure of input or output was seen. */
  tokens(): TokenCounts | null {
    const { input, output } = this.#figures
    return input === null && output === null ? null : withinWhole(this.#figures)
  }
}

function findDetails(usage: JsonObject, names: readonly string[]): JsonObject | null {
  for (const name of names) {
    const details = toObject(usage[name])
    if (details !== null) return details
  }
  return null
}

function findCount(usage: JsonObject, names: readonly string[]): number | null {
  for (const name of names) {
    const count = toCount(usage[name])
    if (count !== null) return count
  }
  return null
}

/** A part that exceeds its whole would be charged twice, so it is cut to what is left. */
function withinWhole(figures: TokenFigures): TokenCounts {
  const input = figures.input ?? 0
  const output = figures.output ?? 0
  const cacheRead = Math.min(figures.cacheRead ?? 0, input)
  const cacheWrite5m = Math.min(figures.cacheWrite5m ?? 0, input - cacheRead)
  return {
    input,
    output,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: Math.min(figures.cacheWrite1h ?? 0, input - cacheRead - cacheWrite5m),
    inputAudio: Math.min(figures.inputAudio ?? 0, input),
    inputImage: Math.min(figures.inputImage ?? 0, input),
    reasoning: Math.min(figures.reasoning ?? 0, output),
    outputAudio: Math.min(figures.outputAudio ?? 0, output),
    outputImage: Math.min(figures.outputImage ?? 0, output),
  }
}
