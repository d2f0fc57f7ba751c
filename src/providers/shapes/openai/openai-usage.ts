// OpenAI's usage object, which most other providers share, under all its members' names. Must stay
// true: a later value replaces the earlier one, field by field; nothing is summed. A total that is
// not the sum of input and output leaves open what was used, so then nothing of it is readable.

import type { TokenCounts } from '../../../core/token-counts.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toObject } from '../json-leaves.ts'

const INPUT = ['prompt_tokens', 'input_tokens']
const OUTPUT = ['completion_tokens', 'output_tokens']
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

type Kind = Exclude<keyof TokenCounts, 'cacheReadAudio' | 'cacheReadImage'>
type TokenFigures = Record<Kind, number | null>

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
  #total: number | null = null

  /** Ignores what is not a usage object. */
  read(value: unknown): void {
    const usage = toObject(value)
    if (usage === null) return
    const figures = this.#figures
    const input = findCount(usage, INPUT) ?? figures.input
    const output = findCount(usage, OUTPUT) ?? figures.output
    figures.input = input ?? nullBeside(output, usage, INPUT)
    figures.output = output ?? nullBeside(input, usage, OUTPUT)
    // It belongs to the figures beside it, so an earlier one says nothing of these.
    this.#total = toFigure(usage['total_tokens'])
    this.#readInput(usage, findDetails(usage, INPUT_DETAILS))
    const details = findDetails(usage, OUTPUT_DETAILS)
    if (details === null) return
    figures.reasoning = toFigure(details['reasoning_tokens']) ?? figures.reasoning
    figures.outputAudio = toFigure(details['audio_tokens']) ?? figures.outputAudio
    figures.outputImage = toFigure(details['image_tokens']) ?? figures.outputImage
  }

  #readInput(usage: JsonObject, details: JsonObject | null): void {
    const figures = this.#figures
    figures.cacheRead =
      toFigure(details?.['cached_tokens']) ?? findCount(usage, CACHED) ?? figures.cacheRead
    const written = toFigure(details?.['cache_write_tokens'])
    const cacheWrite = written ?? toFigure(usage['cache_creation_input_tokens'])
    if (cacheWrite !== null) {
      // A cache write without a reported lifetime has the shorter of two, here 30 minutes and 12
      // hours; the counts are named after the provider that had them first.
      const times = toObject(details?.['cache_write_tokens_details'])
      const long = Math.min(toFigure(times?.['ttl_12h_tokens']) ?? 0, cacheWrite)
      figures.cacheWrite5m = cacheWrite - long
      figures.cacheWrite1h = long
    }
    if (details === null) return
    figures.inputAudio = toFigure(details['audio_tokens']) ?? figures.inputAudio
    figures.inputImage = toFigure(details['image_tokens']) ?? figures.inputImage
  }

  /** Servers that do not know yet report zeros. */
  get isKnown(): boolean {
    return (this.#figures.input ?? 0) + (this.#figures.output ?? 0) > 0
  }

  /** Null until a whole figure of input or output was seen. */
  tokens(): TokenCounts | null {
    const { input, output } = this.#figures
    if (input === null && output === null) return null
    const isWhole = this.#total === null || this.#total === (input ?? 0) + (output ?? 0)
    return withinWhole(isWhole ? this.#figures : { ...this.#figures, output: NaN })
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
    const count = toFigure(usage[name])
    if (count !== null) return count
  }
  return null
}

/** Null in the place of one figure, where the other was used, is a count that is missing. */
function nullBeside(
  other: number | null,
  usage: JsonObject,
  names: readonly string[],
): number | null {
  return (other ?? 0) > 0 && names.some((name) => usage[name] === null) ? NaN : null
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
