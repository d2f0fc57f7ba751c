// Gemini's searches, which the usage leaves out. Must stay true: counted as billed, per grounded
// answer up to Gemini 2.5 and per query from Gemini 3 on (ai.google.dev, pricing).

import { toList, toName, toObject } from '../json-leaves.ts'

/** More queries than any answer needs. */
const QUERIES_MAX = 256
const BILLED_BY_ANSWER = /^gemini-[12]\b/

export class GeminiGrounding {
  readonly #queries = new Set<string>()
  #hasPlaces = false

  /** Takes a candidate's `groundingMetadata`; a stream may send it in parts, or again. */
  read(value: unknown): void {
    const grounding = toObject(value)
    if (grounding === null) return
    const queries = [
      ...toList(grounding['webSearchQueries']),
      ...toList(grounding['imageSearchQueries']),
    ]
    for (const each of queries) {
      const query = typeof each === 'string' ? each : ''
      if (query !== '' && this.#queries.size < QUERIES_MAX) this.#queries.add(query)
    }
    const chunks = toList(grounding['groundingChunks'])
    this.#hasPlaces ||= chunks.some((chunk) => (toObject(chunk)?.['maps'] ?? null) !== null)
  }

  toolCalls(model: string | null): Record<string, number> {
    const isByAnswer = BILLED_BY_ANSWER.test(model ?? '')
    const searches = isByAnswer ? Math.min(this.#queries.size, 1) : this.#queries.size
    return toGroundingCalls({ searches, places: this.#hasPlaces ? 1 : 0 })
  }
}

/** As counted by interactions themselves: `[{ type: 'google_search', count: 2 }]`. */
export function toCountedGrounding(value: unknown): Record<string, number> {
  const counts = { searches: 0, places: 0 }
  for (const each of toList(value)) {
    const entry = toObject(each)
    const type = toName(entry?.['type'])
    const count = Number.isSafeInteger(entry?.['count']) ? Number(entry?.['count']) : 0
    if (type === 'google_search') counts.searches += Math.max(count, 0)
    if (type === 'google_maps') counts.places += Math.max(count, 0)
  }
  return toGroundingCalls(counts)
}

function toGroundingCalls(counts: { searches: number; places: number }): Record<string, number> {
  return {
    ...(counts.searches > 0 ? { web_search: counts.searches } : {}),
    ...(counts.places > 0 ? { maps_search: counts.places } : {}),
  }
}
