// Anthropic's usage object. Must stay true: its three kinds of input are added up, a later figure
// replaces the earlier one, and several models' usage is per model, never added to the whole.

import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import type { UsageShare } from '../../../core/usage-event.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toList, toName, toObject } from '../json-leaves.ts'
import { ModelShares } from '../model-shares.ts'

export interface AnthropicReport {
  /** Null until a figure of input or output was seen. */
  readonly tokens: TokenCounts | null
  readonly shares?: readonly UsageShare[]
  readonly toolCalls: Readonly<Record<string, number>>
  readonly serviceTier: string | null
}

export class AnthropicUsage {
  #figures: Figures = NO_FIGURES
  #isOutputOpen = false
  #iterations: readonly JsonObject[] = []
  #webSearches = 0
  #tier: TierMarks = { tier: null, speed: null, geo: null, isCredited: false }

  /** Ignores what is not a usage object. */
  read(value: unknown): void {
    const usage = toObject(value)
    if (usage === null) return
    this.#figures = readFigures(usage, this.#figures)
    if (toFigure(usage['output_tokens']) !== null) this.#isOutputOpen = false
    this.#readRest(usage)
  }

  /** The usage at a stream's start: if all zeros, the figures are still to come. */
  readOpening(value: unknown): void {
    const usage = toObject(value)
    if (usage === null) return
    const figures = readFigures(usage, NO_FIGURES)
    if (Object.values(figures).some((count) => count !== null && count !== 0)) {
      this.#figures = figures
      this.#isOutputOpen = true
    }
    this.#readRest(usage)
  }

  /** Only a stream's start was seen, whose output is that of its first event. */
  get isOutputOpen(): boolean {
    return this.#isOutputOpen
  }

  get isKnown(): boolean {
    const { input, output } = this.#figures
    return !this.#isOutputOpen && (input !== null || output !== null)
  }

  /** The model that served instead of the requested one; null where none did. */
  get fallbackModel(): string | null {
    const served = this.#iterations.findLast((entry) => entry['type'] === 'fallback_message')
    return toName(served?.['model'])
  }

  /** `model` is the message's own, on which entries without a name ran. */
  report(model: string | null): AnthropicReport {
    const rest = {
      toolCalls: this.#webSearches !== 0 ? { web_search: this.#webSearches } : {},
      serviceTier: toServiceTier(this.#tier),
    }
    const found = this.#addIterations(model)
    if (found.tokens === null) return { tokens: toTokens(this.#figures), ...rest }
    const shares = found.toShares(this.fallbackModel ?? model)
    return { tokens: found.tokens, ...(shares === undefined ? {} : { shares }), ...rest }
  }

  #readRest(usage: JsonObject): void {
    const iterations = toList(usage['iterations']).map(toObject)
    if (iterations.length > 0) this.#iterations = iterations.filter((entry) => entry !== null)
    // Fetching a page is not charged; searching is.
    const tools = toObject(usage['server_tool_use'])
    this.#webSearches = toFigure(tools?.['web_search_requests']) ?? this.#webSearches
    const { tier, speed, geo, isCredited } = this.#tier
    const credit = toObject(toObject(usage['fallback_credit'])?.['status'])
    this.#tier = {
      tier: toName(usage['service_tier']) ?? tier,
      speed: toName(usage['speed']) ?? speed,
      geo: toName(usage['inference_geo']) ?? geo,
      isCredited: isCredited || credit?.['type'] === 'redeemed',
    }
  }

  /**
   * The whole message's figures leave out compaction, advisers and declined attempts, so entries
   * replace them where there are any; but only the whole reports thinking.
   */
  #addIterations(messageModel: string | null): ModelShares {
    const shares = new ModelShares()
    const entries = this.#iterations.map((entry) => ({
      model: toName(entry['model']) ?? messageModel,
      figures: readFigures(entry, NO_FIGURES),
      isServed: this.#isServed(entry, messageModel),
    }))
    // Those of the answer that are not stated entry by entry: the last has them, as far as it can.
    let thinkingLeft = this.#figures.thinking ?? 0
    const found = entries.toReversed().map(({ model, figures, isServed }) => {
      const part = isServed ? Math.min(thinkingLeft, figures.output ?? 0) : 0
      const thinking = figures.thinking ?? part
      if (isServed) thinkingLeft = Math.max(0, thinkingLeft - thinking)
      return { model, tokens: toTokens({ ...figures, thinking }) }
    })
    for (const { model, tokens } of found.reverse()) {
      if (tokens !== null) shares.add(model, tokens)
    }
    return shares
  }

  /** True for an entry of the answer that the caller got, not of an adviser or a declined one. */
  #isServed(entry: JsonObject, messageModel: string | null): boolean {
    const model = toName(entry['model']) ?? messageModel
    const isAnswer = !BESIDE_THE_ANSWER.has(toName(entry['type']) ?? '')
    return isAnswer && model === (this.fallbackModel ?? messageModel)
  }
}

/** Entries that may have run on the answer's own model and are no part of it. */
const BESIDE_THE_ANSWER: ReadonlySet<string> = new Set(['compaction', 'advisor_message'])

/** As reported; null until then. */
interface Figures {
  readonly input: number | null
  readonly output: number | null
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  readonly cacheWrite5m: number | null
  readonly cacheWrite1h: number | null
  readonly thinking: number | null
}

const NO_FIGURES: Figures = {
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
  cacheWrite5m: null,
  cacheWrite1h: null,
  thinking: null,
}

function readFigures(usage: JsonObject, earlier: Figures): Figures {
  const input = toFigure(usage['input_tokens']) ?? earlier.input
  const output = toFigure(usage['output_tokens']) ?? earlier.output
  const writes = toObject(usage['cache_creation'])
  const details = toObject(usage['output_tokens_details'])
  return {
    // Every answer has both: null in the place of one is a count that is missing.
    input: input ?? (usage['input_tokens'] === null && output !== null ? NaN : null),
    output: output ?? (usage['output_tokens'] === null && input !== null ? NaN : null),
    cacheRead: toFigure(usage['cache_read_input_tokens']) ?? earlier.cacheRead,
    cacheWrite: toFigure(usage['cache_creation_input_tokens']) ?? earlier.cacheWrite,
    cacheWrite5m: toFigure(writes?.['ephemeral_5m_input_tokens']) ?? earlier.cacheWrite5m,
    cacheWrite1h: toFigure(writes?.['ephemeral_1h_input_tokens']) ?? earlier.cacheWrite1h,
    thinking: toFigure(details?.['thinking_tokens']) ?? earlier.thinking,
  }
}

function toTokens(figures: Figures): TokenCounts | null {
  if (figures.input === null && figures.output === null) return null
  const output = figures.output ?? 0
  const cacheRead = figures.cacheRead ?? 0
  const { cacheWrite5m, cacheWrite1h } = splitWrites(figures)
  return createTokenCounts({
    input: (figures.input ?? 0) + cacheRead + cacheWrite5m + cacheWrite1h,
    output,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
    reasoning: Math.min(figures.thinking ?? 0, output),
  })
}

/**
 * A stream repeats only the total of cache writes, not its two kinds. What the kinds leave open
 * belongs to the only kind reported, else to the shorter one, which is the default.
 */
function splitWrites(figures: Figures): Pick<TokenCounts, 'cacheWrite5m' | 'cacheWrite1h'> {
  const short = figures.cacheWrite5m ?? 0
  const long = figures.cacheWrite1h ?? 0
  const whole = figures.cacheWrite ?? short + long
  if (short === 0 && long > 0) return { cacheWrite5m: 0, cacheWrite1h: whole }
  const cacheWrite1h = Math.min(long, whole)
  return { cacheWrite5m: whole - cacheWrite1h, cacheWrite1h }
}

interface TierMarks {
  readonly tier: string | null
  readonly speed: string | null
  readonly geo: string | null
  readonly isCredited: boolean
}

/** Inference that is not bound to a place, or a model without places, has the standard price. */
const FREE_GEOS: ReadonlySet<string> = new Set(['global', 'not_available'])

/**
 * Everything that changes the price becomes one name, `batch+geo-us`: a combination without a price
 * is unpriced instead of wrong. A credit's amount is not reported, so it is part of it too.
 */
function toServiceTier({ tier, speed, geo, isCredited }: TierMarks): string | null {
  const marks: string[] = []
  if (tier !== null && tier !== 'standard') marks.push(tier)
  if (speed !== null && speed !== 'standard')
    marks.push(speed === 'fast' ? speed : `speed-${speed}`)
  if (geo !== null && !FREE_GEOS.has(geo)) marks.push(`geo-${geo}`)
  if (isCredited) marks.push('credit')
  return marks.length === 0 ? tier : marks.join('+')
}
