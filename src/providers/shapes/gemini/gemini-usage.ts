// Gemini's `usageMetadata`, which any chunk may have. Must stay true: the last one that adds up by
// itself counts, else the last value of each member; thoughts are added to the candidates, and
// tools' prompt tokens to the prompt.

import type { TokenCounts } from '../../../core/token-counts.ts'
import { withCachedParts } from '../cached-parts.ts'
import { toFigure, toList, toName, toObject } from '../json-leaves.ts'

/** Google sometimes writes 64-bit integers as texts. */
const DIGITS = /^\d{1,15}$/

function toLong(value: unknown): number | null {
  return typeof value === 'string' && DIGITS.test(value) ? Number(value) : toFigure(value)
}

/** Tokens by modality, in lower case: `{ audio: 12 }`. */
type Modalities = Readonly<Record<string, number>>

export class GeminiUsage {
  #prompt: number | null = null
  #toolPrompt: number | null = null
  #cached: number | null = null
  #answer: number | null = null
  #thoughts: number | null = null
  #promptParts: Modalities = {}
  #toolPromptParts: Modalities = {}
  #cachedParts: Modalities = {}
  #answerParts: Modalities = {}
  #total: number | null = null
  #tier: string | null = null

  /** Ignores what is not a usage object. */
  read(value: unknown): void {
    const usage = toObject(value)
    if (usage === null) return
    const prompt = toLong(usage['promptTokenCount'])
    const toolPrompt = toLong(usage['toolUsePromptTokenCount'])
    // Live sessions use another name for it.
    const answer = toLong(usage['candidatesTokenCount']) ?? toLong(usage['responseTokenCount'])
    const thoughts = toLong(usage['thoughtsTokenCount'])
    // It belongs to the figures beside it, so an earlier one says nothing of these.
    this.#total = toLong(usage['totalTokenCount'])
    // Zeros are left out, so what an earlier chunk had is over where the total does without it.
    const own = (prompt ?? 0) + (toolPrompt ?? 0) + (answer ?? 0) + (thoughts ?? 0)
    const isWhole = prompt !== null && this.#total === own
    this.#prompt = prompt ?? this.#prompt
    this.#toolPrompt = toolPrompt ?? (isWhole ? null : this.#toolPrompt)
    this.#answer = answer ?? (isWhole ? null : this.#answer)
    this.#thoughts = thoughts ?? (isWhole ? null : this.#thoughts)
    this.#cached = toLong(usage['cachedContentTokenCount']) ?? this.#cached
    // Embeddings spell it in another way.
    this.#promptParts =
      toModalities(usage['promptTokensDetails']) ??
      toModalities(usage['promptTokenDetails']) ??
      this.#promptParts
    this.#toolPromptParts =
      toModalities(usage['toolUsePromptTokensDetails']) ?? this.#toolPromptParts
    this.#cachedParts = toModalities(usage['cacheTokensDetails']) ?? this.#cachedParts
    this.#answerParts =
      toModalities(usage['candidatesTokensDetails']) ??
      toModalities(usage['responseTokensDetails']) ??
      this.#answerParts
    this.#tier = toTier(usage['serviceTier']) ?? toTier(usage['trafficType']) ?? this.#tier
  }

  /** Null until a figure above zero: an empty prompt is refused, so zeros report nothing. */
  tokens(): TokenCounts | null {
    const input = (this.#prompt ?? 0) + (this.#toolPrompt ?? 0)
    const stated = (this.#answer ?? 0) + (this.#thoughts ?? 0)
    if (input + stated === 0) return null
    // A total that is not the sum leaves open what was used.
    const output = this.#total === null || this.#total === input + stated ? stated : NaN
    const fresh = toFreshParts([this.#promptParts, this.#toolPromptParts], this.#cachedParts)
    const tokens = toTokenCounts({
      input,
      output,
      cacheRead: this.#cached ?? 0,
      ...fresh,
      reasoning: this.#thoughts ?? 0,
      outputAudio: this.#answerParts['audio'] ?? 0,
      outputImage: this.#answerParts['image'] ?? 0,
    })
    return withCachedParts(tokens, this.#cachedParts)
  }

  /** Of the prompt, what is not said to be text, sound or a picture. */
  get unnamedInput(): number {
    const { text = 0, audio = 0, image = 0 } = this.#promptParts
    return Math.max(0, (this.#prompt ?? 0) - text - audio - image)
  }

  /** The tier that was served; null where it was not reported. */
  get serviceTier(): string | null {
    return this.#tier
  }
}

/** A part that exceeds its whole would be charged twice, so it is cut to the whole. */
export function toTokenCounts(
  counts: Omit<TokenCounts, 'cacheWrite5m' | 'cacheWrite1h'>,
): TokenCounts {
  const { input, output } = counts
  return {
    input,
    output,
    cacheRead: Math.min(counts.cacheRead, input),
    // A cache is written by a call of its own, and rented by the hour.
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    inputAudio: Math.min(counts.inputAudio, input),
    inputImage: Math.min(counts.inputImage, input),
    reasoning: Math.min(counts.reasoning, output),
    outputAudio: Math.min(counts.outputAudio, output),
    outputImage: Math.min(counts.outputImage, output),
  }
}

/** Cached sound and images are charged as cached, so they are left out here. */
export function toFreshParts(
  parts: readonly Modalities[],
  cached: Modalities,
): Pick<TokenCounts, 'inputAudio' | 'inputImage'> {
  const fresh = (modality: string): number => {
    const whole = parts.reduce((sum, each) => sum + (each[modality] ?? 0), 0)
    return Math.max(0, whole - (cached[modality] ?? 0))
  }
  return { inputAudio: fresh('audio'), inputImage: fresh('image') }
}

/** Null for what is not a list, so that a chunk without one keeps the earlier. */
export function toModalities(value: unknown): Modalities | null {
  if (!Array.isArray(value)) return null
  const counts: Record<string, number> = {}
  for (const each of toList(value)) {
    const entry = toObject(each)
    const modality = toName(entry?.['modality'])?.toLowerCase()
    const count = toLong(entry?.['tokenCount'] ?? entry?.['tokens']) ?? 0
    if (modality !== undefined) counts[modality] = (counts[modality] ?? 0) + count
  }
  return counts
}

/** Other providers' names for the same tiers; the rest stays as it is, in lower case. */
const TIERS: ReadonlyMap<string, string> = new Map([
  ['on_demand_priority', 'priority'],
  ['on_demand_flex', 'flex'],
  ['on_demand_offpeak', 'offpeak'],
])
const UNSAID = /unspecified$/

export function toTier(value: unknown): string | null {
  const tier = toName(value)?.toLowerCase() ?? null
  if (tier === null || UNSAID.test(tier)) return null
  return TIERS.get(tier) ?? tier
}
