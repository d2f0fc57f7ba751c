// Counts tokens with a tokenizer whose time grows with the square of a word's length. Must stay
// true: a count's time is bounded, so long words are split and long texts sampled.

import type { EstimatedTokens, EstimateJob } from './estimates.ts'

export type CountTokens = (text: string) => number

export type EncodingName = 'o200k_base' | 'cl100k_base'

/** Longer words are no words. At this length a word of noise takes half a millisecond. */
const WORD_CHARACTERS_MAX = 128
/** Noise of this length takes a fifth of a second. */
export const COUNTED_CHARACTERS_MAX = 131_072
const PIECE_CHARACTERS_MAX = 4096

/** GPT-4 and GPT-3.5 under any deployment's name; newer models have a point or letter after 4. */
const OLDER_MODEL = /gpt-(?:4(?![\w.])|3\.5|35)/i

/** Others than OpenAI's are counted as its newer ones: near enough for an estimate. */
export function findEncoding(model: string | null): EncodingName {
  return model !== null && OLDER_MODEL.test(model) ? 'cl100k_base' : 'o200k_base'
}

export function countTexts(texts: readonly string[], count: CountTokens): number {
  let charactersLeft = COUNTED_CHARACTERS_MAX
  let counted = 0
  let all = 0
  let tokens = 0
  for (const text of texts) {
    all += text.length
    const start = text.length <= charactersLeft ? text : text.slice(0, charactersLeft)
    charactersLeft -= start.length
    counted += start.length
    for (const piece of toPieces(start)) tokens += count(piece)
  }
  return counted === all ? tokens : Math.round((tokens / counted) * all)
}

/** Cuts words that are too long, and otherwise cuts between words. */
function* toPieces(text: string): Iterable<string> {
  let start = 0
  let wordLength = 0
  let isBlank = false
  for (let at = 0; at < text.length; at++) {
    const isBlankHere = text.charCodeAt(at) <= 0x20
    wordLength = isBlankHere === isBlank ? wordLength + 1 : 1
    isBlank = isBlankHere
    const isLong = at - start >= PIECE_CHARACTERS_MAX && isBlank && wordLength === 1
    if (wordLength <= WORD_CHARACTERS_MAX && !isLong) continue
    yield text.slice(start, at)
    start = at
    wordLength = 1
  }
  yield text.slice(start)
}

/** English and JSON have about four bytes a token; a compressed request about a third of them. */
const TOKEN_BYTES = 4
const COMPRESSION = 3

/** From the lengths alone, for what the tokenizer does not come to. */
export function countRoughly({ request, coding, text }: EstimateJob): EstimatedTokens {
  const bytes = request?.reduce((sum, piece) => sum + piece.length, 0) ?? 0
  const input = Math.ceil((bytes * (coding === null ? 1 : COMPRESSION)) / TOKEN_BYTES)
  return { input, output: Math.ceil(text.length / TOKEN_BYTES) }
}

/** Unescapes the inside of a JSON string; text that is none is returned as it stands. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}
